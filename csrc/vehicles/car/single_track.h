/* SPDX-License-Identifier: BSD-3-Clause */
/* A car as a single track with linear tyres [@commonroad 2020a 6], on a plane that may be tilted (vehicles/driving/ground.h).
 *
 * Speed v and slip angle b of the centre of mass, v the length of the velocity, negative backwards, b from the forward axis
 * to the right; yaw rate r, clockwise; steering angle d; acceleration a by drive and brakes (vehicles/car/drive.h); masses,
 * heights and distances of the axles as in vehicles/car/rolling.h; h the height of the centre of mass, g the load per mass:
 *
 *     z_f = (g l_r - a h) / L,   z_r = (g l_f + a h) / L             load of the axles per mass
 *     y_f = mu C_f z_f (d - b - l_f r / v)                           lateral forces per mass, where v > 0; their signs
 *     y_r = mu C_r z_r (-b + l_r r / v)                              change with that of v
 *     v'  = a,   v (r + b') = y_f + y_r,   J r' / m = l_f y_f - l_r y_r
 *
 * with gravity along the ground added.  Of an axle |y_i| <= mu z_i sqrt(1 - (a / (mu g))^2), the friction that drive and
 * brakes leave; the source has no such limit, and its forces are those of driving forward.  Below the blending speed it
 * rolls (vehicles/car/rolling.h), between half of that and it the accelerations of both are mixed.  Wheels follow the ground
 * with the lag t_s.  It gets no resistance from turning: turned wheels do not brake, and steering gives the rotation its
 * energy, J r^2 / 2.
 *
 * m, s, rad; |b| below 0.2 rad, where tyres are linear.  Leaves out: slip along the wheels, load transfer to a side, roll,
 * pitch, tipping over, differences of left and right wheels. */

#include "math/trig.h"
#include "vehicles/driving/ground.h"

/* Quantities that are constant during a call. */
typedef struct single_track_plant {
    single_track_param p;
    driving_ground ground;
    const block *weakened; /* the block with strengths, or NULL */
    lane traction, drive, brake, steering_target;
    lane inverse_steering_tau, inverse_slip_tau, inverse_base, inverse_blend_speed, inverse_radius;
    lane friction;     /* m/s^2: maximum tyre force per mass */
    lane yaw_friction; /* rad/s^2: maximum yaw moment of the tyres per inertia */
    lane inverse_friction;
    lane mu;                /* friction coefficient on this ground */
    lane mass_over_inertia; /* 1/m^2 */
} single_track_plant;

#include "vehicles/driving/on_ground.h"

#include "vehicles/car/drive.h"

#include "vehicles/car/rolling.h"

LANE_INLINE void single_track_prepare(single_track_plant *m, const single_track_input *in, int full)
{
    single_track_prepare_ground(m, in->terrain, full);
    m->mu = m->p.friction * m->ground.plane.grip;
    m->friction = m->mu * m->ground.load;
    m->inverse_friction = 1 / lane_max(m->friction, lane_of(DRIVING_TINY));
    single_track_prepare_commands(m, in, full);
    single_track_prepare_rolling(m);
}

/* Motion of a car as its speed, negative backwards, and slip angle. */
typedef struct single_track_course {
    lane speed, slip;     /* m/s, rad */
    lane cosine, sine;    /* of the slip angle */
    lane per_speed, sign; /* 1 / speed, sign of the speed */
} single_track_course;

LANE_INLINE single_track_course single_track_course_of(const single_track_motion *on)
{
    lane sign = lane_select(on->forward < 0, lane_of(-1), lane_of(1));
    lane size = lane_sqrt(on->forward * on->forward + on->right * on->right);
    lane per_size = 1 / lane_max(size, lane_of(DRIVING_TINY));
    return (single_track_course){.speed = sign * size,
                                 .slip = lane_quick_atan2(sign * on->right, sign * on->forward),
                                 .cosine = sign * on->forward * per_size,
                                 .sine = sign * on->right * per_size,
                                 .per_speed = sign * per_size,
                                 .sign = sign};
}

/* With linear tyres; `steering` in rad. */
LANE_INLINE single_track_accels single_track_corner(const single_track_plant *m,
                                                    const single_track_motion *on, lane steering)
{
    const single_track_param *p = &m->p;
    const lane *arm = p->axle_distance, zero = lane_of(0);
    single_track_course c = single_track_course_of(on);
    lane along = on->gravity[0] * c.cosine + on->gravity[1] * c.sine;
    lane drive = lane_limit(single_track_traction_accel(m, c.speed, along), m->friction);

    lane turned = on->yaw_rate * c.per_speed, load[2];
    single_track_axle_loads(m, drive, load);
    lane used = drive * m->inverse_friction;
    lane most = m->mu * lane_sqrt(lane_max(zero, 1 - used * used));
    lane slip[2] = {c.sign * (steering - c.slip - arm[0] * turned), c.sign * (arm[1] * turned - c.slip)};
    lane lateral[2] = {lane_limit(m->mu * p->cornering_stiffness[0] * slip[0], most) * load[0],
                       lane_limit(m->mu * p->cornering_stiffness[1] * slip[1], most) * load[1]};
    lane side = lateral[0] + lateral[1];
    return (single_track_accels){
        drive * c.cosine - side * c.sine + on->gravity[0], drive * c.sine + side * c.cosine + on->gravity[1],
        m->mass_over_inertia * (arm[0] * lateral[0] - arm[1] * lateral[1]) + m->ground.yaw_load};
}

LANE_INLINE single_track_accels single_track_accelerations(const single_track_plant *m,
                                                           const single_track_motion *on, lane steering)
{
    lane share = single_track_slipping_share(m, on);
    if (!mask_any(share > 0)) return single_track_roll(m, on);
    single_track_accels slipping = single_track_corner(m, on, steering);
    if (!mask_any(mask_not(share >= 1))) return slipping;
    return single_track_mixed(slipping, single_track_roll(m, on), share);
}

LANE_INLINE void single_track_derivative(const single_track_state *s, const single_track_plant *m, int full,
                                         single_track_state *d)
{
    (void)full;
    mask contact = single_track_ground_contact(s, m);
    driving_frame on = driving_frame_of(rotation_from_quat(s->att), &m->ground, contact);
    single_track_motion motion = single_track_motion_of(s, m, &on);
    single_track_accels a = single_track_accelerations(m, &motion, s->steering);
    vec3 accel = add(scale(a.forward, on.forward), scale(a.right, on.right));
    single_track_move_on_ground(s, m, contact, accel, a.yaw, d);

    d->steering = motion.steering_rate;
    single_track_turn_wheels(s, m, &motion, contact, d->wheel_speed);
}

/* Power of the drive [W].  Leaves out: braking by the motor, which feeds nothing back. */
LANE_INLINE lane single_track_shaft_power(const single_track_state *s, const single_track_plant *m)
{
    lane speed, accel;
    mask drives = single_track_drives(s, m, &speed, &accel);
    return lane_select(drives, m->p.mass * lane_max(lane_of(0), accel * speed), lane_of(0));
}

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

#include "math/trig_rows.h"
#include "vehicles/driving/ground.h"

/* Quantities that are constant during a call. */
typedef struct single_track_plant {
    single_track_param p;
    driving_ground ground;
    const block *weakened; /* the block with strengths, or NULL */
    lane traction, drive, drive_power, brake, steering_target;
    lane inverse_steering_tau, inverse_slip_tau, inverse_base, inverse_blend_speed, inverse_radius;
    lane friction;     /* m/s^2: maximum tyre force per mass */
    lane yaw_friction; /* rad/s^2: maximum yaw moment of the tyres per inertia */
    lane inverse_friction;
    lane mu;                /* friction coefficient on this ground */
    lane mass_over_inertia; /* 1/m^2 */
} single_track_plant;

#define DRIVING_BY_ACCEL
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

/* Lateral force of an axle per mass, at a slip angle and a share of the friction that drive and brakes use. */
LANE_INLINE lane single_track_side(const single_track_plant *m, int axle, lane slip, lane load, lane used)
{
    lane force = m->p.cornering_stiffness[axle] * slip, left = lane_max(lane_of(0), 1 - used * used);
    mask slides = force * force > left;
    if (mask_any(slides)) force = lane_select(slides, lane_limit(force, lane_sqrt(left)), force);
    return m->mu * force * load;
}

/* Accelerations along the ground [m/s^2, NED] and of yaw [rad/s^2]. */
typedef struct single_track_turn {
    vec3 along;
    lane yaw;
} single_track_turn;

/* With linear tyres, along and across the velocity: so no result waits for the length of the forward axis `ahead`. */
LANE_INLINE single_track_turn single_track_corner(const single_track_state *s, const single_track_plant *m,
                                                  const single_track_course *on, vec3 ahead)
{
    const lane *arm = m->p.axle_distance;
    const driving_ground *g = &m->ground;
    const lane forward = driving_dot(g, on->vel, ahead),
               right = driving_dot(g, on->vel, driving_right_of(g, ahead));
    const mask backward = forward < 0;
    lane per_speed = lane_negate_where(backward, on->per_speed);
    vec3 course = scale(per_speed, on->vel);
    lane drive = single_track_traction_accel(m, lane_negate_where(backward, on->speed), on->per_speed,
                                             driving_dot(g, g->gravity, course));
    drive = lane_limit(drive, m->friction);

    lane drift = lane_quick_atan2(lane_negate_where(backward, right), lane_abs(forward));
    lane turned = (s->rate.z - ground_yaw_rate(&g->plane)) * per_speed, load[2],
         used = drive * m->inverse_friction;
    single_track_axle_loads(m, drive, load);
    lane slip[2] = {s->steering - drift - arm[0] * turned, arm[1] * turned - drift};
    lane front = single_track_side(m, 0, lane_negate_where(backward, slip[0]), load[0], used),
         rear = single_track_side(m, 1, lane_negate_where(backward, slip[1]), load[1], used);
    vec3 push = add(scale(drive, course), scale(front + rear, driving_right_of(g, course)));
    return (single_track_turn){add(push, g->gravity),
                               m->mass_over_inertia * (arm[0] * front - arm[1] * rear) + m->ground.yaw_load};
}

/* Adds those of wheels that do not slip, `rest` of them. */
LANE_INLINE single_track_turn single_track_mixed(const single_track_plant *m, const driving_frame *axes,
                                                 const single_track_motion *on, lane rest,
                                                 single_track_turn slipping)
{
    const lane share = 1 - rest;
    single_track_accels a = single_track_roll(m, on);
    vec3 rolling = add(scale(a.forward, axes->forward), scale(a.right, axes->right));
    return (single_track_turn){add(scale(share, slipping.along), scale(rest, rolling)),
                               share * slipping.yaw + rest * a.yaw};
}

LANE_INLINE void single_track_drive(const single_track_state *s, const single_track_plant *m,
                                    single_track_state *d)
{
    const lane zero = lane_of(0);
    const mask contact = single_track_ground_contact(s, m);
    const rotation r = rotation_from_quat(s->att);
    const single_track_course on = single_track_course_of(s, m);
    const lane share = single_track_slipping_share(m, on.speed);
    const driving_frame axes = driving_frame_of(r, &m->ground, contact);
    const single_track_motion motion = single_track_motion_of(s, m, &axes, on.vel);
    single_track_turn a = {vec3_of(zero, zero, zero), zero};
    if (mask_any(share > 0)) a = single_track_corner(s, m, &on, driving_ahead(r, &m->ground));
    if (mask_any(mask_not(share >= 1))) a = single_track_mixed(m, &axes, &motion, 1 - share, a);
    single_track_move_on_ground(s, m, contact, a.along, a.yaw, d);

    d->steering = motion.steering_rate;
    single_track_turn_wheels(s, m, &motion, contact, d->wheel_speed);
}

LANE_INLINE void single_track_derivative(const single_track_state *s, const single_track_plant *m, int full,
                                         single_track_state *d)
{
    (void)full;
    if (m->ground.plane.level) { /* two copies, of which one knows that the ground is level */
        single_track_drive(s, m, d);
    } else {
        single_track_drive(s, m, d);
    }
}

/* Power of the drive [W].  Leaves out: braking by the motor, which feeds nothing back. */
LANE_INLINE lane single_track_shaft_power(const single_track_state *s, const single_track_plant *m)
{
    lane speed, accel;
    mask drives = single_track_drives(s, m, &speed, &accel);
    return lane_select(drives, m->p.mass * lane_max(lane_of(0), accel * speed), lane_of(0));
}

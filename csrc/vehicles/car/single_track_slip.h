/* SPDX-License-Identifier: BSD-3-Clause */
/* A car as a single track whose wheels spin and slip [@commonroad 2020a 7], on a plane that may be tilted
 * (vehicles/driving/ground.h).
 *
 * Speeds u forward and w to the right of the centre of mass, yaw rate r, wheel speeds n_i of the axles, R their radius; the
 * acceleration a and the share s_i of an axle in the drive and in the brakes (vehicles/car/drive.h); s the sign of u:
 *
 *     z_f = (g l_r - a h) / L,   z_r = (g l_f + a h) / L        load of the axles per mass; a within +-mu g here
 *     u_f = u cos d + (w + l_f r) sin d,   u_r = u              speeds along the wheels
 *     k_i = (R n_i - u_i) / max(|u_i|, v_0)                     slip
 *     a_f = arctan((w + l_f r) / (s u)) - s d,  a_r = arctan((w - l_r r) / (s u))
 *     x_i, y_i   forces per mass by s k_i and a_i (models/tyre_pac2002.h), x_i times s
 *     u' - r w = x_r + x_f cos d - y_f sin d,   w' + r u = y_r + y_f cos d + x_f sin d
 *     J r' / m = l_f (y_f cos d + x_f sin d) - l_r y_r
 *     I n_i'   = T_i - R m x_i,   T_i = s_i m R a             drive
 *                                 T_i = R m x_i - I n_i / t_s, within +-s_i m R |a|     brakes: they hold a wheel at rest
 *
 * with gravity along the ground added.  v_0 is half of the blending speed, below which it rolls (vehicles/car/rolling.h) and
 * wheel speeds follow the ground with the lag t_s; between half of that and it the accelerations of both are mixed.  Slip of a
 * wheel decays at R^2 m z_i PKX1 / (I v): the inertia I is that with which this is CAR_SLIP_RATE where it would be more, at
 * some 10 m/s and less, so that steps of 2 ms resolve it: within 1.1 ms.  The slip that forces need is the same.
 *
 * m, s, rad.  Differences to the source: it does not drive backward, lets v_0 be 0.1 m/s, and has locked wheels creep.
 * Leaves out: load transfer to a side, roll, pitch, tipping over, camber, differences of left and right wheels. */

#include "models/tyre_pac2002.h"
#include "vehicles/driving/ground.h"

#define CAR_LEAST_GRIP ((real)1e-3) /* of the tyres, which friction divides */

/* Quantities that are constant during a call. */
typedef struct single_track_slip_plant {
    single_track_slip_param p;
    driving_ground ground;
    const block *weakened; /* the block with strengths, or NULL */
    lane traction, drive, drive_power, brake, steering_target;
    lane inverse_steering_tau, inverse_slip_tau, inverse_base, inverse_blend_speed, inverse_radius;
    lane friction;          /* m/s^2: maximum tyre force per mass */
    lane yaw_friction;      /* rad/s^2: maximum yaw moment of the tyres per inertia */
    lane mass_over_inertia; /* 1/m^2 */
    lane per_mass;          /* 1/kg */
    pac2002_tyre tyre;
} single_track_slip_plant;

#define DRIVING_BY_ACCEL
#include "vehicles/driving/on_ground.h"

#include "vehicles/car/drive.h"

#include "vehicles/car/rolling.h"

LANE_INLINE void single_track_slip_prepare(single_track_slip_plant *m, const single_track_slip_input *in,
                                           int full)
{
    single_track_slip_prepare_ground(m, in->terrain, full);
    m->friction = m->p.tyre_longitudinal[PDX1] * m->ground.plane.grip * m->ground.load;
    m->per_mass = 1 / m->p.mass;
    m->tyre = (pac2002_tyre){.longitudinal = m->p.tyre_longitudinal,
                             .lateral = m->p.tyre_lateral,
                             .longitudinal_combined = m->p.tyre_longitudinal_combined,
                             .lateral_combined = m->p.tyre_lateral_combined};
    pac2002_prepare(&m->tyre, lane_max(m->ground.plane.grip, lane_of(CAR_LEAST_GRIP)));
    single_track_slip_prepare_commands(m, in, full);
    single_track_slip_prepare_rolling(m);
}

/* Torques, loads and speeds of an axle, and what follows from them. */
typedef struct single_track_slip_axle {
    lane speed, across; /* m/s: of the wheels along their plane, and to the right of the body */
    lane turned;        /* rad: steering angle */
    lane load;          /* m/s^2, per mass */
    lane torque;        /* m/s^2: of the drive, or at most of the brakes, as a force per mass */
} single_track_slip_axle;

/* Forces per mass [m/s^2], and the derivative of the wheel speed [rad/s^2]. */
typedef struct single_track_slip_forces {
    lane along, across, spin;
} single_track_slip_forces;

/* Slips of both axles, and one over their speeds along the wheels, of a vehicle that goes forward. */
LANE_INLINE void single_track_slip_slips(const single_track_slip_plant *m, const single_track_slip_axle *a,
                                         lane forward, const lane *wheel_speed, lane *per_speed,
                                         pac2002_slip *at)
{
    const single_track_slip_param *p = &m->p;
    const lane least = (real)0.5 * p->blend_speed;
    const lane per_forward = 1 / lane_max(lane_abs(forward), least);
    const mask backward = forward < 0;
    lane angle[2] = {a[0].across * per_forward, a[1].across * per_forward};
    rows_short_atan(angle, 2);
    for (int i = 0; i < 2; i++) {
        per_speed[i] = 1 / lane_max(lane_abs(a[i].speed), least);
        lane sliding = p->wheel_radius * wheel_speed[i] - a[i].speed;
        at[i] = (pac2002_slip){lane_negate_where(backward, sliding) * per_speed[i],
                               angle[i] - lane_negate_where(backward, a[i].turned), p->mass * a[i].load};
    }
}

/* What an axle does under the forces of its tyre. */
LANE_INLINE single_track_slip_forces single_track_slip_roll_on(const single_track_slip_plant *m,
                                                               const single_track_slip_axle *a, lane load,
                                                               lane wheel_speed, lane per_speed, mask brakes,
                                                               pac2002_forces by)
{
    const single_track_slip_param *p = &m->p;
    const lane zero = lane_of(0), arm = p->wheel_radius;
    lane decay = arm * arm * load * p->tyre_longitudinal[PKX1] * per_speed * (1 / (real)CAR_SLIP_RATE);
    lane inertia = lane_max(p->axle_inertia, decay);
    lane hold = lane_limit(arm * by.along - inertia * (m->inverse_slip_tau * wheel_speed),
                           p->mass * arm * lane_abs(a->torque));
    lane torque = lane_select(brakes, hold, p->mass * arm * a->torque);
    mask loaded = load > zero;
    return (single_track_slip_forces){lane_select(loaded, m->per_mass * by.along, zero),
                                      lane_select(loaded, m->per_mass * by.across, zero),
                                      (torque - arm * by.along) / inertia};
}

/* What both axles do. */
LANE_INLINE void single_track_slip_roll_both(const single_track_slip_plant *m,
                                             const single_track_slip_axle *a, lane forward,
                                             const lane *wheel_speed, mask brakes,
                                             single_track_slip_forces *by)
{
    pac2002_slip at[2];
    pac2002_forces force[2];
    lane per_speed[2];
    single_track_slip_slips(m, a, forward, wheel_speed, per_speed, at);
    pac2002_both(&m->tyre, at, force);
    for (int i = 0; i < 2; i++) {
        force[i].along = lane_negate_where(forward < 0, force[i].along);
        by[i] =
            single_track_slip_roll_on(m, a + i, at[i].load, wheel_speed[i], per_speed[i], brakes, force[i]);
    }
}

/* Accelerations with tyres that slip, and those of the wheels [rad/s^2]. */
LANE_INLINE single_track_slip_accels single_track_slip_corner(const single_track_slip_plant *m,
                                                              const single_track_slip_course *course,
                                                              const single_track_slip_motion *on,
                                                              const single_track_slip_state *s, lane *spin)
{
    const single_track_slip_param *p = &m->p;
    const lane *arm = p->axle_distance, zero = lane_of(0);
    mask brakes = single_track_slip_brakes(m, on->forward);
    lane speed = lane_negate_where(on->forward < 0, course->speed);
    lane accel = lane_limit(single_track_slip_traction_accel(m, speed, course->per_speed, on->gravity[0]),
                            m->friction);
    lane share = lane_select(brakes, p->front_share[1], p->front_share[0]);
    lane rolling[2], load[2];
    single_track_slip_rolling_speeds(m, on, rolling);
    single_track_slip_axle_loads(m, accel, load);
    const single_track_slip_axle axles[2] = {
        {rolling[0], on->right + arm[0] * on->yaw_rate, s->steering, load[0], share * accel},
        {rolling[1], on->right - arm[1] * on->yaw_rate, zero, load[1], (1 - share) * accel}};
    single_track_slip_forces by[2];
    single_track_slip_roll_both(m, axles, on->forward, s->wheel_speed, brakes, by);
    for (int i = 0; i < 2; i++) spin[i] = by[i].spin;
    lane cosine = on->cosine, sine = on->sine;
    lane along = by[0].along * cosine - by[0].across * sine,
         across = by[0].across * cosine + by[0].along * sine;
    lane yaw = m->mass_over_inertia * (arm[0] * across - arm[1] * by[1].across);
    return (single_track_slip_accels){along + by[1].along + on->gravity[0],
                                      across + by[1].across + on->gravity[1], yaw + m->ground.yaw_load};
}

LANE_INLINE single_track_slip_accels single_track_slip_mixed(single_track_slip_accels slipping,
                                                             single_track_slip_accels rolling, lane share)
{
    const lane rest = 1 - share;
    return (single_track_slip_accels){share * slipping.forward + rest * rolling.forward,
                                      share * slipping.right + rest * rolling.right,
                                      share * slipping.yaw + rest * rolling.yaw};
}

LANE_INLINE void single_track_slip_derivative(const single_track_slip_state *s,
                                              const single_track_slip_plant *m, int full,
                                              single_track_slip_state *d)
{
    (void)full;
    const lane zero = lane_of(0);
    mask contact = single_track_slip_ground_contact(s, m);
    driving_frame on = driving_frame_of(rotation_from_quat(s->att), &m->ground, contact);
    const single_track_slip_course course = single_track_slip_course_of(s, m);
    single_track_slip_motion motion = single_track_slip_motion_of(s, m, &on, course.vel);
    lane share = single_track_slip_slipping_share(m, course.speed), spin[2] = {zero, zero};
    single_track_slip_accels a = {zero, zero, zero};
    if (mask_any(share > 0)) a = single_track_slip_corner(m, &course, &motion, s, spin);
    if (mask_any(mask_not(share >= 1)))
        a = single_track_slip_mixed(a, single_track_slip_roll(m, &motion), share);
    vec3 accel = add(scale(a.forward, on.forward), scale(a.right, on.right));
    single_track_slip_move_on_ground(s, m, contact, accel, a.yaw, d);

    d->steering = motion.steering_rate;
    single_track_slip_turn_wheels(s, m, &motion, contact, d->wheel_speed);
    for (int i = 0; i < 2; i++) {
        lane mixed = share * spin[i] + (1 - share) * d->wheel_speed[i];
        d->wheel_speed[i] = lane_select(contact, mixed, d->wheel_speed[i]);
    }
}

/* Power of the drive [W].  Leaves out: braking by the motor, which feeds nothing back. */
LANE_INLINE lane single_track_slip_shaft_power(const single_track_slip_state *s,
                                               const single_track_slip_plant *m)
{
    lane speed, accel;
    mask drives = single_track_slip_drives(s, m, &speed, &accel);
    lane rolling = m->p.front_share[0] * s->wheel_speed[0] + (1 - m->p.front_share[0]) * s->wheel_speed[1];
    lane power = m->p.mass * m->p.wheel_radius * lane_max(lane_of(0), accel * rolling);
    return lane_select(drives, power, lane_of(0));
}

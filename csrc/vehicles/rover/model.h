/* SPDX-License-Identifier: BSD-3-Clause */
/* A rover with differential drive: wheels without slip up to a friction limit, on a plane that may be tilted.
 *
 * On ground with the normal n (down) and the slope a, f is the forward axis of the body, r the right one; u = v.f and
 * w = v.r are speeds, q the yaw rate, g_t = g (e_z - n cos a) the gravity along the ground.  Wheel speeds w_l, w_r, radius
 * R, track B, mass m, yaw inertia J (kinematics [@siegwart-2011 3.2]; clockwise is positive: a faster left side turns the
 * vehicle right):
 *
 *     U = R (w_l + w_r) / 2        Q = R (w_l - w_r) / B                           without slip
 *
 * Motors control the wheel speed: d_i = (w_max c_i - w_i) / tau for a command c_i in -1..1.  The force per mass of a
 * side is what this needs without slip, limited by its torque T:
 *
 *     F_i = (U'(d) - h) / 2 +- J Q'(d) / (m B),         |F_i| <= T / (R m)         [m/s^2]
 *     U'  = F_l + F_r + h,                              Q' = (F_l - F_r) m B / (2 J)
 *     h   = g_t.f, at most mu g cos a: the load that the tyres can transmit
 *
 * so with too little torque a rover rolls back.  T is the driving torque, and the braking torque while |c_i| is below
 * the dead zone.  Tyre forces keep slip at zero, or let it decay with the time constant t_s, within the friction of
 * the normal force (friction circle [@pacejka-2012 1.2.2]):
 *
 *     t   = (U' + (U - u) / t_s - q w - g_t.f,  q u - w / t_s - g_t.r)             [m/s^2, forward and right]
 *     v'  = min(1, mu g cos a / |t|) t + g_t
 *     q'  = Q' + (Q - q) / t_s,         at most mu g cos a m B / (2 J)
 *
 * Below the limit u = U and q = Q to rounding, and a braked rover stands still on a slope with tan a < mu; above, it
 * slips, or slides with g (sin a - mu cos a).
 *
 * vehicles/driving/ground.h has the plane, height and tilt relative to it, free fall, and external forces and torques: along
 * the ground the tyres hold a force within their friction, and a torque about the down axis within the maximum of q'.
 *
 * m, kg, s, rad; NED for n, v, g_t; commands are limited to -1..1, friction reductions to 0..1; mu 0..1.5, slopes below 60 deg.
 * On ground that moves (models/ground_plane.h), v and q are relative to it in the equations above; its acceleration and
 * yaw acceleration reach the vehicle through the tyres.
 *
 * Leaves out: air drag, rolling resistance, load transfer, tipping over, the inertia of slipping wheels, the friction
 * circle of turning and driving together. */

#include "vehicles/driving/ground.h"
#include "vehicles/rover/sides.h"

/* Quantities that are constant during a call. */
typedef struct rover_plant {
    rover_param p;
    driving_ground ground;
    lane friction;        /* m/s^2: maximum tyre force per mass */
    lane yaw_friction;    /* rad/s^2: maximum yaw moment of the tyres per inertia */
    lane target_speed[2]; /* rad/s */
    lane drive_limit[2];  /* m/s^2: maximum drive force of a side per mass */
    lane turn_share;      /* m B^2 / (4 J) */
    lane inverse_turn_share, inverse_radius, inverse_track;
    lane inverse_drive_tau, inverse_slip_tau;
    const block *weakened; /* the block with strengths, or NULL */
} rover_plant;

#include "vehicles/driving/on_ground.h"

LANE_INLINE void rover_prepare(rover_plant *m, const rover_input *in, int full)
{
    const rover_param *p = &m->p;
    rover_prepare_ground(m, in->terrain, full);
    m->friction = p->friction * m->ground.plane.grip * m->ground.load;
    lane turn = p->mass * p->track / (2 * p->yaw_inertia);
    m->yaw_friction = turn * m->friction;
    m->turn_share = (real)0.5 * p->track * turn;
    m->inverse_turn_share = 1 / m->turn_share;
    m->inverse_radius = 1 / p->wheel_radius;
    m->inverse_track = 1 / p->track;
    m->inverse_drive_tau = 1 / p->drive_tau;
    m->inverse_slip_tau = 1 / p->slip_tau;
    lane per_torque = m->inverse_radius / p->mass, left[ACTUATORS];
    rover_strengths_left(m, full, left);
    for (int i = LEFT; i <= RIGHT; i++) {
        mask brakes = lane_abs(in->drive[i]) < p->drive_dead_zone;
        lane command = lane_select(brakes, lane_of(0), lane_limit(in->drive[i], lane_of(1)));
        m->target_speed[i] = p->wheel_speed_max * command;
        m->drive_limit[i] =
            left[i] * (per_torque * lane_select(brakes, p->wheel_torque[1], p->wheel_torque[0]));
    }
}

/* Drive forces of the sides per mass [m/s^2]; `gravity` is the load that the tyres transmit. */
LANE_INLINE void rover_drive(const lane *speed, const rover_plant *m, lane gravity, lane *force)
{
    const real half = (real)0.5;
    lane rate = m->p.wheel_radius * m->inverse_drive_tau;
    lane left = rate * (m->target_speed[LEFT] - speed[LEFT]);
    lane right = rate * (m->target_speed[RIGHT] - speed[RIGHT]);
    lane along = half * (half * (left + right) - gravity),
         turn = half * half * m->inverse_turn_share * (left - right);
    force[LEFT] = lane_limit(along + turn, m->drive_limit[LEFT]);
    force[RIGHT] = lane_limit(along - turn, m->drive_limit[RIGHT]);
}

/* Angular accelerations of the wheels [rad/s^2]. */
LANE_INLINE void rover_wheels(const lane *speed, const rover_plant *m, lane gravity, lane *accel)
{
    lane force[2];
    gravity = lane_limit(gravity, m->friction);
    rover_drive(speed, m, gravity, force);
    lane along = force[LEFT] + force[RIGHT] + gravity;
    lane turn = m->turn_share * (force[LEFT] - force[RIGHT]);
    accel[LEFT] = m->inverse_radius * (along + turn);
    accel[RIGHT] = m->inverse_radius * (along - turn);
}

/* Wheel speed at full command in proportion to the voltage. */
LANE_INLINE void rover_scale_voltage(rover_param *p, lane ratio)
{
    p->wheel_speed_max *= ratio;
}

/* Power of the driving torques [W].  Leaves out: braking by the motors, which feeds nothing back. */
LANE_INLINE lane rover_shaft_power(const rover_state *s, const rover_plant *m)
{
    const lane zero = lane_of(0);
    driving_frame on = driving_frame_of(rotation_from_quat(s->att), &m->ground, rover_ground_contact(s, m));
    lane force[2];
    rover_drive(s->wheel_speed, m, lane_limit(on.gravity, m->friction), force);
    lane left = lane_max(zero, force[LEFT] * s->wheel_speed[LEFT]);
    lane right = lane_max(zero, force[RIGHT] * s->wheel_speed[RIGHT]);
    return m->p.mass * m->p.wheel_radius * (left + right);
}

/* Acceleration by tyre forces and by gravity along the ground [m/s^2, NED]. */
LANE_INLINE vec3 rover_tyres(const rover_state *s, const rover_plant *m, const driving_frame *on,
                             const lane *wheel_accel)
{
    lane half_radius = (real)0.5 * m->p.wheel_radius;
    lane rolling = half_radius * (s->wheel_speed[LEFT] + s->wheel_speed[RIGHT]);
    lane gain = half_radius * (wheel_accel[LEFT] + wheel_accel[RIGHT]);
    vec3 vel = rover_ground_velocity(s, m);
    lane speed = dot(vel, on->forward), drift = dot(vel, on->right);
    lane along = gain + m->inverse_slip_tau * (rolling - speed) - s->rate.z * drift - on->gravity;
    lane across = s->rate.z * speed - m->inverse_slip_tau * drift - on->side_gravity;
    lane size2 = along * along + across * across;
    mask within = size2 <= m->friction * m->friction; /* false with NaN, which is kept */
    lane fraction = lane_select(within, lane_of(1), m->friction / lane_sqrt(size2));
    return add(add(scale(fraction * along, on->forward), scale(fraction * across, on->right)),
               m->ground.gravity);
}

/* Yaw acceleration [rad/s^2]. */
LANE_INLINE lane rover_yaw_accel(const rover_state *s, const rover_plant *m, const lane *wheel_accel)
{
    lane per_difference = m->p.wheel_radius * m->inverse_track;
    lane rolling = per_difference * (s->wheel_speed[LEFT] - s->wheel_speed[RIGHT]);
    lane gain = per_difference * (wheel_accel[LEFT] - wheel_accel[RIGHT]);
    lane held = gain + m->inverse_slip_tau * (rolling - (s->rate.z - ground_yaw_rate(&m->ground.plane))) -
                m->ground.yaw_load;
    return lane_limit(held, m->yaw_friction) + m->ground.yaw_load;
}

LANE_INLINE void rover_derivative(const rover_state *s, const rover_plant *m, int full, rover_state *d)
{
    (void)full;
    mask contact = rover_ground_contact(s, m);
    driving_frame on = driving_frame_of(rotation_from_quat(s->att), &m->ground, contact);
    rover_wheels(s->wheel_speed, m, on.gravity, d->wheel_speed);
    vec3 accel = rover_tyres(s, m, &on, d->wheel_speed);
    rover_move_on_ground(s, m, contact, accel, rover_yaw_accel(s, m, d->wheel_speed), d);
}

LANE_INLINE mask rover_check_envelope(const rover_state *s)
{
    const real over = (real)RF_MAX_ROTOR_SPEED;
    lane speeds = s->wheel_speed[LEFT] * s->wheel_speed[LEFT] + s->wheel_speed[RIGHT] * s->wheel_speed[RIGHT];
    mask bits = body_check_envelope(body_of(s)) | body_not_finite(speeds + s->ground[0] * s->ground[0]);
    return bits | words_of(speeds > over * over, RF_VEHICLE_OVERSPEED);
}

/* Wheel speeds in 1/min. */
LANE_INLINE void rover_show(const rover_state *s, lane *displayed)
{
    for (int i = 0; i < 8; i++) {
        displayed[i] = i <= RIGHT ? RPM_OF_RAD_PER_S * s->wheel_speed[i] : lane_of(0);
    }
}

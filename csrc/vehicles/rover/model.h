/* SPDX-License-Identifier: BSD-3-Clause */
/* A rover with differential drive: wheels without slip up to a friction limit, on a plane that may be tilted.
 *
 * The ground has the unit normal n (down) and the slope a, cos a = n_z.  On it, f is the forward axis of the body,
 * r = n x f the right one; u = v.f and w = v.r are speeds, q the yaw rate, g_t = g (e_z - n cos a) the gravity along
 * the ground.  Wheel speeds w_l, w_r, radius R, track B, mass m, yaw inertia J (kinematics [@siegwart-2011
 * 3.2]; clockwise is positive: a faster left side turns the vehicle right):
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
 * Kinematic: with z_g of the ground below, z_g' = gradient . v, v has a vertical part (z_g - z) / t_z beside the one
 * along the ground, at most ROVER_SUSPENSION_SPEED, and the body's down axis turns to n with the same time constant t_z
 * (the suspension).  Both are set after a step for the next one, so they lag by one step, and semi-implicit Euler is
 * stable for steps below t_z.
 * More than ROVER_DROOP above the ground the vehicle falls freely with constant angular velocity; an impact is perfectly plastic.
 *
 * An external force F takes part as gravity does: g e_z becomes g e_z + F / m, and along the ground the tyres hold it
 * within their friction, which the part along n changes (never below 0: a rover is not lifted off).  Of an external
 * torque the tyres hold the part about the down axis likewise, within the maximum of q'; roll and pitch are left out.
 *
 * m, kg, s, rad; NED for n, v, g_t; commands are limited to -1..1, friction reductions to 0..1; mu 0..1.5, slopes below 60 deg.
 * On ground that moves (models/ground_plane.h), v and q are relative to it in the equations above; its acceleration and
 * yaw acceleration reach the vehicle through the tyres.
 *
 * Leaves out: air drag, rolling resistance, load transfer, tipping over, the inertia of slipping wheels, the friction
 * circle of turning and driving together. */

#include "parts/ground_plane/held.h"
#include "parts/loads/held.h"
#include "parts/payload/held.h"
#include "parts/strength/held.h"
#include "vehicles/rover/sides.h"

#define ROVER_DROOP            ((real)0.05) /* m above the ground: wheels in contact below */
#define ROVER_SUSPENSION_SPEED ((real)2) /* m/s, maximum speed of the suspension after a step of the ground */
#define ROVER_TINY             ((real)1e-18)

/* Quantities that are constant during a call. */
typedef struct rover_plant {
    rover_param p;
    lane terrain;
    ground_plane plane;
    vec3 normal;          /* of the ground, down, NED */
    vec3 fall;            /* m/s^2, NED: by gravity and external force */
    vec3 gravity;         /* m/s^2, NED: component of that along the ground */
    lane yaw_load;        /* rad/s^2: external yaw torque per inertia */
    lane friction;        /* m/s^2: maximum tyre force per mass */
    lane yaw_friction;    /* rad/s^2: maximum yaw moment of the tyres per inertia */
    lane target_speed[2]; /* rad/s */
    lane drive_limit[2];  /* m/s^2: maximum drive force of a side per mass */
    lane turn_share;      /* m B^2 / (4 J) */
    lane inverse_turn_share, inverse_radius, inverse_track;
    lane inverse_drive_tau, inverse_slip_tau, inverse_suspension_tau;
    const block *weakened; /* the block with strengths, or NULL */
} rover_plant;

/* Axes on the ground. */
typedef struct rover_contact_frame {
    vec3 forward, right;        /* NED */
    lane gravity, side_gravity; /* m/s^2: components of gravity along them */
} rover_contact_frame;

/* x limited to +-maximum; NaN is kept and flags the vehicle. */
LANE_INLINE lane rover_limit(lane x, lane maximum)
{
    return lane_max(-maximum, lane_min(maximum, x));
}

/* Mass and yaw inertia with what faults leave and a payload that is fixed adds.  Leaves out: the load of the wheels by an offset of the centre of mass. */
LANE_INLINE void rover_change_mass(rover_param *p, const block *b)
{
    const mass_change load = changed_mass_of(b, p->mass);
    if (!load.any) return;
    p->yaw_inertia += p->mass * load.added.zz;
    p->mass *= load.left;
}

/* A sphere's, which turns about the vertical as the rover. */
LANE_INLINE sym3 rover_inertia(const rover_plant *m)
{
    const lane yaw = m->p.yaw_inertia, none = lane_of(0);
    return (sym3){yaw, yaw, yaw, none, none, none};
}

/* Ground that is inclined or moves, and external loads, of the extended model. */
LANE_INLINE void rover_extend(rover_plant *m, const block *b)
{
    m->plane = ground_plane_below(b);
    const loads external = loads_of(b);
    rover_change_mass(&m->p, b);
    m->fall = scale(1 / m->p.mass, external.external_force);
    m->fall.z += m->p.gravity;
    m->yaw_load = external.external_torque.z / m->p.yaw_inertia;
    m->weakened = strength_block(b);
}

/* Of a side the torque, driving and braking. */
LANE_INLINE void rover_weaken(rover_plant *m)
{
    lane left[ACTUATORS];
    strengths_of(m->weakened, ACTUATORS, left);
    for (int i = LEFT; i <= RIGHT; i++) m->drive_limit[i] *= left[i];
}

LANE_INLINE void rover_prepare_ground(rover_plant *m)
{
    m->normal = ground_normal(&m->plane);
    lane onto = dot(m->fall, m->normal);
    m->gravity = sub(m->fall, scale(onto, m->normal));
    m->friction = m->p.friction * m->plane.grip * lane_max(lane_of(0), onto);
}

LANE_INLINE void rover_prepare(rover_plant *m, const rover_input *in, int full)
{
    const rover_param *p = &m->p;
    m->terrain = in->terrain;
    if (full != EXTENDED) {
        m->plane = ground_plane_level();
        m->fall = vec3_of(lane_of(0), lane_of(0), p->gravity);
        m->yaw_load = lane_of(0);
    }
    rover_prepare_ground(m);
    lane turn = p->mass * p->track / (2 * p->yaw_inertia);
    m->yaw_friction = turn * m->friction;
    m->turn_share = (real)0.5 * p->track * turn;
    m->inverse_turn_share = 1 / m->turn_share;
    m->inverse_radius = 1 / p->wheel_radius;
    m->inverse_track = 1 / p->track;
    m->inverse_drive_tau = 1 / p->drive_tau;
    m->inverse_slip_tau = 1 / p->slip_tau;
    m->inverse_suspension_tau = 1 / p->suspension_tau;
    lane per_torque = m->inverse_radius / p->mass;
    for (int i = LEFT; i <= RIGHT; i++) {
        mask brakes = lane_abs(in->drive[i]) < p->drive_dead_zone;
        lane command = lane_select(brakes, lane_of(0), rover_limit(in->drive[i], lane_of(1)));
        m->target_speed[i] = p->wheel_speed_max * command;
        m->drive_limit[i] = per_torque * lane_select(brakes, p->wheel_torque[1], p->wheel_torque[0]);
    }
    if (full == EXTENDED && m->weakened != NULL) rover_weaken(m);
}

/* True where the wheels are in contact with the ground. */
LANE_INLINE mask rover_ground_contact(const rover_state *s, const rover_plant *m)
{
    return body_ground(s->ground, m->terrain) - s->pos.z < ROVER_DROOP;
}

LANE_INLINE rover_contact_frame rover_contact_frame_of(rotation r, const rover_plant *m, mask contact)
{
    vec3 nose = vec3_of(r.north.x, r.east.x, r.down.x);
    vec3 along = sub(nose, scale(dot(nose, m->normal), m->normal));
    vec3 forward = scale(1 / lane_sqrt(lane_max(lane_of(ROVER_TINY), norm2(along))), along);
    vec3 right = cross(m->normal, forward);
    const lane zero = lane_of(0);
    return (rover_contact_frame){.forward = forward,
                                 .right = right,
                                 .gravity = lane_select(contact, dot(m->gravity, forward), zero),
                                 .side_gravity = lane_select(contact, dot(m->gravity, right), zero)};
}

/* Velocity relative to the ground, without the part of the suspension. */
LANE_INLINE vec3 rover_ground_velocity(const rover_state *s, const rover_plant *m)
{
    return sub(vec3_of(s->vel.x, s->vel.y, s->vel.z - s->suspension_speed), m->plane.velocity);
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
    force[LEFT] = rover_limit(along + turn, m->drive_limit[LEFT]);
    force[RIGHT] = rover_limit(along - turn, m->drive_limit[RIGHT]);
}

/* Angular accelerations of the wheels [rad/s^2]. */
LANE_INLINE void rover_wheels(const lane *speed, const rover_plant *m, lane gravity, lane *accel)
{
    lane force[2];
    gravity = rover_limit(gravity, m->friction);
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
    rover_contact_frame on =
        rover_contact_frame_of(rotation_from_quat(s->att), m, rover_ground_contact(s, m));
    lane force[2];
    rover_drive(s->wheel_speed, m, rover_limit(on.gravity, m->friction), force);
    lane left = lane_max(zero, force[LEFT] * s->wheel_speed[LEFT]);
    lane right = lane_max(zero, force[RIGHT] * s->wheel_speed[RIGHT]);
    return m->p.mass * m->p.wheel_radius * (left + right);
}

/* Acceleration by tyre forces and by gravity along the ground [m/s^2, NED]. */
LANE_INLINE vec3 rover_tyres(const rover_state *s, const rover_plant *m, const rover_contact_frame *on,
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
    return add(add(scale(fraction * along, on->forward), scale(fraction * across, on->right)), m->gravity);
}

/* Yaw acceleration [rad/s^2]. */
LANE_INLINE lane rover_yaw_accel(const rover_state *s, const rover_plant *m, const lane *wheel_accel)
{
    lane per_difference = m->p.wheel_radius * m->inverse_track;
    lane rolling = per_difference * (s->wheel_speed[LEFT] - s->wheel_speed[RIGHT]);
    lane gain = per_difference * (wheel_accel[LEFT] - wheel_accel[RIGHT]);
    lane held = gain + m->inverse_slip_tau * (rolling - (s->rate.z - m->plane.yaw_rate)) - m->yaw_load;
    return rover_limit(held, m->yaw_friction) + m->yaw_load;
}

LANE_INLINE void rover_derivative(const rover_state *s, const rover_plant *m, int full, rover_state *d)
{
    (void)full;
    const lane zero = lane_of(0);
    mask contact = rover_ground_contact(s, m);
    rover_contact_frame on = rover_contact_frame_of(rotation_from_quat(s->att), m, contact);

    d->pos = s->vel;
    d->att = quat_derivative(s->att, s->rate);
    rover_wheels(s->wheel_speed, m, on.gravity, d->wheel_speed);
    d->ground[0] = ground_plane_rate(&m->plane, s->vel);
    d->ground[1] = zero;

    d->suspension_speed = lane_select(contact, -(m->inverse_suspension_tau * s->suspension_speed), zero);
    vec3 held = rover_tyres(s, m, &on, d->wheel_speed);
    held.z += d->suspension_speed;
    d->vel = vec3_select(contact, held, m->fall);
    lane level = lane_select(contact, m->inverse_suspension_tau, zero);
    d->rate = vec3_of(-(level * s->rate.x), -(level * s->rate.y),
                      lane_select(contact, rover_yaw_accel(s, m, d->wheel_speed), m->yaw_load));
}

/* Sets roll and pitch rate [rad/s] so that the down axis turns to the ground normal `n` [FRD]: 2 sin of half the angle
 * between them over the time constant.  An inverted rover rolls. */
LANE_INLINE void rover_align(rover_state *s, vec3 n, mask contact, lane inverse_tau)
{
    const lane tiny = lane_of((real)1e-6);
    lane from_inverted = 1 + n.z;
    lane gain = inverse_tau * lane_sqrt(2 / lane_max(tiny, from_inverted));
    lane roll = lane_select(from_inverted < tiny, 2 * inverse_tau, -(gain * n.y));
    s->rate.x = lane_select(contact, roll, s->rate.x);
    s->rate.y = lane_select(contact, gain * n.x, s->rate.y);
}

/* Puts the velocity along the ground, and sets the vertical one of the suspension. */
LANE_INLINE void rover_settle(rover_state *s, const rover_plant *m, mask contact)
{
    vec3 along = rover_ground_velocity(s, m);
    along = sub(along, scale(dot(along, m->normal), m->normal));
    lane gap = s->ground[0] - s->pos.z;
    lane speed = rover_limit(m->inverse_suspension_tau * gap, lane_of(ROVER_SUSPENSION_SPEED));
    s->suspension_speed = lane_select(contact, speed, lane_of(0));
    along.z += speed;
    s->vel = vec3_select(contact, add(along, m->plane.velocity), s->vel);
}

/* A change of `terrain` is a new height of the ground below. */
LANE_INLINE void rover_see_ground(rover_state *s, const rover_plant *m, int full)
{
    (void)full;
    s->ground[0] = body_ground(s->ground, m->terrain);
    s->ground[1] = m->terrain;
}

LANE_INLINE void rover_normalize(rover_state *s, const rover_plant *m, int full)
{
    (void)full;
    s->att = quat_normalize(s->att);
    mask contact = rover_ground_contact(s, m);
    rover_settle(s, m, contact);
    rover_align(s, to_body(rotation_from_quat(s->att), m->normal), contact, m->inverse_suspension_tau);
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
        displayed[i] = i <= RIGHT ? (real)9.549296585513720146 * s->wheel_speed[i] : lane_of(0);
    }
}

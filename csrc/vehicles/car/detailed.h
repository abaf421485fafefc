/* SPDX-License-Identifier: BSD-3-Clause */
/* A car on four wheels [@rfly-model-api 7.3.1]: the rigid body of all vehicles (models/rigid_body.h), with a spring and a damper
 * at each wheel, tyres by the Magic Formula (models/tyre.h, tyre_contact.h), the spin of the wheels (models/wheel_spin.h), an engine or
 * motor (models/drive_map.h), brakes, and steering (models/ackermann.h).
 *
 * A wheel that hangs ends at the point e below the centre of mass, for which its spring is free.  With the depth d of e
 * below the plane of the ground, along its normal n, the depth d' of the other wheel of the axle and the descent s of the
 * contact c = e - d n,
 *
 *     F_z = k d + k_s max(0, d - d_s) + k_a (d - d') + c s,     never below 0, and 0 where d < 0
 *     force on the body  F = F_x f + F_y (n x f) - F_z n,       at c
 *     moment             c x F + M_z n + M_x f
 *
 * f is the direction of the wheel along the ground.  The axis of roll is so on the ground, and springs act along its normal:
 * their energy is 1/2 k d^2 of a point of the body, and nothing but drive torque adds to it.  k_s = CAR_STOP k is the stop.
 * Of the spinning wheels, J w' and the gyroscopic moment act on the body.
 *
 *     drive torque   Q' = (u Q(w) (1 - b) - Q) / T_d             equal on both wheels of an axle: an open differential
 *     brake torque   Q_b |u| b, and Q_b h where |u| < CAR_DEAD_ZONE    b: share of u that opposes the speed v
 *     steering       d' = (d_c - d) / T_s,  at most its limit
 *     drag           -rho / 2 C A |v - wind| (v - wind)          at the centre of mass
 *
 * b rises from 0 at v = 0 to 1 at CAR_GEAR_SPEED, where the car changes between brake and reverse.  Near u = 0 the car brakes
 * with the share h, which is brake_idle while it moves and 1 below CAR_GEAR_SPEED.
 *
 * NED, FRD, SI; commands are limited to -1..1.  The position is that of the centre of mass; that of a standing car is at
 * the height of the ground.  The ground is the plane below the centre of mass.
 * v is that over the ground, or of the wheels in the air.
 * Leaves out: the mass of wheels beside the body's, the vertical spring of tyres (its compliance may be counted in the
 * springs), axes of roll above the ground and anti-dive, camber and steering by deflections, gears, locked differentials, lift. */

#include "models/ackermann.h"
#include "models/drive_map.h"
#include "models/landing_gear.h"
#include "models/rigid_body.h"
#include "models/tyre_contact.h"
#include "models/wheel_spin.h"
#include "parts/earth/held.h"
#include "parts/ground_plane/held.h"
#include "parts/loads/held.h"
#include "parts/payload/held.h"
#include "parts/strength/held.h"
#include "vehicles/car/commands.h"

#define CAR_GEAR_SPEED ((real)0.5)  /* m/s */
#define CAR_SKIN       ((real)1e-3) /* m of deflection over which the contact builds up */
#define CAR_DEEPEST    ((real)0.1) /* m beyond the stop, up to which forces grow: deeper the ground has moved */
#define CAR_TINY       ((real)1e-12)

/* Constants of a call. */
typedef struct car_plant {
    car_param p;
    vec3 wind;
    lane terrain;
    lane inverse_mass;
    sym3 inverse_inertia;
    ground_plane plane;
    rotation ground;    /* NED to axes of the ground: north and east along it, and its normal, down */
    lane hanging[2];    /* m, FRD: end of a wheel that hangs, below the centre of mass */
    lane stop[2];       /* m: deflection at the stop */
    lane per_wheelbase; /* 1/m, times the share of the geometry of Ackermann */
    tyre tyre;
    lane inverse_wheel_inertia, settling; /* 1/(kg m^2), N m s */
    drive_map map;
    lane drive, steering_target;         /* 1, rad: of the commands */
    mask holds;                          /* where no command lets the brakes hold */
    lane drive_share[2], brake_share[2]; /* of a wheel */
    lane inverse_drive_tau, inverse_steering_tau;
    loads external;
    mass_change load;
    earth_below below;
    const block *weakened; /* the block with strengths, or NULL */
} car_plant;

#include "vehicles/car/wheels.h"
#include "vehicles/car/tumbling.h"

LANE_INLINE void car_scale_air(car_param *p, lane ratio, lane near_ground)
{
    (void)near_ground; /* of rotors that carry */
    p->reference_density *= ratio;
}

/* Power and wheel speed of the motor in proportion to the voltage. */
LANE_INLINE void car_scale_voltage(car_param *p, lane ratio)
{
    p->drive_power *= ratio;
    p->wheel_speed_max *= ratio;
}

LANE_INLINE void car_extend(car_plant *m, const block *b)
{
    m->plane = ground_plane_below(b);
    m->external = loads_of(b);
    m->load = changed_mass_of(b, m->p.mass);
    m->below = earth_of(b);
    m->weakened = strength_block(b);
}

LANE_INLINE void car_prepare_ground(car_plant *m)
{
    const vec3 n = ground_normal(&m->plane);
    const lane per_size = 1 / lane_sqrt(n.x * n.x + n.z * n.z);
    const vec3 north = vec3_of(per_size * n.z, lane_of(0), -(per_size * n.x));
    m->ground = (rotation){.north = north, .east = cross(n, north), .down = n};
}

LANE_INLINE void car_prepare_springs(car_plant *m)
{
    const car_param *p = &m->p;
    lane wheelbase = p->axle_distance[0] + p->axle_distance[1];
    lane half_weight = (real)0.5 * p->mass * p->gravity / wheelbase;
    for (int axle = 0; axle < 2; axle++) {
        lane standing = half_weight * p->axle_distance[1 - axle] / p->spring_stiffness[axle];
        m->hanging[axle] = p->mass_height + standing;
        m->stop[axle] = standing + p->spring_travel;
    }
    m->per_wheelbase = p->ackermann_share / wheelbase;
}

LANE_INLINE void car_prepare_tyres(car_plant *m)
{
    const car_param *p = &m->p;
    const lane friction = lane_max(lane_of(TYRE_ICE), p->tyre_friction * m->plane.grip);
    m->tyre = (tyre){
        .longitudinal = p->magic_longitudinal,
        .lateral = p->magic_lateral,
        .aligning = p->magic_aligning,
        .per_c = {1 / p->magic_longitudinal[0], 1 / p->magic_lateral[0], 1 / p->magic_aligning[0]},
        .load_range = p->tyre_load_range,
        .relaxation = p->tyre_relaxation,
        .smallest_bend = TYRE_SMALLEST * p->tyre_relaxation[0] * p->tyre_relaxation[1],
        .damping = p->tyre_damping,
        .inverse_damping = 1 / p->tyre_damping,
        .inverse_side_stiffness = 1 / p->tyre_side_stiffness,
        .friction = friction,
        .inverse_friction = 1 / friction,
        .aligns = (p->magic_aligning[1] != 0) | (p->magic_aligning[2] != 0),
    };
    m->inverse_wheel_inertia = 1 / p->wheel_inertia;
    m->settling = p->wheel_inertia * m->tyre.inverse_damping;
}

LANE_INLINE void car_prepare_drive(car_plant *m, const car_input *in)
{
    const car_param *p = &m->p;
    const lane one = lane_of(1), half = lane_of((real)0.5);
    m->drive = lane_limit(in->traction, one);
    m->holds = lane_abs(m->drive) < CAR_DEAD_ZONE;
    m->steering_target = p->steering_max * lane_limit(in->steer, one);
    m->map = (drive_map){p->drive_torque_limit, p->drive_power, p->wheel_speed_max,
                         1 / (DRIVE_MAP_FADE * p->wheel_speed_max)};
    m->drive_share[0] = half * p->drive_share;
    m->drive_share[1] = half * (1 - p->drive_share);
    m->brake_share[0] = half * p->brake_share;
    m->brake_share[1] = half * (1 - p->brake_share);
    m->inverse_drive_tau = 1 / p->drive_tau;
    m->inverse_steering_tau = 1 / p->steering_tau;
}

/* Of the drive its torque, of the steering its angle. */
LANE_INLINE void car_weaken(car_plant *m)
{
    lane left[ACTUATORS];
    strengths_of(m->weakened, ACTUATORS, left);
    m->map.torque *= left[0];
    m->map.power *= left[0];
    m->steering_target *= left[1];
}

LANE_INLINE void car_prepare(car_plant *m, const car_input *in, int full)
{
    (void)full; /* one model only */
    m->wind = in->wind;
    m->terrain = in->terrain;
    car_prepare_ground(m);
    m->inverse_mass = 1 / m->p.mass;
    m->inverse_inertia = sym3_inverse(m->p.inertia);
    car_prepare_springs(m);
    car_prepare_tyres(m);
    car_prepare_drive(m, in);
    if (m->weakened != NULL) car_weaken(m);
}

/* Speed of the wheels that are driven [rad/s]. */
LANE_INLINE lane car_driven_speed(const car_state *s, const car_plant *m)
{
    const lane *w = s->wheel_speed;
    return m->drive_share[0] * (w[FRONT_LEFT] + w[FRONT_RIGHT]) +
           m->drive_share[1] * (w[REAR_LEFT] + w[REAR_RIGHT]);
}

/* Speed along the forward axis [m/s]: over the ground, and of the wheels where all hang in the air. */
LANE_INLINE lane car_speed(const car_state *s, const car_plant *m, rotation r)
{
    lane over_ground = to_body(r, sub(s->vel, m->plane.velocity)).x;
    lane reach = lane_max(m->hanging[0], m->hanging[1]) - m->p.mass_height;
    mask hang = s->pos.z - s->ground[0] < -reach;
    return lane_select(hang, m->p.wheel_radius * car_driven_speed(s, m), over_ground);
}

/* Share of the command that brakes, as it opposes the speed. */
LANE_INLINE lane car_opposes(const car_plant *m, lane speed)
{
    const lane zero = lane_of(0);
    lane against = lane_select(m->drive < 0, speed, -speed) * (1 / CAR_GEAR_SPEED);
    return lane_max(zero, lane_min(lane_of(1), against));
}

/* Torque of the brakes of all wheels [N m]. */
LANE_INLINE lane car_brake(const car_plant *m, lane speed, lane opposes)
{
    lane slow = lane_max(lane_of(0), lane_min(lane_of(1), 2 - lane_abs(speed) * (1 / CAR_GEAR_SPEED)));
    lane idle = m->p.brake_idle + (1 - m->p.brake_idle) * slow;
    return m->p.brake_torque * lane_select(m->holds, idle, lane_abs(m->drive) * opposes);
}

/* Derivative of the drive torque [N m/s]. */
LANE_INLINE lane car_drive_rate(const car_state *s, const car_plant *m, lane opposes)
{
    lane speed = car_driven_speed(s, m);
    lane most = drive_map_torque(&m->map, lane_select(speed * m->drive < 0, lane_of(0), speed));
    return m->inverse_drive_tau * (m->drive * (1 - opposes) * most - s->drive_torque);
}

/* Drag of the air [N, NED]. */
LANE_INLINE vec3 car_drag(const car_state *s, const car_plant *m)
{
    vec3 through = sub(s->vel, m->wind);
    lane factor = (real)0.5 * m->p.reference_density * m->p.air_drag_area;
    return scale(-(factor * lane_sqrt(norm2(through))), through);
}

#include "vehicles/body/above_ground.h"
#include "vehicles/body/over_earth.h"
#include "vehicles/body/changed_mass.h"

/* Puts forces [N, NED] and moments [N m, NED] about the centre of mass into the derivative. */
LANE_INLINE void car_move(const car_state *s, const car_plant *m, rotation r, const car_wheels *by,
                          car_state *d)
{
    vec3 moment = to_body(r, by->moment);
    moment = add(moment, vec3_of(-(by->spin * s->rate.z), by->spin_rate, by->spin * s->rate.x));
    d->pos = s->vel;
    d->att = quat_derivative(s->att, s->rate);
    d->ground[0] = ground_plane_rate(&m->plane, s->vel);
    d->ground[1] = lane_of(0);
    vec3 force = add(by->force, m->external.external_force);
    moment = add(moment, m->external.external_torque);
    d->vel = scale(m->inverse_mass, force);
    d->vel.z += m->p.gravity;
    d->rate = rigid_body_angular_acceleration(m->p.inertia, m->inverse_inertia, s->rate, moment);
    if (mask_any(m->below.curved)) car_add_earth(s, m, r, moment, d);
    car_change_mass(s, m, r, d);
}

LANE_INLINE void car_derivative(const car_state *s, const car_plant *m, int full, car_state *d)
{
    (void)full;
    rotation r = rotation_from_quat(s->att);
    lane speed = car_speed(s, m, r), opposes = car_opposes(m, speed);
    car_wheels by;
    car_wheels_on_ground(s, m, r, car_brake(m, speed, opposes), &by);
    mask touches = car_body_touches(s, m, r);
    if (mask_any(touches)) {
        vec3 force = by.force, moment = by.moment;
        car_tumble(s, m, r, &force, &moment);
        by.force = vec3_select(touches, force, by.force);
        by.moment = vec3_select(touches, moment, by.moment);
    }
    by.force = add(by.force, car_drag(s, m));
    car_move(s, m, r, &by, d);
    for (int i = 0; i < WHEELS; i++) {
        d->wheel_speed[i] = by.accel[i];
        d->tyre_along[i] = by.along_rate[i];
        d->tyre_across[i] = by.across_rate[i];
    }
    d->drive_torque = car_drive_rate(s, m, opposes);
    d->steering =
        lane_limit(m->inverse_steering_tau * (m->steering_target - s->steering), m->p.steering_rate_limit);
}

LANE_INLINE mask car_check_envelope(const car_state *s)
{
    const real over = (real)RF_MAX_ROTOR_SPEED;
    lane squares =
        s->drive_torque * s->drive_torque + s->steering * s->steering + s->ground[0] * s->ground[0];
    mask fast = s->wheel_speed[0] != s->wheel_speed[0];
    for (int i = 0; i < WHEELS; i++) {
        lane w2 = s->wheel_speed[i] * s->wheel_speed[i];
        squares += w2 + s->tyre_along[i] * s->tyre_along[i] + s->tyre_across[i] * s->tyre_across[i];
        fast = fast | (w2 > over * over);
    }
    mask bits = body_check_envelope(body_of(s)) | body_not_finite(squares);
    return bits | words_of(fast, RF_VEHICLE_OVERSPEED);
}

/* Power of the drive torque [W].  Leaves out: braking by the motor, which feeds nothing back. */
LANE_INLINE lane car_shaft_power(const car_state *s, const car_plant *m)
{
    return lane_max(lane_of(0), s->drive_torque * car_driven_speed(s, m));
}

/* Wheel speeds in 1/min, then the steering angle [rad]. */
LANE_INLINE void car_show(const car_state *s, lane *displayed)
{
    for (int i = 0; i < 8; i++) displayed[i] = lane_of(0);
    for (int i = 0; i < WHEELS; i++) displayed[i] = RPM_OF_RAD_PER_S * s->wheel_speed[i];
    displayed[WHEELS] = s->steering;
}

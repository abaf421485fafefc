/* SPDX-License-Identifier: BSD-3-Clause */
/* Model of a multirotor: rigid body, motors, rotors, fuselage drag, ground contact
 * [@rfly-model-api 6 and 7.1].
 *
 * A template, included once per type; vehicles/type.h lists its functions.  EQUAL_ROTORS is 1 for four equal rotors on
 * an X, whose geometry is code, and 0 for geometry in columns.
 *
 * The plain model has principal axes along the body axes, motor speed linear in throttle with one time constant, thrust
 * and torque quadratic in speed, quadratic drag and damping, no ground.  The full model has all effects of the columns.
 * The plain model reads fewer columns; it is for training and for comparison with simulators of the same detail. */

#include "models/drag.h"
#include "models/ground.h"
#include "models/motor.h"
#include "models/rigid_body.h"
#include "models/rotor.h"
#include "models/rotor_air.h"
#include "parts/contact/held.h"
#include "parts/earth/held.h"
#include "parts/environment/held.h"
#include "parts/payload/held.h"
#include "parts/ground_plane/held.h"
#include "parts/loads/held.h"
#include "parts/rotor_air/held.h"
#include "parts/strength/held.h"

#define multirotor_plant  TYPED(plant)
#define multirotor_motors TYPED(second_order_motors)

#include "vehicles/multirotor/motors.h"

/* Constants of a call: params, inputs, and values derived from them. */
typedef struct multirotor_plant {
    multirotor_param p;
    vec3 wind;
    lane terrain;
    lane target_speed[ACTUATORS];
    lane inverse_tau[2];
    lane inverse_mass;
    sym3 inverse_inertia;
    lane gyroscopic; /* 1, or -1 for the published sign */
#if EQUAL_ROTORS
    lane spin_inertia; /* that of rotor_inertia, or 0 for the published moments */
#else
    lane spin_inertia[ACTUATORS];
    vec3 axis[ACTUATORS];
    vec3 lever[ACTUATORS]; /* moment per thrust: position x axis */
#endif
    /* Last, so that the places of what every step reads do not depend on them: the extended model. */
    ground_plane plane;
    loads external;
    mass_change load;
    rotor_air air;
    multirotor_motors motors;
    int weakened;             /* whether the part is on: strengths of 1 have a cost, too */
    lane strength[ACTUATORS]; /* of rotors: share of thrust and torque that is left */
    earth_below below;
    const block *contact; /* the block with contact points, or NULL */
    lane contact_reach;   /* m: of the farthest contact point from the centre of mass */
} multirotor_plant;

#if !EQUAL_ROTORS
LANE_INLINE vec3 TYPED(rotor_vec3)(const lane *rows, int i)
{
    return vec3_of(rows[i], rows[ACTUATORS + i], rows[2 * ACTUATORS + i]);
}
#endif

/* Thrust, torque, drag and damping in proportion to the air density: `ratio` is that over the density at which the
 * parameters hold, which is taken as the standard one at sea level.  `near_ground` is the thrust over that far from it. */
LANE_INLINE void TYPED(scale_air)(multirotor_param *p, lane ratio, lane near_ground)
{
    lane thrust = ratio * near_ground;
    p->drag_linear = scale(ratio, p->drag_linear);
    p->drag_quadratic = scale(ratio, p->drag_quadratic);
    p->damping_linear = scale(ratio, p->damping_linear);
    p->damping_quadratic = scale(ratio, p->damping_quadratic);
#if EQUAL_ROTORS
    for (int i = 0; i < 2; i++) {
        p->thrust_coef[i] *= thrust;
        p->torque_coef[i] *= ratio;
    }
#else
    for (int i = 0; i < 2 * ACTUATORS; i++) {
        p->rotor_thrust_coef[i] *= thrust;
        p->rotor_torque_coef[i] *= ratio;
    }
#endif
}

/* Motors at a voltage of `ratio` times that at which the parameters hold: the voltage takes the place of the throttle
 * u ratio [@rfly-model-api 7.1.1.1].  Without voltage they stop. */
LANE_INLINE void TYPED(scale_voltage)(multirotor_param *p, lane ratio)
{
    lane factor = ratio;
    p->motor_curve[0] = lane_select(ratio > 0, p->motor_curve[0], lane_of(0));
    for (int i = 1; i < 4; i++, factor *= ratio) p->motor_curve[i] *= factor;
}

/* Power of the reaction torques [W].  Leaves out: the inertia of the rotors, braking by the motors. */
LANE_INLINE lane TYPED(shaft_power)(const multirotor_state *s, const multirotor_plant *m)
{
    lane sum = lane_of(0);
    for (int i = 0; i < ACTUATORS; i++) {
#if EQUAL_ROTORS
        lane linear = m->p.torque_coef[0], quadratic = m->p.torque_coef[1];
#else
        lane linear = m->p.rotor_torque_coef[i], quadratic = m->p.rotor_torque_coef[ACTUATORS + i];
#endif
        lane torque = rotor_polynomial(linear, quadratic, s->rotor_speed[i]);
        sum += m->strength[i] * lane_max(lane_of(0), torque) * s->rotor_speed[i];
    }
    return sum;
}

LANE_INLINE void TYPED(extend)(multirotor_plant *m, const block *b)
{
    TYPED(load_motors)(&m->motors, b);
    m->weakened = strength_block(b) != NULL;
    strengths_of(b, ACTUATORS, m->strength);
    m->plane = ground_plane_below(b);
    m->external = loads_of(b);
    m->load = changed_mass_of(b, m->p.mass);
    m->air = rotor_air_of(b);
    m->below = earth_of(b);
    m->contact = contact_enabled(b) ? b : NULL;
    m->contact_reach = m->contact != NULL ? contact_reach(b) : lane_of(0);
    if (environment_enabled(b)) {
        lane ratio = environment_density_ratio(b);
        m->air.rotor_drag *= ratio;
        m->air.rotor_inflow *= ratio;
    }
}

LANE_INLINE void TYPED(prepare)(multirotor_plant *m, const multirotor_input *in, int full)
{
    const multirotor_param *p = &m->p;
    m->wind = in->wind;
    m->terrain = in->terrain;
    if (full != EXTENDED) m->plane = ground_plane_level();
    m->inverse_mass = 1 / p->mass;
    m->inverse_tau[0] = 1 / p->motor_tau[0];
    /* 1 or 0: the physical laws or RflySim's published ones, which leave the spin-up moment out and have the gyroscopic
     * moment with the opposite sign, -1. */
    lane physical = 1 - p->published_laws;
    m->gyroscopic = physical - p->published_laws;
    if (full) {
        m->inverse_tau[1] = 1 / p->motor_tau[1];
        m->inverse_inertia = sym3_inverse(p->inertia);
    } else {
        m->inverse_inertia.xx = 1 / p->inertia.xx;
        m->inverse_inertia.yy = 1 / p->inertia.yy;
        m->inverse_inertia.zz = 1 / p->inertia.zz;
    }
    lane linear[4] = {p->motor_curve[0], p->motor_curve[1], lane_of(0), lane_of(0)};
#if EQUAL_ROTORS
    m->spin_inertia = physical * p->rotor_inertia;
#endif
#pragma GCC unroll 4
    for (int i = 0; i < ACTUATORS; i++) {
        m->target_speed[i] = motor_steady_speed(full ? p->motor_curve : linear, p->motor_dead_zone,
                                                p->motor_max, in->throttle[i]);
#if !EQUAL_ROTORS
        m->spin_inertia[i] = physical * p->rotor_inertia[i];
        m->axis[i] = TYPED(rotor_vec3)(p->rotor_axis, i);
        m->lever[i] = cross(TYPED(rotor_vec3)(p->rotor_position, i), m->axis[i]);
#endif
    }
}

LANE_INLINE void TYPED(motors)(const lane *speed, const multirotor_plant *m, int full, lane *derivative)
{
#pragma GCC unroll 4
    for (int i = 0; i < ACTUATORS; i++) {
        derivative[i] = full ? motor_derivative_two_rates(speed[i], m->target_speed[i], m->inverse_tau)
                             : motor_derivative(speed[i], m->target_speed[i], m->inverse_tau[0]);
    }
    if (full == EXTENDED) TYPED(motors_derivative)(&m->motors, derivative);
}

#if EQUAL_ROTORS
/* RflySim's order: 1 front right, 2 rear left (both counter-clockwise), 3 front left, 4 rear right (clockwise).
 * Sums and differences of the rotors come first, coefficients and arms last. */
LANE_INLINE wrench TYPED(rotors)(const lane *speed, const lane *rotor_accel, vec3 rate,
                                 const multirotor_plant *m, int full)
{
    const multirotor_param *p = &m->p;
    lane squares[4], thrust[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        squares[i] = speed[i] * speed[i];
        thrust[i] = full ? rotor_polynomial(p->thrust_coef[0], p->thrust_coef[1], speed[i])
                         : p->thrust_coef[1] * squares[i];
    }
    lane clockwise = (speed[2] + speed[3]) - (speed[0] + speed[1]), acting = clockwise;
    if (full == EXTENDED && m->weakened) {
        const lane *left = m->strength;
        acting = (left[2] * speed[2] + left[3] * speed[3]) - (left[0] * speed[0] + left[1] * speed[1]);
        for (int i = 0; i < 4; i++) {
            thrust[i] *= left[i];
            squares[i] *= left[i];
        }
    }
    lane front = thrust[0] + thrust[2], rear = thrust[1] + thrust[3];
    lane left = thrust[1] + thrust[2], right = thrust[0] + thrust[3];
    lane torque = p->torque_coef[1] * ((squares[2] + squares[3]) - (squares[0] + squares[1]));
    if (full) torque += p->torque_coef[0] * acting;
    torque += m->spin_inertia * ((rotor_accel[2] + rotor_accel[3]) - (rotor_accel[0] + rotor_accel[1]));

    const real diagonal = (real)0.70710678118654752440; /* sin 45 degrees */
    lane arm = diagonal * p->arm_length;
    vec3 gyroscopic = rotor_gyroscopic_moment_down(rate, m->gyroscopic * p->rotor_inertia * clockwise);
    return (wrench){
        .force = vec3_of(lane_of(0), lane_of(0), -(front + rear)),
        .moment = vec3_of(arm * (left - right) + gyroscopic.x, arm * (front - rear) + gyroscopic.y, -torque)};
}
#else
LANE_INLINE wrench TYPED(rotors)(const lane *speed, const lane *rotor_accel, vec3 rate,
                                 const multirotor_plant *m, int full)
{
    const multirotor_param *p = &m->p;
    vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    wrench sum = {zero, zero};
    vec3 momentum = zero;
#pragma GCC unroll 4
    for (int i = 0; i < ACTUATORS; i++) {
        lane none = lane_of(0), w = speed[i];
        lane thrust =
            rotor_polynomial(full ? p->rotor_thrust_coef[i] : none, p->rotor_thrust_coef[ACTUATORS + i], w);
        lane torque =
            rotor_polynomial(full ? p->rotor_torque_coef[i] : none, p->rotor_torque_coef[ACTUATORS + i], w);
        if (full == EXTENDED && m->weakened) {
            thrust *= m->strength[i];
            torque *= m->strength[i];
        }
        lane reaction = p->rotor_direction[i] * (torque + m->spin_inertia[i] * rotor_accel[i]);
        sum.force = add(sum.force, scale(thrust, m->axis[i]));
        sum.moment = add(sum.moment, add(scale(thrust, m->lever[i]), scale(reaction, m->axis[i])));
        momentum = sub(momentum, scale(p->rotor_direction[i] * p->rotor_inertia[i] * w, m->axis[i]));
    }
    sum.moment = add(sum.moment, scale(m->gyroscopic, rotor_gyroscopic_moment(rate, momentum)));
    return sum;
}
#endif

/* Hub of rotor i, from the centre of mass [m, FRD]. */
LANE_INLINE vec3 TYPED(hub)(const multirotor_plant *m, int i)
{
#if EQUAL_ROTORS
    static const real north[4] = {1, -1, 1, -1}, east[4] = {1, -1, -1, 1}; /* times arm / sqrt 2 */
    lane arm = (real)0.70710678118654752440 * m->p.arm_length;
    return vec3_of(north[i] * arm, east[i] * arm, lane_of(0));
#else
    return TYPED(rotor_vec3)(m->p.rotor_position, i);
#endif
}

/* Forces of the rotors by air speed. */
LANE_INLINE wrench TYPED(rotor_air)(const lane *speed, vec3 airspeed, vec3 rate, const multirotor_plant *m)
{
    const vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    wrench sum = {zero, zero};
    for (int i = 0; i < ACTUATORS; i++) {
#if EQUAL_ROTORS
        vec3 axis = vec3_of(zero.x, zero.y, lane_of(-1));
#else
        vec3 axis = m->axis[i];
#endif
        lane drag = m->strength[i] * m->air.rotor_drag, inflow = m->strength[i] * m->air.rotor_inflow;
        sum =
            wrench_add(sum, rotor_air_wrench(drag, inflow, speed[i], axis, TYPED(hub)(m, i), airspeed, rate));
    }
    return sum;
}

/* Drag of the fuselage for a velocity relative to the air [m/s, FRD]. */
LANE_INLINE wrench TYPED(fuselage)(vec3 airspeed, vec3 rate, const multirotor_param *p, int full)
{
    if (!full) {
        return (wrench){drag_quadratic_only(p->drag_quadratic, airspeed),
                        drag_quadratic_only(p->damping_quadratic, rate)};
    }
    vec3 force = drag_law(p->drag_linear, p->drag_quadratic, airspeed);
    vec3 moment = drag_law(p->damping_linear, p->damping_quadratic, rate);
    return (wrench){force, add(moment, drag_offset_moment(force, p->drag_offset))};
}

/* Thrust of all rotors, as much of it as the air feels: with what air speed takes from it, less the drag along it. */
LANE_INLINE vec3 TYPED(rotor_force)(const multirotor_state *s, const multirotor_plant *m)
{
    lane steady[ACTUATORS];
    for (int i = 0; i < ACTUATORS; i++) steady[i] = lane_of(0);
    vec3 airspeed = to_body(rotation_from_quat(s->att), sub(s->vel, m->wind));
    vec3 thrust = TYPED(rotors)(s->rotor_speed, steady, s->rate, m, EXTENDED).force;
    vec3 force = add(thrust, TYPED(rotor_air)(s->rotor_speed, airspeed, s->rate, m).force);
    force = add(force, TYPED(fuselage)(airspeed, s->rate, &m->p, 1).force);
    lane square = norm2(thrust), share = dot(thrust, force) / lane_select(square > 0, square, lane_of(1));
    return scale(lane_max(share, lane_of(0)), thrust);
}

LANE_INLINE ground TYPED(ground)(const multirotor_plant *m)
{
    const multirotor_param *p = &m->p;
    lane grip = p->ground_grip * m->plane.grip;
    return (ground){p->ground_stiffness, p->ground_damping,       p->ground_hardening,
                    p->ground_preload,   p->ground_friction,      grip,
                    p->ground_leveling,  p->ground_level_damping, p->published_laws != 0};
}

#include "vehicles/body/ground_contact.h"
#include "vehicles/body/over_earth.h"
#include "vehicles/body/changed_mass.h"

LANE_INLINE void TYPED(derivative)(const multirotor_state *s, const multirotor_plant *m, int full,
                                   multirotor_state *d)
{
    const multirotor_param *p = &m->p;
    rotation r = rotation_from_quat(s->att);
    vec3 airspeed = to_body(r, sub(s->vel, m->wind));

    TYPED(motors)(s->rotor_speed, m, full, d->rotor_speed);
    wrench w = TYPED(rotors)(s->rotor_speed, d->rotor_speed, s->rate, m, full);
    w = wrench_add(w, TYPED(fuselage)(airspeed, s->rate, p, full));

    if (full == EXTENDED) {
        w = wrench_add(w, TYPED(rotor_air)(s->rotor_speed, airspeed, s->rate, m));
        if (m->contact != NULL) w = wrench_add(w, TYPED(points)(s, m));
    }

    d->pos = s->vel;
    d->att = quat_derivative(s->att, s->rate);
    d->ground[1] = d->ground_pull[0] = d->ground_pull[1] = lane_of(0);
    d->ground[0] = ground_plane_rate(&m->plane, s->vel);
    d->vel = rigid_body_acceleration(r, w.force, m->inverse_mass, p->gravity);
    if (full == EXTENDED) {
        d->vel = add(d->vel, scale(m->inverse_mass, m->external.external_force));
        w.moment = add(w.moment, m->external.external_torque);
    }
    if (full) {
        d->rate = rigid_body_angular_acceleration(p->inertia, m->inverse_inertia, s->rate, w.moment);
        if (full == EXTENDED && mask_any(m->below.curved)) TYPED(add_earth)(s, m, r, w.moment, d);
        if (full == EXTENDED) TYPED(change_mass)(s, m, r, d);
        mask touches = ground_touches(s->pos.z - s->ground[0]);
        if (full == EXTENDED && m->contact != NULL) touches &= contact_count_of(m->contact) == 0;
        if (mask_any(touches)) TYPED(add_contact)(s, m, r, touches, d);
    } else {
        vec3 inertia = vec3_of(p->inertia.xx, p->inertia.yy, p->inertia.zz);
        vec3 inverse = vec3_of(m->inverse_inertia.xx, m->inverse_inertia.yy, m->inverse_inertia.zz);
        d->rate = rigid_body_angular_acceleration_diagonal(inertia, inverse, s->rate, w.moment);
    }
}

LANE_INLINE void TYPED(normalize)(multirotor_state *s, const multirotor_plant *m, int full)
{
    s->att = quat_normalize(s->att);
    if (full) TYPED(slip)(s, m);
}

/* Before a step: the motors. */
LANE_INLINE void TYPED(begin_step)(const multirotor_state *s, multirotor_plant *m)
{
    TYPED(motors_begin)(&m->motors, s->rotor_speed, m->target_speed);
}

/* After a step of dt: the motors, and the anchors of the contact points. */
LANE_INLINE void TYPED(advance)(multirotor_state *s, const multirotor_plant *m, lane dt)
{
    TYPED(motors_end)(&m->motors, s->rotor_speed);
    TYPED(advance_points)(s, m, dt);
}

/* After the last step of a call. */
LANE_INLINE void TYPED(keep)(const multirotor_plant *m, const block *b, mask faulty)
{
    TYPED(motors_keep)(&m->motors, b, faulty);
}

LANE_INLINE mask TYPED(check_envelope)(const multirotor_state *s)
{
    const real over = (real)RF_MAX_ROTOR_SPEED;
    lane speeds = lane_of(0);
#pragma GCC unroll 4
    for (int i = 0; i < ACTUATORS; i++) speeds += s->rotor_speed[i] * s->rotor_speed[i];
    lane contact = s->ground_pull[0] * s->ground_pull[0] + s->ground_pull[1] * s->ground_pull[1] +
                   s->ground[0] * s->ground[0];
    mask bits = body_check_envelope(body_of(s)) | body_not_finite(speeds + contact);
    return bits | words_of(speeds > over * over, RF_VEHICLE_OVERSPEED);
}

/* Rotor speeds in 1/min. */
LANE_INLINE void TYPED(show)(const multirotor_state *s, lane *displayed)
{
    for (int i = 0; i < 8; i++) {
        displayed[i] = i < ACTUATORS ? RPM_OF_RAD_PER_S * s->rotor_speed[i] : lane_of(0);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Model of an aeroplane [@rfly-model-api 7.2]: rigid body, aerodynamics by coefficients (models/wing.h), one propeller
 * (models/propeller.h) on a motor, four servos (models/servo.h), wheels and skids (models/landing_gear.h).  The air
 * gives the wing no energy (models/still_air.h).
 *
 *     deflections   (da, de, dr, df) = A s               s: of the servos; elevons and V-tails are matrices A
 *     propeller     F = T e_x,  M = r x F - d (Q + J w') e_x - rate x h,   h = d J w e_x
 *     its speed     J w' = Q_m - Q                       a motor with a resistance (models/electric_motor.h)
 *                   w' = (w_0 + u (w_1 - w_0) - w) / T   without: a controller holds the speed of the throttle u,
 *                        where that slows down more than the air alone, -Q / J, by the share b of the difference
 *     launch        by a catapult or a hand that carries the aircraft (models/launch.h)
 *
 * d = +1: clockwise seen from behind.  NED, FRD, SI; commands are limited to -1..1 and 0..1.  The position is that of the
 * centre of mass; that of a standing aircraft is at the height of the ground, gear_height above the wheels.
 * Leaves out: the slipstream over the tail, side force of the propeller, fuel, flexible wings. */

#include "models/electric_motor.h"
#include "models/landing_gear.h"
#include "models/launch.h"
#include "models/propeller.h"
#include "models/servo.h"
#include "models/still_air.h"
#include "models/wing.h"
#include "parts/earth/held.h"
#include "parts/payload/held.h"
#include "parts/ground_plane/held.h"
#include "parts/loads/held.h"
#include "parts/strength/held.h"

/* Constants of a call. */
typedef struct plane_plant {
    plane_param p;
    vec3 wind;
    lane terrain;
    lane inverse_mass;
    sym3 inverse_inertia;
    lane servo_target[PLANE_SERVOS];
    servo servo;
    wing wing;
    propeller propeller;
    electric_motor motor;
    lane voltage;                   /* V */
    lane target_speed, inverse_lag; /* rad/s, 1/s */
    lane inverse_propeller_inertia;
    mask electric, launched;
    lane launch;     /* m/s^2 */
    lane gear_reach; /* m */
    ground_plane plane;
    loads external;
    mass_change load;
    earth_below below;
    const block *weakened; /* the block with strengths, or NULL */
} plane_plant;

LANE_INLINE void plane_scale_air(plane_param *p, lane ratio, lane near_ground)
{
    (void)near_ground; /* of rotors that carry */
    p->reference_density *= ratio;
}

LANE_INLINE void plane_scale_voltage(plane_param *p, lane ratio)
{
    p->motor_voltage *= ratio;
    p->motor_speed_range[1] =
        p->motor_speed_range[0] + ratio * (p->motor_speed_range[1] - p->motor_speed_range[0]);
}

LANE_INLINE void plane_extend(plane_plant *m, const block *b)
{
    m->plane = ground_plane_below(b);
    m->external = loads_of(b);
    m->load = changed_mass_of(b, m->p.mass);
    m->below = earth_of(b);
    m->weakened = strength_block(b);
}

/* Of a servo the effect of its deflection, of the motor thrust and torque of the propeller. */
LANE_INLINE void plane_weaken(plane_plant *m)
{
    lane left[ACTUATORS];
    strengths_of(m->weakened, ACTUATORS, left);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < PLANE_SERVOS; i++) m->p.surface_mix[PLANE_SERVOS * k + i] *= left[i];
    }
    propeller_weaken(&m->propeller, left[PLANE_SERVOS]);
}

LANE_INLINE void plane_prepare_motor(plane_plant *m, lane throttle)
{
    const plane_param *p = &m->p;
    lane u = lane_max(lane_of(0), lane_min(lane_of(1), throttle)); /* keeps NaN */
    m->electric = p->motor_resistance > 0;
    lane resistance = lane_select(m->electric, p->motor_resistance, lane_of(1));
    m->motor = (electric_motor){p->motor_constant, 1 / resistance, p->motor_no_load_current, p->motor_brake};
    m->voltage = u * p->motor_voltage;
    m->target_speed = p->motor_speed_range[0] + u * (p->motor_speed_range[1] - p->motor_speed_range[0]);
    m->inverse_lag = 1 / p->motor_lag;
    m->inverse_propeller_inertia = 1 / p->propeller_inertia;
    const propeller_numbers numbers = {.thrust = &p->propeller_thrust.x,
                                       .torque = &p->propeller_torque.x,
                                       .diameter = p->propeller_diameter,
                                       .limit = p->propeller_advance_limit,
                                       .drag_area = p->propeller_drag_area,
                                       .loss = p->propeller_loss};
    m->propeller = propeller_of(&numbers, p->reference_density);
}

LANE_INLINE void plane_prepare(plane_plant *m, const plane_input *in, int full)
{
    const plane_param *p = &m->p;
    m->wind = in->wind;
    m->terrain = in->terrain;
    if (full != EXTENDED) m->plane = ground_plane_level();
    m->inverse_mass = 1 / p->mass;
    m->inverse_inertia = sym3_inverse(p->inertia);
    m->servo = (servo){1 / p->servo_tau, p->servo_rate, p->servo_dead_zone};
    for (int i = 0; i < PLANE_SERVOS; i++) {
        m->servo_target[i] = servo_target(in->surface_command[i], p->surface_centre[i], p->surface_travel[i],
                                          p->surface_travel[PLANE_SERVOS + i]);
    }
    m->wing = (wing){.lift = p->lift_coef,
                     .drag = p->drag_coef,
                     .pitch = p->pitch_coef,
                     .side = p->side_coef,
                     .roll = p->roll_coef,
                     .yaw = p->yaw_coef,
                     .area = p->wing_area,
                     .span = p->wing_span,
                     .chord = p->wing_chord,
                     .induced = p->induced_drag,
                     .stall_angle = p->stall_angle,
                     .sharpness = p->stall_sharpness,
                     .other_stall = wing_other_stall(p->stall_angle, p->stall_sharpness),
                     .stalled_pitch = p->stalled_pitch,
                     .density = p->reference_density};
    plane_prepare_motor(m, in->propeller_throttle);
    m->launch = in->launch_accel;
    m->launched = m->launch > 0;
    m->gear_reach = gear_reach(p->gear_position) + p->gear_height;
    if (full == EXTENDED && m->weakened != NULL) plane_weaken(m);
}

LANE_INLINE wing_surfaces plane_surfaces(const plane_state *s, const plane_plant *m)
{
    lane sum[4];
    for (int k = 0; k < 4; k++) {
        sum[k] = lane_of(0);
        for (int i = 0; i < PLANE_SERVOS; i++) {
            sum[k] += m->p.surface_mix[PLANE_SERVOS * k + i] * s->surface_angle[i];
        }
    }
    return (wing_surfaces){sum[0], sum[1], sum[2], sum[3]};
}

/* Derivative of the propeller's speed against its torque [N m]. */
LANE_INLINE lane plane_propeller_accel(lane speed, lane torque, const plane_plant *m)
{
    lane driving = lane_select(m->electric, electric_motor_torque(&m->motor, m->voltage, speed), lane_of(0));
    lane turns = (driving - torque) * m->inverse_propeller_inertia;
    lane held = (m->target_speed - speed) * m->inverse_lag;
    held += (1 - m->motor.brake) * lane_max(lane_of(0), turns - held);
    return lane_select(m->electric, turns, held);
}

/* The products with the zeros of F = T e_x and h e_x are left out: a compiler keeps them. */
LANE_INLINE wrench plane_propulsion(const plane_state *s, lane advance, const plane_plant *m, lane *accel)
{
    const plane_param *p = &m->p;
    lane thrust = propeller_thrust(&m->propeller, s->propeller_speed, advance);
    lane torque = propeller_torque(&m->propeller, s->propeller_speed, advance);
    *accel = plane_propeller_accel(s->propeller_speed, torque, m);
    lane turning = p->propeller_direction * p->propeller_inertia, momentum = turning * s->propeller_speed;
    return (wrench){.force = vec3_of(thrust, lane_of(0), lane_of(0)),
                    .moment = vec3_of(-(p->propeller_direction * torque + turning * *accel),
                                      p->propeller_position.z * thrust - momentum * s->rate.z,
                                      momentum * s->rate.y - p->propeller_position.y * thrust)};
}

/* Where wheels or skids may reach the ground, whose slope is at most 75 degrees. */
LANE_INLINE mask plane_near_ground(const plane_state *s, const plane_plant *m)
{
    return mask_not(s->pos.z - s->ground[0] < -4 * m->gear_reach);
}

/* Not inlined: it is long, and needed near the ground alone. */
static __attribute__((noinline)) wrench plane_gear(const plane_state *s, const plane_plant *m, lane rudder)
{
    const plane_param *p = &m->p;
    gear_body above = {.height = s->pos.z - s->ground[0] - p->gear_height,
                       .vel = s->vel,
                       .rate = s->rate,
                       .r = rotation_from_quat(s->att)};
    lane_sincos(-(p->gear_steering * rudder), &above.steering[1], &above.steering[0]);
    const contact_law contact = {p->gear_stiffness, p->gear_damping, p->gear_grip * m->plane.grip,
                                 lane_of(CONTACT_DEEPEST)};
    const gear_law law = {contact, p->gear_rolling};
    return gear_wrench(p->gear_position, &law, &above, &m->plane);
}

#include "vehicles/body/above_ground.h"
#include "vehicles/body/over_earth.h"
#include "vehicles/body/changed_mass.h"

LANE_INLINE void plane_derivative(const plane_state *s, const plane_plant *m, int full, plane_state *d)
{
    const plane_param *p = &m->p;
    rotation r = rotation_from_quat(s->att);
    vec3 through = to_body(r, sub(s->vel, m->wind));
    airflow flow = airflow_of(through);
    wing_surfaces deflected = plane_surfaces(s, m);
    wrench w = wing_wrench(&m->wing, &flow, s->rate, &deflected);
    w = still_air_limited(w, p->mass, p->inertia, through, s->rate);
    w = wrench_add(w, plane_propulsion(s, propeller_advance(flow.speed, through.x), m, &d->propeller_speed));

    mask near = plane_near_ground(s, m);
    if (mask_any(near)) {
        const vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0));
        wrench ground = plane_gear(s, m, deflected.rudder);
        w.force = add(w.force, vec3_select(near, ground.force, zero));
        w.moment = add(w.moment, vec3_select(near, ground.moment, zero));
    }

    for (int i = 0; i < PLANE_SERVOS; i++) {
        d->surface_angle[i] = servo_derivative(&m->servo, s->surface_angle[i], m->servo_target[i]);
    }
    d->pos = s->vel;
    d->att = quat_derivative(s->att, s->rate);
    d->ground[0] = ground_plane_rate(&m->plane, s->vel);
    d->ground[1] = lane_of(0);
    d->vel = rigid_body_acceleration(r, w.force, m->inverse_mass, p->gravity);
    if (full == EXTENDED) {
        d->vel = add(d->vel, scale(m->inverse_mass, m->external.external_force));
        w.moment = add(w.moment, m->external.external_torque);
    }
    d->rate = rigid_body_angular_acceleration(p->inertia, m->inverse_inertia, s->rate, w.moment);
    if (full == EXTENDED && mask_any(m->below.curved)) plane_add_earth(s, m, r, w.moment, d);
    if (full == EXTENDED) plane_change_mass(s, m, r, d);
    if (mask_any(m->launched)) launch_carry(m->launch, r, s->rate, &d->vel, &d->rate);
}

LANE_INLINE mask plane_check_envelope(const plane_state *s)
{
    const real over = (real)RF_MAX_ROTOR_SPEED;
    lane squares = s->propeller_speed * s->propeller_speed + s->ground[0] * s->ground[0];
    for (int i = 0; i < PLANE_SERVOS; i++) squares += s->surface_angle[i] * s->surface_angle[i];
    mask bits = body_check_envelope(body_of(s)) | body_not_finite(squares);
    return bits | words_of(s->propeller_speed * s->propeller_speed > over * over, RF_VEHICLE_OVERSPEED);
}

/* Power of the propeller [W]. */
LANE_INLINE lane plane_shaft_power(const plane_state *s, const plane_plant *m)
{
    vec3 through = to_body(rotation_from_quat(s->att), sub(s->vel, m->wind));
    lane advance = propeller_advance(lane_sqrt(norm2(through)), through.x);
    lane torque = propeller_torque(&m->propeller, s->propeller_speed, advance);
    return lane_max(lane_of(0), torque) * s->propeller_speed;
}

/* The propeller's speed [1/min] first, then the deflections [rad]. */
LANE_INLINE void plane_show(const plane_state *s, lane *displayed)
{
    for (int i = 0; i < 8; i++) displayed[i] = lane_of(0);
    displayed[0] = RPM_OF_RAD_PER_S * s->propeller_speed;
    for (int i = 0; i < PLANE_SERVOS; i++) displayed[1 + i] = s->surface_angle[i];
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The controllers of a multirotor: position, velocity, attitude and rate loops, each with its own period, and the
 * allocation ([@rfly-model-api 9.2.1.3]; equations in control/).  A template; vehicles/control.h
 * lists its functions.
 *
 *     control_velocity   set-points               -> thrust_direction, heading, heading_rate, thrust
 *     control_attitude   those or att_sp          -> rate_command; thrust under direct thrust control
 *     control_rate       rate_command, thrust     -> throttle
 *
 * A loop reads the outputs of the slower loop from the controller columns, so each can be due without the others. */

#include "control/allocation.h"
#include "control/rate.h"
#include "models/drag.h"
#include "models/motor.h"
#include "models/rotor.h"

#define multirotor_gain       TYPED(gain)
#define multirotor_setpoint   TYPED(setpoint)
#define multirotor_controller TYPED(controller)

#include "vehicles/hovering/control.h"

LANE_INLINE mask TYPED(ready_to_lift_off)(const TYPED(state) * s, const multirotor_gain *g)
{
    (void)s;
    (void)g;
    return mask_true();
}

#include "vehicles/hovering/stage.h"

/* Moment of the observed drag about the centre of mass [N m, FRD]: models/drag.h, of all disturbances.  That of a wrong
 * mass is along the thrust and has no moment. */
LANE_INLINE void TYPED(drag_moment)(rotation r, const multirotor_gain *g, multirotor_controller *c)
{
    vec3 moment =
        drag_offset_moment(scale(g->control_mass, to_body(r, c->disturbance)), g->control_drag_offset);
    c->drag_moment[0] = moment.x;
    c->drag_moment[1] = moment.y;
}

/* Thrust of rotor i per speed (power 0) or its square (power 1), as the controllers assume. */
LANE_INLINE lane TYPED(known_thrust_coef)(const multirotor_gain *g, int i, int power)
{
#if EQUAL_ROTORS
    (void)i;
    return g->control_thrust_coef[power];
#else
    return g->control_rotor_thrust_coef[power * ACTUATORS + i];
#endif
}

/* Minimum and maximum thrust of each rotor while armed. */
LANE_INLINE void TYPED(thrust_range)(const multirotor_gain *g, lane *minimum, lane *maximum)
{
    lane slow = lane_max(motor_curve_speed(g->control_motor_curve, g->control_motor_dead_zone), lane_of(0));
    lane fast = lane_max(motor_curve_speed(g->control_motor_curve, g->control_motor_max), lane_of(0));
#pragma GCC unroll 16
    for (int i = 0; i < ACTUATORS; i++) {
        lane k1 = TYPED(known_thrust_coef)(g, i, 0), k2 = TYPED(known_thrust_coef)(g, i, 1);
        maximum[i] = rotor_polynomial(k1, k2, fast);
        minimum[i] = lane_max(rotor_polynomial(k1, k2, slow), (real)RF_IDLE_THRUST * maximum[i]);
    }
}

/* Rate loop and allocation. */
LANE_INLINE void TYPED(rate_update)(const multirotor_state *s, const multirotor_gain *g, mask armed, real dt,
                                    multirotor_controller *c, lane *throttle)
{
    const vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    lane minimum[ACTUATORS], maximum[ACTUATORS], thrust[ACTUATORS];
    vec3 error = sub(c->rate_command, s->rate);
    vec3 moment = rate_loop(error, sub(s->rate, c->rate_before), c->rate_integral, g->rate_p, g->rate_d,
                            lane_of(1 / dt));
    moment = sub(moment, vec3_of(c->drag_moment[0], c->drag_moment[1], lane_of(0)));
    TYPED(thrust_range)(g, minimum, maximum);
    allocation_result result = allocate(g->mixer, ACTUATORS, c->thrust, moment, minimum, maximum, thrust);

    vec3 integral = rate_integral(c->rate_integral, error, g->rate_i, g->rate_p, lane_of(dt),
                                  result.tilt_allocated, result.yaw_allocated);
    c->rate_integral = vec3_select(armed, integral, zero);
    c->rate_before = s->rate;

#pragma GCC unroll 16
    for (int i = 0; i < ACTUATORS; i++) {
        lane k1 = TYPED(known_thrust_coef)(g, i, 0), k2 = TYPED(known_thrust_coef)(g, i, 1);
        throttle[i] = rotor_speed_of_thrust(k1, k2, thrust[i]);
    }
    motor_throttle_of_speed(g->control_motor_curve, g->control_motor_dead_zone, g->control_motor_max,
                            throttle, ACTUATORS);
#pragma GCC unroll 16
    for (int i = 0; i < ACTUATORS; i++) {
        throttle[i] = lane_select(armed & (maximum[i] > 0), throttle[i], lane_of(0));
    }
}

LANE_INLINE void TYPED(control_attitude)(const block *b)
{
    mask armed = words_load(block_flag(b, RF_FLAG_ARMED)) != 0;
    mask bits = words_load(block_flag(b, RF_FLAG_SETPOINT_MASK));
    multirotor_state s;
    multirotor_gain g;
    multirotor_setpoint sp;
    multirotor_controller c;
    TYPED(load_known_state)(&s, b);
    TYPED(load_gain)(&g, b);
    TYPED(load_setpoint)(&sp, b);
    TYPED(load_controller)(&c, b);
    TYPED(attitude_update)(&s, &g, &sp, armed, bits, &c);
    c.rate_command = estimator_measurable(b, c.rate_command);
    TYPED(drag_moment)(rotation_from_quat(s.att), &g, &c);
    TYPED(store_controller_rows)(&c, CONTROLLER_ROW_OF(thrust), CONTROLLER_ROW_OF(rate_integral), b);
}

LANE_INLINE void TYPED(control_rate)(const block *b)
{
    mask armed = words_load(block_flag(b, RF_FLAG_ARMED)) != 0;
    multirotor_state s;
    multirotor_gain g;
    multirotor_controller c;
    lane throttle[ACTUATORS];
    TYPED(load_known_state)(&s, b);
    TYPED(load_gain)(&g, b);
    TYPED(load_controller)(&c, b);
    TYPED(rate_update)(&s, &g, armed, b->period, &c, throttle);
    TYPED(store_controller_rows)(&c, CONTROLLER_ROW_OF(rate_integral), ROWS_OF(multirotor_controller), b);
    TYPED(store_actuators)(throttle, armed, b);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Second-order motors of a multirotor, where the part `motors` has them; a template, included by model.h.
 *
 * A step takes speed and acceleration to the exact response to a constant throttle (models/motor.h).  During the step
 * the speed is linear in time, with the mean acceleration: so every integrator ends at the same speed, the angular
 * momentum of the rotors is balanced exactly, and forces have errors of second order in the step. */

#include "parts/motors/held.h"

_Static_assert(ACTUATORS <= MOTORS, "the part has columns for fewer rotors");

typedef struct multirotor_motors {
    int enabled;
    mask chosen; /* vehicles with such motors */
    second_order response;
    lane inverse_dt;
    lane accel[ACTUATORS];  /* rad/s^2: in a step the mean one, else the present one */
    lane end[ACTUATORS][2]; /* speed and acceleration at the end of the step */
} multirotor_motors;

/* While the part is disabled only what later code may read is set. */
LANE_INLINE void TYPED(load_motors)(multirotor_motors *m, const block *b)
{
    m->enabled = motors_enabled(b);
    m->chosen = words_of(mask_true(), 0);
    for (int i = 0; i < ACTUATORS; i++) m->accel[i] = m->end[i][0] = m->end[i][1] = lane_of(0);
    if (!m->enabled) return;
    m->chosen = motors_of_second_order(b);
    m->response = motors_response(b);
    m->inverse_dt = lane_of(1 / b->dt);
    rows_load(m->accel, ACTUATORS, MOTORS_COLUMN(b, rotor_accel), b->stride);
    for (int i = 0; i < ACTUATORS; i++) m->end[i][1] = m->accel[i];
}

/* Before a step from `speed`: where it ends. */
LANE_INLINE void TYPED(motors_begin)(multirotor_motors *m, const lane *speed, const lane *target)
{
    for (int i = 0; i < ACTUATORS && m->enabled; i++) {
        m->end[i][0] = speed[i];
        motor_step(&m->response, m->end[i], target[i]);
        m->accel[i] = (m->end[i][0] - speed[i]) * m->inverse_dt;
    }
}

/* Without a branch, which costs more. */
LANE_INLINE void TYPED(motors_derivative)(const multirotor_motors *m, lane *derivative)
{
#pragma GCC unroll 4
    for (int i = 0; i < ACTUATORS; i++) {
        derivative[i] = lane_select(m->chosen, m->accel[i], derivative[i]);
    }
}

/* After a step: the integrated speed, but for its rounding. */
LANE_INLINE void TYPED(motors_end)(const multirotor_motors *m, lane *speed)
{
    for (int i = 0; i < ACTUATORS && m->enabled; i++) {
        speed[i] = lane_select(m->chosen, m->end[i][0], speed[i]);
    }
}

/* After the last step of a call: stores the accelerations.  A faulty vehicle keeps its own, as its state. */
LANE_INLINE void TYPED(motors_keep)(const multirotor_motors *m, const block *b, mask faulty)
{
    for (int i = 0; i < ACTUATORS && m->enabled; i++) {
        real *column = MOTORS_COLUMN(b, rotor_accel) + (size_t)i * b->stride;
        lane_store(column, lane_select(m->chosen & mask_not(faulty), m->end[i][1], lane_load(column)));
    }
}

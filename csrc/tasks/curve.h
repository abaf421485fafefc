/* SPDX-License-Identifier: BSD-3-Clause */
/* A closed curve that a goal moves along: a sum of harmonics, of which all derivatives are continuous.
 *
 *     p(t) = middle + sum_k a_k sin(k u) + b_k cos(k u),     u = phase + rate t,   k = 1, 2, 3
 *
 * A figure of eight is a_1 along one axis and a_2 along another.  Random curves add coefficients that are uniform within
 * +-range / k^2, so that the accelerations of all harmonics are alike. */
#ifndef RF_TASKS_CURVE_H
#define RF_TASKS_CURVE_H

#include "math/trig.h"
#include "tasks/flight.h"
#include "tasks/start.h"

/* Position and velocity at a phase. */
LANE_INLINE void curve_at(const task_columns *t, lane u, vec3 *pos, vec3 *vel)
{
    lane s[TASK_HARMONICS], c[TASK_HARMONICS], p[3], v[3];
    lane_sincos(u, &s[0], &c[0]);
    for (int k = 1; k < TASK_HARMONICS; k++) { /* sine and cosine of a sum */
        s[k] = s[k - 1] * c[0] + c[k - 1] * s[0];
        c[k] = c[k - 1] * c[0] - s[k - 1] * s[0];
    }
    for (int axis = 0; axis < 3; axis++) {
        const lane *a = t->task_path + 2 * TASK_HARMONICS * axis;
        p[axis] = v[axis] = lane_of(0);
        for (int k = 0; k < TASK_HARMONICS; k++) {
            p[axis] += a[2 * k] * s[k] + a[2 * k + 1] * c[k];
            v[axis] += (real)(k + 1) * (a[2 * k] * c[k] - a[2 * k + 1] * s[k]);
        }
    }
    *pos = add(t->task_middle, vec3_of(p[0], p[1], p[2]));
    *vel = scale(t->task_phase[1], vec3_of(v[0], v[1], v[2]));
}

/* The phase a number of steps after the start. */
LANE_INLINE lane curve_phase(const task_view *v, lane steps)
{
    return v->t.task_phase[0] + v->t.task_phase[1] * (real)v->scene->period * steps;
}

/* Draws the curve of an episode about the goal of the start, and moves the goal to its beginning. */
LANE_INLINE void curve_begin(task_view *v, mask which)
{
    task_columns *t = &v->t;
    const lane range[3] = {t->task_curve_range.x, t->task_curve_range.y, t->task_curve_range.z};
    random_block random;
    for (int i = 0; i < 6 * TASK_HARMONICS; i++) {
        const int axis = i / (2 * TASK_HARMONICS), k = i / 2 % TASK_HARMONICS + 1;
        if (i % 4 == 0) task_random(&random, v->b, TASK_STREAM_CURVE + (uint32_t)i / 4);
        lane uniform = 2 * task_uniform(&random, i % 4) - 1;
        t->task_path[i] = t->task_curve[i] + range[axis] / (real)(k * k) * uniform;
    }
    task_random(&random, v->b, TASK_STREAM_CURVE + 5);
    const lane *period = t->task_curve_period;
    t->task_phase[0] = (2 * TRIG_PI) * task_uniform(&random, 0);
    t->task_phase[1] = (2 * TRIG_PI) / (period[0] + (period[1] - period[0]) * task_uniform(&random, 1));
    t->task_middle = t->task_goal;
    curve_at(t, t->task_phase[0], &t->task_goal, &t->task_goal_vel);
    TASK_STORE_WHERE(v, which, task_middle);
    TASK_STORE_WHERE(v, which, task_path);
    TASK_STORE_WHERE(v, which, task_phase);
    TASK_STORE_WHERE(v, which, task_goal_vel);
}

/* Moves the goal to where it is after the step. */
LANE_INLINE void curve_advance(task_view *v)
{
    lane steps = lane_of_words(words_load(TASK_WORD(v->b, task_steps)) + 1);
    curve_at(&v->t, curve_phase(v, steps), &v->t.task_goal, &v->t.task_goal_vel);
    TASK_STORE(v, task_goal);
    TASK_STORE(v, task_goal_vel);
}

#endif

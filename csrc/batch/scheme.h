/* SPDX-License-Identifier: BSD-3-Clause */
/* The integrators as numbers, so that one copy of a model serves all of them:
 *
 *     k_i  = f(x_i),   x_0 = x,   x_(i+1) = x + node_i k_i          i = 0 .. stages - 1
 *     x'   = x + sum of weight_i k_i
 *
 * RK4 is the classical Runge-Kutta method of fourth order, the ODE4 of RflySim.  Euler has one stage; the step then
 * computes position and attitude again with the new velocities (vehicles/body/body.h). */
#ifndef RF_BATCH_SCHEME_H
#define RF_BATCH_SCHEME_H

#include "batch/kernel.h"
#include "parts/task/held.h"

typedef struct scheme {
    int stages;
    real node[3], weight[4]; /* s */
} scheme;

LANE_INLINE scheme scheme_of(int integrator, real dt)
{
    if (integrator == RF_INTEGRATOR_EULER) return (scheme){.stages = 1, .weight = {dt}};
    return (scheme){4, {dt / 2, dt / 2, dt}, {dt / 6, dt / 3, dt / 3, dt / 6}};
}

/* Numbers of the first step of a block's vehicles: ticks, or steps of the episode, which is the same at any tick. */
LANE_INLINE packed first_step(const rf_kernel_args *args, const block *b)
{
    const packed zero = {0};
    if (args->substeps == 0) return zero + (uint32_t)args->tick;
    return packed_load(TASK_WORD(b, task_steps)) * args->substeps + (uint32_t)(args->tick - args->since);
}

#endif

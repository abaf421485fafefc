/* SPDX-License-Identifier: BSD-3-Clause */
/* What faults do to the air. */
#ifndef RF_PARTS_FAULTS_EFFECTS_OF_AIR_H
#define RF_PARTS_FAULTS_EFFECTS_OF_AIR_H

#include "parts/faults/effect.h"

static void fault_free_air(const block *b, mask due)
{
    fault_set_rows(b, due, FAULTS_COLUMN(b, fault_wind), 3, 0);
    fault_set_rows(b, due, FAULTS_COLUMN(b, sheared_wind), 3, 0);
    fault_set_rows(b, due, FAULTS_COLUMN(b, turbulent_wind), 3, 0);
    fault_set_rows(b, due, FAULTS_COLUMN(b, wind_deviation), 1, 0);
    fault_set_rows(b, due, FAULTS_COLUMN(b, wind_time), 1, 0);
}

#define CANCELLED                                                                                            \
    ((real)1e-6) /* square of a sum of winds over the sum of their squares, that rounding leaves */

/* A share of the amplitude of waves: at a share x of their period (4 x (1 - x))^2. */
static real fault_wave(const fault *f)
{
    const real x = fault_phase(f->elapsed, f->value[3]), wave = 4 * x * (1 - x);
    return wave * wave;
}

/* Adds a share of the wind of a fault. */
static void fault_that_blows(const faulty *v, real *wind, const fault *f, real share)
{
    for (int axis = 0; axis < 3; axis++) wind[(size_t)axis * v->b->stride] += share * f->value[axis];
}

/* Adds noise: variances add up, and so do their products with the times, which the correlation of the sum has as its
 * integral over the lag. */
static void fault_that_shakes(const faulty *v, real added, real time)
{
    real *deviation = FAULTY_ROW(v, wind_deviation, 0), *mean = FAULTY_ROW(v, wind_time, 0);
    const real before = *deviation * *deviation, more = added * added, sum = before + more;
    if (!(sum > 0)) return;
    *mean = (before * *mean + more * time) / sum;
    *deviation = fault_root(sum);
}

/* Of several turbulences the variances add up, which are in proportion to the squares of their winds.  The direction is that
 * of the sum of the winds, north where they cancel. */
static void fault_settle_turbulence(const faulty *v, const fault *all, uint32_t acting)
{
    real sum[3] = {0, 0, 0}, squares = 0, square = 0;
    for (; acting != 0; acting &= acting - 1) {
        const fault *f = &all[__builtin_ctz(acting)];
        if (f->kind != FAULT_TURBULENCE) continue;
        for (int axis = 0; axis < 3; axis++) {
            const real wind = f->share * f->value[axis];
            sum[axis] += wind;
            squares += wind * wind;
        }
    }
    for (int axis = 0; axis < 3; axis++) square += sum[axis] * sum[axis];
    const int cancels = !(square > CANCELLED * squares);
    const real factor = cancels ? 0 : fault_root(squares / square);
    for (int axis = 0; axis < 3; axis++) *FAULTY_ROW(v, turbulent_wind, axis) = factor * sum[axis];
    if (cancels) *FAULTY_ROW(v, turbulent_wind, 0) = fault_root(squares);
}

/* Winds add up. */
static void fault_of_air(const faulty *v, const fault *f, int item)
{
    (void)item;
    switch (f->kind) {
    case FAULT_WIND:
        fault_that_blows(v, FAULTY_ROW(v, fault_wind, 0), f, f->share);
        break;
    case FAULT_GUSTS:
        fault_that_blows(v, FAULTY_ROW(v, fault_wind, 0), f, f->share * fault_wave(f));
        break;
    case FAULT_SHEAR:
        fault_that_blows(v, FAULTY_ROW(v, sheared_wind, 0), f, f->share);
        break;
    case FAULT_WIND_NOISE:
        fault_that_shakes(v, f->share * f->value[0], f->value[1]);
        break;
    default:
        break;
    }
}

/* After all of them: noise lasts from one change to the next, but not longer than its faults. */
LANE_INLINE void fault_settle_air(const block *b)
{
    const mask calm = mask_not(lane_load(FAULTS_COLUMN(b, wind_deviation)) > 0);
    fault_set_rows(b, calm, FAULTS_COLUMN(b, wind_noise), 3, 0);
}

#endif

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

#define WAVES ((real)1e6) /* maximum number of them: a number of waves beyond it has no fraction in float32 */

/* A share of the amplitude of waves: at a share x of their period (4 x (1 - x))^2. */
static real fault_wave(const fault *f)
{
    const real waves = f->elapsed / f->value[3]; /* not finite without a period */
    const real x = waves < WAVES ? waves - (real)(uint32_t)waves : 0, wave = 4 * x * (1 - x);
    return wave * wave;
}

/* Adds a share of the wind of a fault. */
static void fault_that_blows(const faulty *v, real *wind, const fault *f, real share)
{
    for (int axis = 0; axis < 3; axis++) wind[(size_t)axis * v->b->stride] += share * f->value[axis];
}

/* Winds add up.  Of several noises the variances do, and the longest time holds. */
static void fault_of_air(const faulty *v, const fault *f, int item)
{
    (void)item;
    real *deviation = FAULTY_ROW(v, wind_deviation, 0), *time = FAULTY_ROW(v, wind_time, 0);
    const real added = f->share * f->value[0];
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
    case FAULT_TURBULENCE:
        fault_that_blows(v, FAULTY_ROW(v, turbulent_wind, 0), f, f->share);
        break;
    case FAULT_WIND_NOISE:
        *deviation = fault_root(*deviation * *deviation + added * added);
        if (f->value[1] > *time) *time = f->value[1];
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

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
LANE_INLINE lane fault_wave(const fault *f)
{
    const lane x = fault_phase(f->elapsed, f->value[3]), wave = 4 * x * (1 - x);
    return wave * wave;
}

/* Adds noise: variances add up, and so do their products with the times, which the correlation of the sum has as its
 * integral over the lag. */
static void fault_that_shakes(const block *b, mask where, lane added, lane time)
{
    real *deviation = FAULTS_COLUMN(b, wind_deviation), *mean = FAULTS_COLUMN(b, wind_time);
    const lane own = lane_load(deviation), before = own * own, more = added * added, sum = before + more;
    where = where & (sum > 0);
    fault_set(mean, where, (before * lane_load(mean) + more * time) / sum);
    fault_set(deviation, where, lane_sqrt(sum));
}

/* Turbulence: the sum of its winds, and that of their squares. */
typedef struct fault_turbulence {
    vec3 sum;
    lane squares;
} fault_turbulence;

static void fault_that_stirs(fault_turbulence *t, const fault *f, mask where)
{
    const lane share = lane_select(where, f->share, lane_of(0));
    const vec3 wind = scale(share, vec3_of(f->value[0], f->value[1], f->value[2]));
    t->sum = add(t->sum, wind);
    t->squares += norm2(wind);
}

/* Of several turbulences the variances add up, which are in proportion to the squares of their winds.  The direction is that
 * of the sum of the winds, north where they cancel. */
static void fault_settle_turbulence(const block *b, const fault_turbulence *t)
{
    const mask where = t->squares > 0;
    if (!mask_any(where)) return;
    const lane square = norm2(t->sum), none = lane_of(0);
    const mask cancel = mask_not(square > CANCELLED * t->squares);
    const lane factor = lane_sqrt(t->squares / lane_select(cancel, lane_of(1), square));
    const vec3 wind = vec3_select(cancel, vec3_of(lane_sqrt(t->squares), none, none), scale(factor, t->sum));
    rows_store_where(where, (const lane *)&wind, 3, FAULTS_COLUMN(b, turbulent_wind), b->stride);
}

/* Winds add up. */
static void fault_of_air(const block *b, const fault *f, mask where, int item)
{
    (void)item;
    switch (f->kind) {
    case FAULT_WIND:
        fault_add_vec3(b, FAULTS_COLUMN(b, fault_wind), f, where, f->share);
        break;
    case FAULT_GUSTS:
        fault_add_vec3(b, FAULTS_COLUMN(b, fault_wind), f, where, f->share * fault_wave(f));
        break;
    case FAULT_SHEAR:
        fault_add_vec3(b, FAULTS_COLUMN(b, sheared_wind), f, where, f->share);
        break;
    case FAULT_WIND_NOISE:
        fault_that_shakes(b, where, f->share * f->value[0], f->value[1]);
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

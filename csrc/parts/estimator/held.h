/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of the estimator, and the estimate as navigator and control loops read it. */
#ifndef RF_PARTS_ESTIMATOR_HELD_H
#define RF_PARTS_ESTIMATOR_HELD_H

#include <stddef.h>

#include "base/column.h"
#include "math/vec.h"
#include "parts/block.h"
#include "parts/estimator/columns.h"
#include "parts/sensors/block.h"

typedef lane estimator_covariance[WIDTH_estimator_covariance];
typedef lane estimator_innovations[WIDTH_estimator_innovations];
typedef lane estimator_ages[WIDTH_estimator_ages];

/* A sample of the satellite receiver, and the motion since. */
typedef struct estimator_sample {
    vec3 vel_change; /* A: m/s */
    vec3 moment;     /* B: m */
    lane age;        /* D: s */
} estimator_sample;

typedef estimator_sample estimator_since[ESTIMATOR_SAMPLES];

typedef struct estimator {
    ESTIMATOR_PART(COLUMN_MEMBER)
} estimator;

typedef mask word;

typedef struct estimator_words {
    ESTIMATOR_PART_WORD(COLUMN_MEMBER)
} estimator_words;

/* A column of the part, by the name of its first row. */
#define ESTIMATOR_COLUMN(b, name) PART_COLUMN(b, estimator, estimator, name)
#define ESTIMATOR_WORD(b, name)   PART_WORD(b, estimator, estimator_words, name)

/* Bits of `estimator_state`. */
enum { ESTIMATOR_BEGUN = 1, ESTIMATOR_HAS_HEIGHT = 2, ESTIMATOR_HAS_DRIFT = 4, ESTIMATOR_LOST = 8 };

/* What a vehicle has or knows of its motion. */
typedef struct estimator_motion {
    vec3 pos, vel; /* m, m/s, NED */
    quat att;
    vec3 rate; /* rad/s, FRD */
} estimator_motion;

LANE_INLINE int estimator_enabled(const block *b)
{
    return part_enabled(b, RF_PART_estimator);
}

/* Where vehicles fly on the estimate. */
LANE_INLINE mask estimator_flown(const block *b)
{
    mask begun = words_have(words_load(ESTIMATOR_WORD(b, estimator_state)), ESTIMATOR_BEGUN);
    return begun & (words_load(ESTIMATOR_WORD(b, estimator_on)) != 0) &
           (words_load(ESTIMATOR_WORD(b, flies_on_estimate)) != 0);
}

/* Replaces the true motion by the estimate where vehicles fly on it. */
LANE_INLINE void estimator_replace(const block *b, estimator_motion *motion)
{
    mask flown = estimator_flown(b);
    if (!mask_any(flown)) return;
    estimator_motion known;
    rows_load((lane *)&known, ROWS_OF(estimator_motion), ESTIMATOR_COLUMN(b, pos_output), b->stride);
    rows_select((lane *)motion, flown, (const lane *)&known, (const lane *)motion, ROWS_OF(estimator_motion));
}

/* Tells the filter the level velocity that the controllers want: ahead and to the right [m/s]. */
LANE_INLINE void estimator_want(const block *b, lane ahead, lane aside)
{
    if (!estimator_enabled(b)) return;
    const lane wanted[] = {ahead, aside};
    rows_store(wanted, 2, ESTIMATOR_COLUMN(b, wanted_vel), b->stride);
}

/* Largest commanded rate over the range of the gyroscope: beyond that the rate loop sees too little of the rate, and turns
 * ever faster.  The rest is for what a rate overshoots, and for the delay of the gyroscope.  Estimated. */
#define ESTIMATOR_RATE_SHARE ((real)0.7)

/* A commanded rate [rad/s, FRD] that the gyroscope can measure, of vehicles that fly on the estimate. */
LANE_INLINE vec3 estimator_measurable(const block *b, vec3 rate)
{
    if (!estimator_enabled(b) || !part_enabled(b, RF_PART_sensors)) return rate;
    mask flown = estimator_flown(b);
    lane most = ESTIMATOR_RATE_SHARE * lane_load(SENSORS_COLUMN(b, imu_gyro_limit));
    vec3 bounded = vec3_of(lane_clamp(rate.x, -most, most), lane_clamp(rate.y, -most, most),
                           lane_clamp(rate.z, -most, most));
    return vec3_select(flown, bounded, rate);
}

#endif

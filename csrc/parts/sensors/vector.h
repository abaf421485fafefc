/* SPDX-License-Identifier: BSD-3-Clause */
/* What sensors of a vector and a number have in common that now and then have no value: faults, noise, and the last value
 * that stays.  Not inlined: one copy serves them all. */
#ifndef RF_PARTS_SENSORS_VECTOR_H
#define RF_PARTS_SENSORS_VECTOR_H

#include "parts/late_samples/late_samples.h"
#include "parts/sensors/block.h"
#include "parts/sensors/random.h"

/* A sample; its last member: whether it is one, 1 or 0. */
typedef struct vector_sample {
    vec3 value;
    lane number, valid;
} vector_sample;

/* Where a sensor stores: the first row of its vector, which its number follows; the words. */
typedef struct vector_columns {
    int sensor, clock; /* by kinds of faults; of the sensor */
    real *value;
    uint32_t *valid, *updates;
} vector_columns;

/* Bias of faults, and noise of a standard deviation, as two words of a block say, that of faults included. */
static __attribute__((noinline)) vec3 vector_error(const block *b, const sensors_truth *truth, int sensor,
                                                   lane *deviation, const random_block *random, int first)
{
    lane noise[4];
    sensors_normals(random, first, 2, noise);
    faults_change_noise(b, truth->at_fault, sensor, lane_of(1), deviation);
    vec3 error = scale(*deviation, vec3_of(noise[0], noise[1], noise[2]));
    for (int axis = 0; axis < 3; axis++)
        faults_change_bias(b, truth->at_fault, sensor, axis, (lane *)&error + axis);
    return error;
}

/* Stores a sample where it is due. */
static __attribute__((noinline)) void vector_store(const block *b, const sensors_truth *truth,
                                                   const vector_columns *to, vector_sample *sample, mask due)
{
    late_change(b, to->sensor, sensors_period(b, to->clock), due, (lane *)sample);
    const mask fresh = faults_fresh(b, truth->at_fault, to->sensor, due), valid = sample->valid > 0;
    rows_store_where(fresh & valid, (const lane *)sample, 4, to->value, b->stride);
    words_store_where(fresh, to->valid, words_of(valid, 1));
    sensors_count(to->updates, due);
}

#endif

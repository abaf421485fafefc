/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches to step, for tests that are independent of the family of vehicles. */
#ifndef FLEET_H
#define FLEET_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "batch/batch.h"

enum { MANY = 420 }; /* four pieces of work, the last one short and no whole number of lanes */

/* Number of types that run on threads in tests: under TSan the first, whose kernels run.py lets it watch. */
static inline int threaded_types(void)
{
#ifdef __SANITIZE_THREAD__
    return 1;
#else
    return rf_vehicle_type_count();
#endif
}

static inline int column_number(const rf_batch *batch, const char *name)
{
    return rf_batch_column_find(batch, name);
}

static inline void fill(rf_batch *batch, const char *name, int component, double value)
{
    int number = column_number(batch, name);
    if (number >= 0) rf_batch_fill(batch, number, component, value);
}

static inline double *values(rf_batch *batch, const char *name, int component)
{
    size_t stride;
    char *start = rf_batch_column(batch, column_number(batch, name), &stride);
    return (double *)(void *)(start + (size_t)component * stride);
}

static inline uint32_t *words(rf_batch *batch, const char *name)
{
    return (uint32_t *)(void *)values(batch, name, 0);
}

/* Bodies of 2 kg that tumble and fall, with accelerating rotors of multirotors.  All parameters of other families are
 * 1. */
static inline rf_batch *tumbling(rf_batch_def def)
{
    rf_batch *batch = NULL;
    if (rf_batch_create(&def, &batch) != RF_OK) abort();
    int rotors = rf_batch_type(batch)->actuators;
    bool multirotor = strcmp(rf_batch_type(batch)->family, "multirotor") == 0;
    for (int i = 0; !multirotor && i < rf_batch_type(batch)->column_count; i++) {
        const rf_column *row = rf_batch_column_row(batch, i);
        for (int k = 0; row->role == RF_ROLE_PARAM && k < row->width; k++) rf_batch_fill(batch, i, k, 1);
    }
    fill(batch, "mass", 0, 2);
    fill(batch, "gravity", 0, 9.8);
    for (int i = 0; i < 3; i++) {
        fill(batch, "inertia", i, 0.02 + 0.005 * i);
        fill(batch, "rate", i, 1.0 - 0.7 * i);
        fill(batch, "drag_quadratic", i, 0.05);
    }
    fill(batch, "att", 0, 1);
    fill(batch, "motor_tau", 0, 0.05);
    fill(batch, "motor_tau", 1, 0.05);
    fill(batch, "motor_max", 0, 1);
    fill(batch, "motor_curve", 1, 500);
    fill(batch, "thrust_coef", 1, 1e-5);
    fill(batch, "terrain", 0, 1e5);
    for (int i = 0; i < 2; i++)
        fill(batch, "ground", i, 1e5); /* it flies above it, and does not stand on one that has moved */
    for (int i = 0; i < rotors; i++) {
        fill(batch, "throttle", i, 0.3 + 0.02 * i);
        fill(batch, "rotor_axis", 2 * rotors + i, -1);
        fill(batch, "rotor_thrust_coef", rotors + i, 1e-5);
    }
    return batch;
}

static inline rf_batch_def many(int threads)
{
    rf_batch_def def = rf_batch_default();
    def.n = MANY;
    def.threads = threads;
    return def;
}

static inline bool same_bytes(rf_batch *a, rf_batch *b)
{
    size_t size = rf_batch_snapshot_size(a);
    void *one = malloc(size), *other = malloc(size);
    bool same = size == rf_batch_snapshot_size(b) && one && other && rf_batch_save(a, one) == RF_OK &&
                rf_batch_save(b, other) == RF_OK && memcmp(one, other, size) == 0;
    free(one);
    free(other);
    return same;
}

#endif

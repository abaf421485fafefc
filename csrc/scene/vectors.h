/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of three numbers in memory, for what is not in lanes. */
#ifndef RF_SCENE_VECTORS_H
#define RF_SCENE_VECTORS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* The lesser and the greater of two numbers, without what fmin and fmax do for a NaN. */
static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

/* Whether all numbers are finite and of magnitudes up to a limit. */
static inline bool all_within(const double *values, size_t count, double limit)
{
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(values[i]) <= limit)) return false;
    }
    return true;
}

static inline double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void subtract(const double a[3], const double b[3], double difference[3])
{
    for (int k = 0; k < 3; k++) difference[k] = a[k] - b[k];
}

static inline void cross(const double a[3], const double b[3], double product[3])
{
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

/* Two unit vectors across a unit vector and each other. */
static inline void axes_across(const double normal[3], double axes[2][3])
{
    int least = 0;
    for (int k = 1; k < 3; k++) {
        if (fabs(normal[k]) < fabs(normal[least])) least = k;
    }
    const double along = normal[least], length = sqrt(1 - along * along);
    for (int k = 0; k < 3; k++) axes[0][k] = ((k == least) - along * normal[k]) / length;
    cross(normal, axes[0], axes[1]);
}

#endif

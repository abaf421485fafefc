/* SPDX-License-Identifier: BSD-3-Clause */
/* The three axes of a sensor: mounting, scale, offset, noise, limits.
 *
 *     y = v - m x v                          v in axes that are turned by the small rotation vector m
 *     measured = k y + o + s n,              at most +-limit; element by element; n standard normal
 *
 * Leaves out: angles between the axes, nonlinearity, cross-sensitivity, quantisation. */
#ifndef RF_MODELS_TRIAD_H
#define RF_MODELS_TRIAD_H

#include "math/vec.h"

LANE_INLINE vec3 triad_turned(vec3 v, vec3 misalignment)
{
    return sub(v, cross(misalignment, v));
}

LANE_INLINE vec3 triad_measured(vec3 y, vec3 factor, vec3 offset, vec3 noise, lane limit)
{
    vec3 sum = add(add(mul(factor, y), offset), noise);
    return vec3_of(lane_clamp(sum.x, -limit, limit), lane_clamp(sum.y, -limit, limit),
                   lane_clamp(sum.z, -limit, limit));
}

#endif

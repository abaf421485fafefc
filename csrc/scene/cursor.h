/* SPDX-License-Identifier: BSD-3-Clause */
/* Origins and directions of rays as they are given, to lanes in single precision.
 *
 * Rays of one origin that have directions one after another, as those of a lidar, and rays that have an origin each are
 * loaded without a copy. */
#ifndef RF_SCENE_CURSOR_H
#define RF_SCENE_CURSOR_H

#include "math/transpose.h"
#include "math/vec.h"
#include "scene/rays.h"

/* Vectors less another, of which there are four, as lanes in single precision. */
LANE_INLINE vec3 lanes_of_vectors(const double (*v)[3], const double less[4][3])
{
#if TRANSPOSE_SQUARES
    typedef double four_doubles __attribute__((vector_size(32), aligned(8), may_alias));
    const four_doubles *from = (const four_doubles *)less;
    four x[LANE_WIDTH / 4], y[LANE_WIDTH / 4], z[LANE_WIDTH / 4];
    LANE_UNROLL
    for (int j = 0; j < LANE_WIDTH / 4; j++) {
        four m[3];
        LANE_UNROLL
        for (int i = 0; i < 3; i++) {
            m[i] = __builtin_convertvector(((const four_doubles *)v[4 * j])[i] - from[i], four);
        }
        x[j] = FOUR_SHUFFLE(FOUR_SHUFFLE(m[0], m[1], 0, 3, 6, 6), m[2], 0, 1, 2, 5);
        y[j] = FOUR_SHUFFLE(FOUR_SHUFFLE(m[0], m[1], 1, 4, 7, 7), m[2], 0, 1, 2, 6);
        z[j] = FOUR_SHUFFLE(FOUR_SHUFFLE(m[0], m[1], 2, 5, 5, 5), m[2], 0, 1, 4, 7);
    }
    return vec3_of(lane_of_fours(x), lane_of_fours(y), lane_of_fours(z));
#else
    values at[3];
    for (int i = 0; i < 3 * LANE_WIDTH; i++) at[i % 3][i / 3] = (real)(v[i / 3][i % 3] - less[0][i % 3]);
    return vec3_of(lane_load(at[0]), lane_load(at[1]), lane_load(at[2]));
#endif
}

/* Where the rays from one on begin and go: number of the origin, of the ray of that origin, and of the direction. */
typedef struct cursor {
    size_t origin, since, towards;
} cursor;

LANE_INLINE cursor cursor_at(const rf_rays *rays, size_t number)
{
    return (cursor){number / rays->each, number % rays->each, number % rays->direction_count};
}

LANE_INLINE void advance(cursor *c, const rf_rays *rays, size_t count)
{
    c->since += count;
    c->towards += count;
    if (c->since >= rays->each) {
        c->origin += c->since / rays->each;
        c->since %= rays->each;
    }
    if (c->towards >= rays->direction_count) c->towards %= rays->direction_count;
}

LANE_INLINE bool have_one_origin(const cursor *c, const rf_rays *rays, size_t count)
{
    return c->since + count <= rays->each;
}

/* Origins of `count` rays; further lanes repeat the last, here and below. */
LANE_INLINE vec3 origins_at(cursor c, const rf_rays *rays, size_t count, const double middle[4][3])
{
    const double(*from)[3] = rays->origins + c.origin;
    if (have_one_origin(&c, rays, count)) {
        return vec3_of(lane_of((real)(from[0][0] - middle[0][0])), lane_of((real)(from[0][1] - middle[0][1])),
                       lane_of((real)(from[0][2] - middle[0][2])));
    }
    if (rays->each == 1 && count == LANE_WIDTH) return lanes_of_vectors(from, middle);
    double each[LANE_WIDTH][3];
    for (size_t j = 0; j < LANE_WIDTH; j++) {
        memcpy(each[j], rays->origins[c.origin], sizeof *each);
        if (j + 1 < count) advance(&c, rays, 1);
    }
    return lanes_of_vectors(each, middle);
}

LANE_INLINE vec3 directions_at(cursor c, const rf_rays *rays, size_t count)
{
    static const double zero[4][3];
    const double(*towards)[3] = rays->directions + c.towards;
    if (count == LANE_WIDTH && c.towards + count <= rays->direction_count) {
        return lanes_of_vectors(towards, zero);
    }
    double each[LANE_WIDTH][3];
    for (size_t j = 0; j < LANE_WIDTH; j++) {
        memcpy(each[j], rays->directions[c.towards], sizeof *each);
        if (j + 1 < count) advance(&c, rays, 1);
    }
    return lanes_of_vectors(each, zero);
}

#endif

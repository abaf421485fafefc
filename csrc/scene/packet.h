/* SPDX-License-Identifier: BSD-3-Clause */
/* A packet of rays, one per lane, and the nearest surfaces that they have met. */
#ifndef RF_SCENE_PACKET_H
#define RF_SCENE_PACKET_H

#include "scene/cursor.h"
#include "scene/ray_shapes.h"

#define FARTHEST 1e9f  /* m, of a reach, and of an origin from the middle */
#define SHORTEST 1e-9f /* of the length of a direction */
#define LONGEST  1e9f
#define SEVERAL  SIZE_MAX

/* The values of a lane. */
typedef real values[LANE_WIDTH] __attribute__((aligned(LANE_BYTES)));

typedef struct packet {
    ray rays; /* about the scene's middle, directions of length 1; axes across them where there are triangles */
    lane distance; /* of the nearest surface so far; at first the reach */
    mask shape;    /* of it, or RF_NO_SHAPE */
    mask valid;    /* rays that have an origin and a direction; others are replaced */
    size_t origin; /* its number, or SEVERAL */
} packet;

/* One bit per lane: where m is true. */
LANE_INLINE uint32_t mask_bits(mask m)
{
#if LANE_WIDTH == 16 && defined(__AVX512F__)
    return _mm512_test_epi32_mask((__m512i)m, (__m512i)m);
#elif LANE_WIDTH == 8 && defined(__AVX__)
    return (uint32_t)_mm256_movemask_ps((__m256)m);
#elif LANE_WIDTH == 4 && defined(__SSE2__)
    return (uint32_t)_mm_movemask_ps((__m128)m);
#else
    uint32_t bits = 0;
    for (int i = 0; i < LANE_WIDTH; i++) bits |= (uint32_t)(m[i] != 0) << i;
    return bits;
#endif
}

/* Loads `count` rays; further lanes repeat the last. */
LANE_INLINE void load_packet(packet *p, const double middle[4][3], const rf_rays *rays, const cursor *c,
                             size_t count)
{
    vec3 o = origins_at(*c, rays, count, middle), d = directions_at(*c, rays, count);
    const lane square = norm2(d);
    const mask near = norm2(o) < FARTHEST * FARTHEST;
    const mask long_enough = (square > SHORTEST * SHORTEST) & (square < LONGEST * LONGEST);
    o = vec3_select(near, o, vec3_of(lane_of(0), lane_of(0), lane_of(0)));
    d = vec3_select(long_enough, scale(1 / lane_sqrt(square), d),
                    vec3_of(lane_of(1), lane_of(0), lane_of(0)));
    real reach = rays->reach < FARTHEST ? (real)rays->reach : FARTHEST;
    p->rays.origin = o;
    p->rays.direction = d;
    p->distance = lane_of(reach);
    p->shape = words_of(mask_true(), RF_NO_SHAPE);
    p->valid = near & long_enough;
    p->origin = have_one_origin(c, rays, count) ? c->origin : SEVERAL;
}

/* Where a meeting with a shape is nearer than what is known: of those at one distance the lower shape. */
LANE_INLINE mask is_nearer(meeting m, mask shape, lane distance, mask known)
{
    mask same = (m.t == distance) & ((known < 0) | (shape < known));
    return m.is & ((m.t < distance) | same);
}

/* The same of one ray, which meets the shape at t. */
LANE_INLINE bool one_is_nearer(real t, int32_t shape, real distance, int32_t known)
{
    return !(t > distance || (t == distance && known >= 0 && shape >= known));
}

LANE_INLINE void keep(packet *p, meeting m, mask shape)
{
    mask nearer = is_nearer(m, shape, p->distance, p->shape);
    p->distance = lane_select(nearer, m.t, p->distance);
    p->shape = words_select(nearer, shape, p->shape);
}

LANE_INLINE mask same_shape(uint32_t shape)
{
    return words_of(mask_true(), (lane_int)shape);
}

LANE_INLINE void store_packet(const rf_rays *rays, size_t first, size_t count, const packet *p)
{
    values distance;
    _Alignas(LANE_BYTES) uint32_t shape[LANE_WIDTH];
    lane met = lane_select(p->shape < 0, lane_of(__builtin_inff()), p->distance);
    lane_store(distance, lane_select(p->valid, met, lane_of(__builtin_nanf(""))));
    words_store(shape, p->shape);
    if (count == LANE_WIDTH) { /* of constant size: no call */
        memcpy(rays->distance + first, distance, sizeof distance);
        memcpy(rays->shape + first, shape, sizeof shape);
    } else {
        memcpy(rays->distance + first, distance, count * sizeof *distance);
        memcpy(rays->shape + first, shape, count * sizeof *shape);
    }
}

#endif

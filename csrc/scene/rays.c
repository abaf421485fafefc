/* SPDX-License-Identifier: BSD-3-Clause */
/* Rays through a scene: compiled once per instruction set, in single precision. */
#define _GNU_SOURCE
#include "scene/rays.h"

#include "base/sets.h"

/* The same bits for a ray in a bundle and alone, and on all processors. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

void RF_SET_NAME(rf_rays_cast)(const rf_scene *scene, const rf_rays *rays, size_t first, size_t count);

SET_BEGIN
#include "scene/bundle.h"

#define COSINE                                                                                               \
    0.85f /* least, of the angle between rays of a bundle and its first: all go the same way along the main axis */
#define APART2 1.0f /* m^2, highest square of the distance between their origins */
#define FEWEST 3    /* rays of a bundle */

/* How many rays from j on are neighbours of ray j. */
LANE_INLINE uint32_t neighbours(const packet *p, uint32_t j)
{
    const vec3 o = p->rays.origin, d = p->rays.direction;
    vec3 apart = sub(o, vec3_of(lane_of(o.x[j]), lane_of(o.y[j]), lane_of(o.z[j])));
    lane cosine = dot(d, vec3_of(lane_of(d.x[j]), lane_of(d.y[j]), lane_of(d.z[j])));
    uint32_t others = ~(mask_bits((cosine >= COSINE) & (norm2(apart) <= APART2)) >> j);
    return (uint32_t)__builtin_ctz(others); /* zeros come from above: never all ones */
}

LANE_INLINE mask lanes_between(uint32_t first, uint32_t end)
{
    mask i;
    LANE_UNROLL
    for (int j = 0; j < LANE_WIDTH; j++) i[j] = j;
    return (i >= (lane_int)first) & (i < (lane_int)end);
}

static inline void follow(const rf_scene *scene, packet *p, uint32_t count)
{
    for (uint32_t j = 0, many; j < count; j += many) {
        many = neighbours(p, j);
        if (many > count - j) many = count - j;
        if (many < FEWEST) {
            for (uint32_t i = 0; i < many; i++) follow_alone(scene, p, j + i);
        } else {
            bundle b;
            make_bundle(&b, p, lanes_between(j, j + many), j);
            follow_bundle(scene, p, &b);
        }
    }
}

void RF_SET_NAME(rf_rays_cast)(const rf_scene *scene, const rf_rays *rays, size_t first, size_t count)
{
    cursor at = cursor_at(rays, first);
    for (size_t i = 0; i < count; i += LANE_WIDTH) {
        size_t left = count - i < LANE_WIDTH ? count - i : LANE_WIDTH;
        packet p = packet_at(scene, rays, &at, left);
        advance(&at, rays, left);
        for (size_t k = 0; k < scene->planes; k++) {
            keep(&p, with_plane(&scene->plane[k], p.rays), same_shape(scene->plane[k].shape));
        }
        if (scene->nodes > 0) follow(scene, &p, (uint32_t)left);
        store_packet(rays, first + i, left, &p);
    }
}
SET_END

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
#include "scene/scatter.h"

#define COSINE                                                                                               \
    0.85f /* least, of the angle between rays of a bundle and its first: all go the same way along the main axis */
#define APART2 1.0f /* m^2, highest square of the distance between their origins */
#define FEWEST 3    /* rays of a bundle */
#define BUNDLE 32   /* rays that are followed together, if all are neighbours */

/* Rays of packet i of `count` rays. */
LANE_INLINE size_t rays_of_packet(size_t count, size_t i)
{
    const size_t left = count - i * LANE_WIDTH;
    return left < LANE_WIDTH ? left : LANE_WIDTH;
}

/* Which rays of a packet are neighbours of ray j of another. */
LANE_INLINE mask are_neighbours(const packet *p, const packet *other, uint32_t j)
{
    const vec3 o = other->rays.origin, d = other->rays.direction;
    vec3 apart = sub(p->rays.origin, vec3_of(lane_of(o.x[j]), lane_of(o.y[j]), lane_of(o.z[j])));
    lane cosine = dot(p->rays.direction, vec3_of(lane_of(d.x[j]), lane_of(d.y[j]), lane_of(d.z[j])));
    return (cosine >= COSINE) & (norm2(apart) <= APART2);
}

/* How many rays from j on are neighbours of ray j. */
LANE_INLINE uint32_t neighbours(const packet *p, uint32_t j)
{
    uint32_t others = ~(mask_bits(are_neighbours(p, p, j)) >> j);
    return (uint32_t)__builtin_ctz(others); /* zeros come from above: never all ones */
}

LANE_INLINE mask lanes_between(uint32_t first, uint32_t end)
{
    mask i;
    LANE_UNROLL
    for (int j = 0; j < LANE_WIDTH; j++) i[j] = j;
    return (i >= (lane_int)first) & (i < (lane_int)end);
}

static inline void follow_packet(const rf_scene *scene, packet *p, size_t count)
{
    for (uint32_t j = 0, many; j < count; j += many) {
        many = neighbours(p, j);
        if (many > count - j) many = (uint32_t)count - j;
        if (many < FEWEST) {
            for (uint32_t i = 0; i < many; i++) follow_alone(scene, p, j + i);
        } else {
            bundle b;
            make_bundle(&b, p, 1, lanes_between(j, j + many), j);
            follow_bundle(scene, &b);
        }
    }
}

LANE_INLINE bool all_neighbours(const packet *packets, size_t count)
{
    mask all = mask_true();
    for (size_t i = 0; i < count; i++) all = all & are_neighbours(&packets[i], packets, 0);
    return !mask_any(mask_not(all));
}

/* Follows packets of `count` rays one by one. */
static inline void follow_packets(const rf_scene *scene, packet *packets, size_t count)
{
    for (size_t i = 0; i * LANE_WIDTH < count; i++) {
        if (scene->leaves > 0) packets[i].rays = ray_of(packets[i].rays.origin, packets[i].rays.direction);
        follow_packet(scene, &packets[i], rays_of_packet(count, i));
    }
}

/* Follows packets of `count` rays of any ways. */
static inline void follow_others(const rf_scene *scene, packet *packets, size_t count)
{
    const size_t many = (count + LANE_WIDTH - 1) / LANE_WIDTH;
    if (scene->uprights == 0) {
        follow_packets(scene, packets, count);
    } else if (scene->bodies > RF_SCENE_FEW) {
        if (count > 0) follow_scattered(scene, packets, count);
    } else {
        for (size_t i = 0; i < many; i++) meet_all(scene, &packets[i]);
    }
}

/* How many of so many full packets, from the first on, are followed together: those of a bundle, or one where that pays. */
LANE_INLINE size_t together(const rf_scene *scene, const packet *packets, size_t full)
{
    const size_t most = full < BUNDLE / LANE_WIDTH ? full : BUNDLE / LANE_WIDTH;
    if (most > 1 && all_neighbours(packets, most)) return most;
    return most > 0 && scene->bodies > RF_SCENE_FEW && all_neighbours(packets, 1);
}

/* Follows packets of `count` rays: together those of neighbours, but not among triangles, of which a wider bundle meets
 * more. */
static inline void follow(const rf_scene *scene, packet *packets, size_t count)
{
    const size_t full = count / LANE_WIDTH;
    size_t others = 0; /* the first packet that is not followed yet */
    for (size_t i = 0, many; i < full && scene->leaves == 0; i += many > 0 ? many : 1) {
        many = together(scene, &packets[i], full - i);
        if (many == 0) continue;
        follow_others(scene, &packets[others], (i - others) * LANE_WIDTH);
        bundle b;
        make_bundle(&b, &packets[i], many, mask_true(), 0);
        follow_bundle(scene, &b);
        others = i + many;
    }
    follow_others(scene, &packets[others], count - others * LANE_WIDTH);
}

static inline void cast_group(const rf_scene *scene, const double middle[4][3], const rf_rays *rays,
                              cursor *at, size_t first, size_t count)
{
    packet packets[SCATTERED / LANE_WIDTH];
    for (size_t i = 0; i * LANE_WIDTH < count; i++) {
        packet *p = &packets[i];
        const size_t many = rays_of_packet(count, i);
        load_packet(p, middle, rays, at, many);
        advance(at, rays, many);
        for (size_t k = 0; k < scene->planes; k++) {
            keep(p, with_plane(&scene->plane[k], p->rays), same_shape(scene->plane[k].shape));
        }
    }
    if (scene->nodes > 0) follow(scene, packets, count);
    for (size_t i = 0; i * LANE_WIDTH < count; i++) {
        store_packet(rays, first + i * LANE_WIDTH, rays_of_packet(count, i), &packets[i]);
    }
}

void RF_SET_NAME(rf_rays_cast)(const rf_scene *scene, const rf_rays *rays, size_t first, size_t count)
{
    cursor at = cursor_at(rays, first);
    double middle[4][3];
    for (int i = 0; i < 12; i++) middle[i / 3][i % 3] = scene->middle[i % 3];
    for (size_t i = 0, many; i < count; i += many) {
        many = count - i < SCATTERED ? count - i : SCATTERED;
        cast_group(scene, middle, rays, &at, first + i, many);
    }
}
SET_END

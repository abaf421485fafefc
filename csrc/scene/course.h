/* SPDX-License-Identifier: BSD-3-Clause */
/* Rays past upright cylinders, over lanes of rays or of cylinders.
 *
 * With u the level direction of a ray, of length 1, and (c, s) the cosine and sine of its climb: past a cylinder at p its line is
 * |p x u - o x u| aside of it, is nearest after (p - o) . u of level distance, and is then c (o_z - p_z) + s (p - o) . u from
 * its middle, times c.  The ray cannot meet a cylinder of radius R and half height H where that is above H c + R |s|, or the
 * ray farther aside or the cylinder farther behind than R.  A cull, which is fused where it can be: results do not depend
 * on its bits. */
#ifndef RF_SCENE_COURSE_H
#define RF_SCENE_COURSE_H

#include "scene/packet.h"

#define ROUNDED  2e-6f  /* m per metre of an origin from the middle */
#define VERTICAL 1e-30f /* square of a level component that does not count */

typedef struct course {
    lane north, south, west; /* u; -u */
    lane aside, along;       /* o x u, o . u */
    lane level, up;          /* -c, -s */
    lane steep;              /* -|s| */
    lane height;             /* c o_z */
    lane slack;              /* m */
} course;

typedef struct upright {
    lane x, y, z, radius, half;
} upright;

/* a b + c */
LANE_INLINE lane fused(lane a, lane b, lane c)
{
#if LANE_WIDTH == 16 && defined(__AVX512F__)
    return (lane)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif LANE_WIDTH == 8 && defined(__FMA__)
    return (lane)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
    return a * b + c;
#endif
}

/* One bit per lane: where a <= b. */
LANE_INLINE uint32_t bits_at_most(lane a, lane b)
{
#if LANE_WIDTH == 16 && defined(__AVX512F__)
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ);
#else
    return mask_bits(a <= b);
#endif
}

LANE_INLINE course course_of(const ray *r)
{
    const vec3 o = r->origin, d = r->direction;
    const lane square = d.x * d.x + d.y * d.y;
    const mask vertical = square < VERTICAL;
    const lane length = lane_sqrt(square), inverse = 1 / lane_select(vertical, lane_of(1), length);
    const lane north = lane_select(vertical, lane_of(1), d.x * inverse);
    const lane east = lane_select(vertical, lane_of(0), d.y * inverse);
    course c;
    c.north = north;
    c.south = -north;
    c.west = -east;
    c.aside = o.x * east - o.y * north;
    c.along = o.x * north + o.y * east;
    c.level = -length;
    c.up = -d.z;
    c.steep = -lane_abs(d.z);
    c.height = length * o.z;
    c.slack = ROUNDED * (lane_abs(o.x) + lane_abs(o.y) + lane_abs(o.z));
    return c;
}

/* One bit per lane: where a ray may meet a cylinder. */
LANE_INLINE uint32_t may_cross(const course *c, upright p)
{
    const lane aside = lane_abs(fused(p.y, c->north, fused(p.x, c->west, c->aside)));
    const lane behind = fused(p.x, c->south, fused(p.y, c->west, c->along));
    const lane above = lane_abs(fused(behind, c->up, fused(p.z, c->level, c->height)));
    const lane beside = lane_max(aside, behind) - p.radius;
    const lane over = fused(p.radius, c->steep, fused(p.half, c->level, above));
    return bits_at_most(lane_max(beside, over), c->slack);
}

LANE_INLINE upright upright_of(const rf_uprights *some, size_t i)
{
    return (upright){lane_of(some->x[i]), lane_of(some->y[i]), lane_of(some->z[i]), lane_of(some->radius[i]),
                     lane_of(some->half[i])};
}

/* The rays of a packet, of any ways, meet the bodies of a small scene. */
static inline void meet_all(const rf_scene *scene, packet *p)
{
    const course c = course_of(&p->rays);
    for (size_t k = 0; k < scene->uprights; k++) {
        const rf_uprights *some = &scene->upright[k];
        for (size_t i = 0; i < some->count; i++) {
            if (may_cross(&c, upright_of(some, i)) == 0) continue;
            const rf_body *body = &scene->body[some->number[i]];
            keep(p, with_body(body, p->rays), same_shape(body->shape));
        }
    }
}

#endif

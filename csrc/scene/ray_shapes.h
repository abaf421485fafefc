/* SPDX-License-Identifier: BSD-3-Clause */
/* Where rays meet shapes, over lanes.
 *
 * A ray is o + t d.  Box, cylinder and sphere: the interval of t within the unit body, of local coordinates; the ray meets
 * its begin, or its end if it starts within.  Cylinder (of the coordinates across its axis) and sphere: with a = d.d,
 * b = o.d and c = |o x d|^2, t = (-b -+ sqrt(a - c)) / a, in which no large numbers cancel.  Triangle: of places
 * across the ray, which corners of neighbours have alike, it passes the three edges on one side, so that neighbours leave no gap
 * at edges and corners (Woop et al. 2013 [@woop], with axes across the ray in place of a shear). */
#ifndef RF_SCENE_RAY_SHAPES_H
#define RF_SCENE_RAY_SHAPES_H

#include "math/vec.h"
#include "scene/scene.h"

#define FAR_AWAY lane_of(1e30f)
#define LEAST    1e-20f /* of a divisor */

typedef struct ray {
    vec3 origin, direction;
    vec3 right, up; /* axes across it, for triangles */
} ray;

/* A ray with a direction of length 1; axes across it by Duff et al. 2017 [@duff]. */
LANE_INLINE ray ray_of(vec3 origin, vec3 d)
{
    const lane sign = lane_select(d.z < 0, lane_of(-1), lane_of(1)), a = -1 / (sign + d.z), b = d.x * d.y * a;
    return (ray){origin, d, vec3_of(1 + sign * d.x * d.x * a, sign * b, -sign * d.x),
                 vec3_of(b, sign + d.y * d.y * a, -d.y)};
}

/* An interval of a ray. */
typedef struct span {
    lane enter, leave;
} span;

/* What a ray meets at t, where `is`. */
typedef struct meeting {
    mask is;
    lane t;
} meeting;

LANE_INLINE lane not_zero(lane x)
{
    return lane_select(lane_abs(x) < LEAST, lane_of(LEAST), x);
}

LANE_INLINE meeting begin_of(span s)
{
    lane t = lane_select(s.enter >= 0, s.enter, s.leave);
    return (meeting){(s.enter <= s.leave) & (t >= 0), t};
}

/* Between two planes at -1 and 1 of a local coordinate. */
LANE_INLINE span between_planes(span s, lane o, lane d)
{
    lane inverse = 1 / not_zero(d), a = (-1 - o) * inverse, b = (1 - o) * inverse;
    return (span){lane_max(s.enter, lane_min(a, b)), lane_min(s.leave, lane_max(a, b))};
}

/* Within the unit circle or ball: a, b and c of above. */
LANE_INLINE span within_round(lane a, lane b, lane c)
{
    lane square = a - c, root = lane_sqrt(lane_max(square, lane_of(0)));
    lane inverse = 1 / lane_max(a, lane_of(LEAST));
    mask met = square >= 0;
    return (span){lane_select(met, (-b - root) * inverse, FAR_AWAY),
                  lane_select(met, (root - b) * inverse, -FAR_AWAY)};
}

LANE_INLINE meeting with_box(ray r)
{
    span s = {-FAR_AWAY, FAR_AWAY};
    s = between_planes(s, r.origin.x, r.direction.x);
    s = between_planes(s, r.origin.y, r.direction.y);
    return begin_of(between_planes(s, r.origin.z, r.direction.z));
}

LANE_INLINE meeting with_cylinder(ray r)
{
    vec3 o = r.origin, d = r.direction;
    lane a = d.x * d.x + d.y * d.y, turn = o.x * d.y - o.y * d.x;
    span s = within_round(a, o.x * d.x + o.y * d.y, turn * turn);
    mask along = a < LEAST; /* the axis: within at all t or at none */
    lane all = lane_select(o.x * o.x + o.y * o.y <= 1, FAR_AWAY, -FAR_AWAY);
    s.enter = lane_select(along, -all, s.enter);
    s.leave = lane_select(along, all, s.leave);
    return begin_of(between_planes(s, o.z, d.z));
}

LANE_INLINE meeting with_sphere(ray r)
{
    return begin_of(
        within_round(norm2(r.direction), dot(r.origin, r.direction), norm2(cross(r.origin, r.direction))));
}

typedef struct triangle {
    vec3 corner[3];
} triangle;

/* On which side of the edge from a to b the ray passes, of places across it.  Products are rounded each: the sign is right, or
 * the result is 0. */
LANE_INLINE lane side_of(vec3 a, vec3 b)
{
    return a.x * b.y - a.y * b.x;
}

LANE_INLINE meeting with_triangle(ray r, triangle of)
{
    vec3 p[3];
    LANE_UNROLL
    for (int i = 0; i < 3; i++) {
        vec3 from = sub(of.corner[i], r.origin);
        p[i] = vec3_of(dot(from, r.right), dot(from, r.up), dot(from, r.direction));
    }
    lane a = side_of(p[1], p[2]), b = side_of(p[2], p[0]), c = side_of(p[0], p[1]), sum = a + b + c;
    lane t = (a * p[0].z + b * p[1].z + c * p[2].z) / not_zero(sum);
    mask within = (lane_min(lane_min(a, b), c) >= 0) | (lane_max(lane_max(a, b), c) <= 0);
    return (meeting){within & (lane_abs(sum) >= LEAST) & (t >= 0), t};
}

/* ---- of scenes ---- */

LANE_INLINE vec3 vec3_same(const float v[3])
{
    return vec3_of(lane_of(v[0]), lane_of(v[1]), lane_of(v[2]));
}

LANE_INLINE vec3 to_local(const rf_body *b, vec3 v)
{
    return vec3_of(dot(vec3_same(b->rows), v), dot(vec3_same(b->rows + 3), v),
                   dot(vec3_same(b->rows + 6), v));
}

LANE_INLINE meeting with_body(const rf_body *b, ray r)
{
    ray local = r;
    local.origin = to_local(b, sub(r.origin, vec3_same(b->center)));
    local.direction = to_local(b, r.direction);
    switch (b->kind) {
    case RF_SHAPE_BOX:
        return with_box(local);
    case RF_SHAPE_CYLINDER:
        return with_cylinder(local);
    default:
        return with_sphere(local);
    }
}

LANE_INLINE meeting with_plane(const rf_plane *p, ray r)
{
    const vec3 normal = vec3_same(p->normal);
    lane t = (p->offset - dot(normal, r.origin)) / not_zero(dot(normal, r.direction));
    return (meeting){t >= 0, t};
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene/convex.h"

#include <math.h>
#include <string.h>

#include "scene/vectors.h"

#define ROUNDS    64
#define PRECISION 1e-13 /* of the square of a distance: what a round must gain */
#define FLAT      1e-7  /* height of a simplex over its size, below which it has no inside */
#define TOUCHING  1e-9  /* m, between cores: they overlap below */

static double sign_of(double x)
{
    return x < 0 ? -1 : 1;
}

/* ---- cores ---- */

static void farthest_corner(const rf_convex *c, const double direction[3], double place[3])
{
    int best = 0;
    for (int i = 1; i < 3; i++) {
        if (dot(c->corner[i], direction) > dot(c->corner[best], direction)) best = i;
    }
    memcpy(place, c->corner[best], 3 * sizeof *place);
}

void rf_support(const rf_convex *c, const double direction[3], double place[3])
{
    double local[3], offset[3];
    if (c->kind == RF_CORE_TRIANGLE) {
        farthest_corner(c, direction, offset);
    } else {
        const double *r = c->rotation;
        for (int k = 0; k < 3; k++) {
            double along = r[k] * direction[0] + r[3 + k] * direction[1] + r[6 + k] * direction[2];
            local[k] = c->kind == RF_CORE_BOX || k == 2 ? sign_of(along) * c->half[k] : along;
        }
        if (c->kind == RF_CORE_CYLINDER) {
            double across = sqrt(local[0] * local[0] + local[1] * local[1]);
            double scale = across > 0 ? c->half[0] / across : 0;
            local[0] *= scale;
            local[1] *= scale;
        }
        for (int k = 0; k < 3; k++) offset[k] = dot(&r[3 * k], local);
    }
    for (int k = 0; k < 3; k++) place[k] = c->center[k] + offset[k];
}

/* ---- simplexes ---- */

/* Places of the difference a - b, of which the origin's nearest place is a mixture. */
typedef struct simplex {
    int count;
    double difference[4][3], of_a[4][3], share[4];
} simplex;

static void keep_vertices(simplex *s, const int *which, const double *share, int count)
{
    simplex kept = {.count = count};
    for (int i = 0; i < count; i++) {
        memcpy(kept.difference[i], s->difference[which[i]], sizeof kept.difference[i]);
        memcpy(kept.of_a[i], s->of_a[which[i]], sizeof kept.of_a[i]);
        kept.share[i] = share[i];
    }
    *s = kept;
}

static void mixture(const simplex *s, const double (*of)[3], double sum[3])
{
    memset(sum, 0, 3 * sizeof *sum);
    for (int i = 0; i < s->count; i++) {
        for (int k = 0; k < 3; k++) sum[k] += s->share[i] * of[i][k];
    }
}

/* The nearest place of the edge i, j; its square of distance. */
static double nearest_of_edge(const simplex *s, int i, int j, simplex *nearest)
{
    double along[3];
    subtract(s->difference[j], s->difference[i], along);
    double length2 = dot(along, along), t = length2 > 0 ? -dot(s->difference[i], along) / length2 : 0;
    *nearest = *s;
    if (t <= 0) {
        keep_vertices(nearest, &i, (const double[]){1}, 1);
    } else if (t >= 1) {
        keep_vertices(nearest, &j, (const double[]){1}, 1);
    } else {
        keep_vertices(nearest, (const int[]){i, j}, (const double[]){1 - t, t}, 2);
    }
    double place[3];
    mixture(nearest, nearest->difference, place);
    return dot(place, place);
}

/* The nearest place of the face i, j, k; its square of distance.  Within where the shares, areas of the triangles that the
 * projected origin makes with its edges, are positive; else it is on an edge. */
static double nearest_of_face(const simplex *s, int i, int j, int k, simplex *nearest)
{
    const int which[3] = {i, j, k};
    double ij[3], ik[3], normal[3], share[3], place[3];
    subtract(s->difference[j], s->difference[i], ij);
    subtract(s->difference[k], s->difference[i], ik);
    cross(ij, ik, normal);
    double area = dot(normal, normal);
    bool within = area > 0;
    for (int n = 0; n < 3 && within; n++) {
        const double *p = s->difference[which[(n + 1) % 3]], *q = s->difference[which[(n + 2) % 3]];
        double turned[3];
        cross(p, q, turned);
        share[n] = dot(turned, normal) / area;
        within = share[n] > 0;
    }
    if (within) {
        *nearest = *s;
        keep_vertices(nearest, which, share, 3);
        mixture(nearest, nearest->difference, place);
        return dot(place, place);
    }
    double best = INFINITY;
    for (int n = 0; n < 3; n++) {
        simplex edge;
        double distance2 = nearest_of_edge(s, which[n], which[(n + 1) % 3], &edge);
        if (distance2 < best) best = distance2, *nearest = edge;
    }
    return best;
}

/* Whether the origin is on the other side of face i, j, k than vertex l; of a flat simplex it is beyond all faces. */
static bool is_beyond(const simplex *s, int i, int j, int k, int l)
{
    double ij[3], ik[3], il[3], normal[3];
    subtract(s->difference[j], s->difference[i], ij);
    subtract(s->difference[k], s->difference[i], ik);
    subtract(s->difference[l], s->difference[i], il);
    cross(ij, ik, normal);
    double height = dot(il, normal), flat = FLAT * FLAT * dot(il, il) * dot(normal, normal);
    return height * height <= flat || -dot(s->difference[i], normal) * height <= 0;
}

/* Reduces the simplex to the vertices of its nearest place; false if it contains the origin. */
static bool reduce(simplex *s)
{
    static const int faces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    simplex nearest;
    if (s->count == 1) s->share[0] = 1;
    if (s->count == 2) nearest_of_edge(s, 0, 1, &nearest), *s = nearest;
    if (s->count == 3) nearest_of_face(s, 0, 1, 2, &nearest), *s = nearest;
    if (s->count < 4) return true;
    double best = INFINITY;
    for (int n = 0; n < 4; n++) {
        const int *f = faces[n];
        simplex face;
        if (!is_beyond(s, f[0], f[1], f[2], f[3])) continue;
        double distance2 = nearest_of_face(s, f[0], f[1], f[2], &face);
        if (distance2 < best) best = distance2, nearest = face;
    }
    if (best == INFINITY) return false;
    *s = nearest;
    return true;
}

/* ---- distance ---- */

/* Adds the place of a - b that is farthest against `nearest`; false if it does not come nearer to the origin. */
static bool add_vertex(simplex *s, const rf_convex *a, const rf_convex *b, const double nearest[3])
{
    const double against[3] = {-nearest[0], -nearest[1], -nearest[2]};
    double of_b[3], *difference = s->difference[s->count];
    rf_support(a, against, s->of_a[s->count]);
    rf_support(b, nearest, of_b);
    subtract(s->of_a[s->count], of_b, difference);
    double distance2 = dot(nearest, nearest);
    if (s->count > 0 && distance2 - dot(nearest, difference) <= PRECISION * distance2) return false;
    for (int i = 0; i < s->count; i++) {
        if (memcmp(s->difference[i], difference, 3 * sizeof *difference) == 0) return false;
    }
    s->count++;
    return true;
}

/* The place of the difference of the cores that is nearest to the origin, and that of a in it; false if they overlap. */
static bool nearest_places(const rf_convex *a, const rf_convex *b, double difference[3], double of_a[3])
{
    simplex s = {.count = 0};
    subtract(a->center, b->center, difference);
    if (dot(difference, difference) == 0) difference[0] = 1;
    for (int round = 0; round < ROUNDS && add_vertex(&s, a, b, difference); round++) {
        if (!reduce(&s)) return false;
        mixture(&s, s.difference, difference);
        if (dot(difference, difference) < TOUCHING * TOUCHING) return false;
    }
    mixture(&s, s.of_a, of_a);
    return true;
}

/* By how much the cores are apart along a unit direction from b to a; negative: they overlap by it. */
static double apart_along(const rf_convex *a, const rf_convex *b, const double n[3])
{
    const double against[3] = {-n[0], -n[1], -n[2]};
    double low[3], high[3];
    rf_support(a, against, low);
    rf_support(b, n, high);
    return dot(low, n) - dot(high, n);
}

/* Keeps a direction, in the sense from b to a, if the cores overlap less along it. */
static void try_direction(const rf_convex *a, const rf_convex *b, const double direction[3], rf_gap *best)
{
    double n[3], between[3], length = sqrt(dot(direction, direction));
    if (!(length > 0)) return;
    subtract(a->center, b->center, between);
    for (int k = 0; k < 3; k++) n[k] = direction[k] / (dot(direction, between) < 0 ? -length : length);
    double apart = apart_along(a, b, n);
    if (apart <= best->distance) return;
    best->distance = apart;
    memcpy(best->normal, n, sizeof best->normal);
}

static void try_axes(const rf_convex *of, const rf_convex *a, const rf_convex *b, rf_gap *best)
{
    double direction[3], along[3];
    if (of->kind == RF_CORE_TRIANGLE) {
        subtract(of->corner[1], of->corner[0], direction);
        subtract(of->corner[2], of->corner[0], along);
        double normal[3];
        cross(direction, along, normal);
        try_direction(a, b, normal, best);
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 3; k++) direction[k] = of->rotation[3 * k + axis];
        try_direction(a, b, direction, best);
    }
}

/* The gap of cores that overlap. */
static rf_gap overlapping(const rf_convex *a, const rf_convex *b)
{
    rf_gap gap = {.distance = -INFINITY, .normal = {0, 0, -1}, .overlap = true};
    double between[3];
    subtract(a->center, b->center, between);
    try_direction(a, b, between, &gap);
    try_axes(a, a, b, &gap);
    try_axes(b, a, b, &gap);
    const double against[3] = {-gap.normal[0], -gap.normal[1], -gap.normal[2]};
    rf_support(a, against, gap.at_a);
    for (int k = 0; k < 3; k++) gap.at_b[k] = gap.at_a[k] - gap.distance * gap.normal[k];
    return gap;
}

rf_gap rf_gap_between(const rf_convex *a, const rf_convex *b)
{
    double difference[3], of_a[3];
    rf_gap gap = {.overlap = false};
    if (nearest_places(a, b, difference, of_a)) {
        gap.distance = sqrt(dot(difference, difference));
        for (int k = 0; k < 3; k++) {
            gap.normal[k] = difference[k] / gap.distance;
            gap.at_a[k] = of_a[k];
            gap.at_b[k] = of_a[k] - difference[k];
        }
    } else {
        gap = overlapping(a, b);
    }
    gap.distance -= a->radius + b->radius;
    for (int k = 0; k < 3; k++) {
        gap.at_a[k] -= a->radius * gap.normal[k];
        gap.at_b[k] += b->radius * gap.normal[k];
    }
    return gap;
}

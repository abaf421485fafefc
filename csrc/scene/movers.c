/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene/movers.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "scene/tree.h"
#include "scene/vectors.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

#define LEAF     2     /* bodies of a leaf */
#define ROUNDING 1e-6f /* of bounds, as floats */
#define LARGE    1e300

struct rf_movers {
    rf_movers_def def;
    double *reach; /* m, of each hull: farthest place from the origin of its body */
    rf_entry *entry;
    rf_branch *branch; /* none without bodies */
    size_t entries;
};

/* ---- making ---- */

static bool is_shape(const rf_round_box *s)
{
    bool good = s->radius > 0 && isfinite(s->radius);
    for (int k = 0; k < 3; k++) {
        good = good && isfinite(s->center[k]) && s->half[k] >= 0 && isfinite(s->half[k]);
    }
    return good;
}

static bool is_def(const rf_movers_def *def)
{
    const rf_hulls *h = &def->shapes;
    for (size_t i = 0; i < h->count; i++) {
        if (h->first[i] < 0 || h->first[i + 1] < h->first[i]) return false;
        for (int32_t j = h->first[i]; j < h->first[i + 1]; j++) {
            if (!is_shape(&h->shape[j])) return false;
        }
    }
    for (size_t i = 0; i < def->count; i++) {
        if (def->hulls[i] < 0 || (size_t)def->hulls[i] >= h->count) return false;
    }
    return true;
}

/* The farthest place of a hull from the origin [m]; below 0 without shapes. */
static double reach_of(const rf_hulls *hulls, size_t hull)
{
    double farthest = -1;
    for (int32_t j = hulls->first[hull]; j < hulls->first[hull + 1]; j++) {
        const rf_round_box *s = &hulls->shape[j];
        double corner[3];
        for (int k = 0; k < 3; k++) corner[k] = fabs(s->center[k]) + s->half[k];
        farthest = fmax(farthest, sqrt(dot(corner, corner)) + s->radius);
    }
    return farthest;
}

static bool is_placed(const rf_movers_def *def, size_t i)
{
    bool good = true;
    for (int k = 0; k < 3; k++) good = good && fabs(def->positions[i][k]) <= 2 * RF_MAX_DISTANCE;
    for (int k = 0; k < 4; k++) good = good && fabs(def->attitudes[i][k]) <= 2;
    return good;
}

/* The box around a sphere, no smaller than it is. */
static rf_bounds bounds_of(const double center[3], double radius)
{
    rf_bounds b;
    for (int k = 0; k < 3; k++) {
        const float margin = ROUNDING * (1 + (float)(fabs(center[k]) + radius));
        b.low[k] = (float)(center[k] - radius) - margin;
        b.high[k] = (float)(center[k] + radius) + margin;
    }
    return b;
}

rf_status rf_movers_new(const rf_movers_def *def, rf_movers **made)
{
    if (!is_def(def)) return RF_BAD_ARGUMENT;
    rf_movers *m = calloc(1, sizeof *m);
    if (m == NULL) return RF_NO_MEMORY;
    m->def = *def;
    m->reach = malloc((def->shapes.count + 1) * sizeof *m->reach);
    m->entry = malloc((def->count + 1) * sizeof *m->entry);
    m->branch = malloc(2 * (def->count + 1) * sizeof *m->branch);
    if (m->reach == NULL || m->entry == NULL || m->branch == NULL) {
        rf_movers_free(m);
        return RF_NO_MEMORY;
    }
    for (size_t i = 0; i < def->shapes.count; i++) m->reach[i] = reach_of(&def->shapes, i);
    for (size_t i = 0; i < def->count; i++) {
        const double reach = m->reach[def->hulls[i]];
        if (reach <= 0 || !is_placed(def, i)) continue;
        m->entry[m->entries++] = (rf_entry){bounds_of(def->positions[i], reach), (uint32_t)i};
    }
    if (m->entries > 0) rf_tree_divide(m->entry, m->entries, LEAF, m->branch);
    *made = m;
    return RF_OK;
}

void rf_movers_free(rf_movers *movers)
{
    if (movers == NULL) return;
    free(movers->reach);
    free(movers->entry);
    free(movers->branch);
    free(movers);
}

/* ---- one shape ---- */

/* Where a ray enters and leaves the box around a shape; false where not within 0 to the reach. */
static bool crosses(const rf_round_box *s, const double from[3], const double along[3], double *reach)
{
    double enter = 0, leave = *reach;
    for (int k = 0; k < 3; k++) {
        const double extent = s->half[k] + s->radius;
        if (along[k] == 0) {
            if (fabs(from[k]) > extent) return false;
            continue;
        }
        const double a = (-extent - from[k]) / along[k], b = (extent - from[k]) / along[k];
        enter = greater(enter, lesser(a, b));
        leave = lesser(leave, greater(a, b));
    }
    *reach = lesser(*reach, leave * (1 + 1e-9) + 1e-9);
    return enter <= *reach;
}

/* The places up to the reach where a coordinate is a half size, in their order, then the reach; returns their number. */
static int divide(const rf_round_box *s, const double from[3], const double along[3], double reach,
                  double at[7])
{
    int count = 0;
    for (int k = 0; k < 6; k++) {
        const double half = k % 2 ? s->half[k / 2] : -s->half[k / 2];
        const double t = (half - from[k / 2]) / along[k / 2]; /* infinite or NaN: it does not change */
        if (!(t > 0 && t < reach)) continue;
        int i = count++;
        for (; i > 0 && at[i - 1] > t; i--) at[i] = at[i - 1];
        at[i] = t;
    }
    at[count++] = reach;
    return count;
}

/* q - r^2 from `begin` on, in a piece with its middle there: a + 2 b x + c x^2. */
typedef struct parabola {
    double a, b, c;
} parabola;

static parabola parabola_of(const rf_round_box *s, const double from[3], const double along[3], double begin,
                            double middle)
{
    parabola p = {-s->radius * s->radius, 0, 0};
    for (int k = 0; k < 3; k++) {
        const double x = from[k] + along[k] * middle;
        if (fabs(x) <= s->half[k]) continue;
        const double beyond = from[k] + along[k] * begin - copysign(s->half[k], x);
        p.a += beyond * beyond;
        p.b += beyond * along[k];
        p.c += along[k] * along[k];
    }
    return p;
}

/* The first root of a parabola from 0 on where it falls, of a ray from outside, or rises; INFINITY: none. */
static double root_of(const parabola *p, bool outside)
{
    if (outside ? p->a <= 0 : p->a >= 0) return 0; /* rounded, between two pieces */
    const double square = p->b * p->b - p->a * p->c;
    if (square < 0 || (outside && p->b >= 0) || p->c == 0) return INFINITY;
    const double root = sqrt(square);
    return outside ? p->a / (root - p->b) : p->b > 0 ? -p->a / (root + p->b) : (root - p->b) / p->c;
}

double rf_round_box_ray(const rf_round_box *shape, const double origin[3], const double direction[3],
                        double reach)
{
    double from[3], at[7];
    subtract(origin, shape->center, from);
    if (!crosses(shape, from, direction, &reach)) return INFINITY;
    const int count = divide(shape, from, direction, reach, at);
    bool outside = true;
    for (int i = 0; i < count; i++) {
        const double begin = i == 0 ? 0 : at[i - 1];
        const parabola p = parabola_of(shape, from, direction, begin, 0.5 * (begin + at[i]));
        if (i == 0) outside = p.a >= 0;
        const double root = root_of(&p, outside);
        if (root <= at[i] - begin) return begin + root;
    }
    return INFINITY;
}

/* ---- bodies ---- */

/* A vector in the axes of a body. */
static void to_body(const double q[4], const double v[3], double turned[3])
{
    double twice[3], again[3];
    cross(v, q + 1, twice); /* the inverse turn */
    for (int k = 0; k < 3; k++) twice[k] *= 2;
    cross(twice, q + 1, again);
    for (int k = 0; k < 3; k++) turned[k] = v[k] + q[0] * twice[k] + again[k];
}

/* The distance to body i up to a reach. */
static double to_mover(const rf_movers *m, size_t i, const double origin[3], const double direction[3],
                       double reach)
{
    const rf_movers_def *def = &m->def;
    const double radius = m->reach[def->hulls[i]];
    double from[3], near[3], local[3], along[3];
    subtract(origin, def->positions[i], from);
    const double middle = -dot(from, direction), begin = greater(0, middle - radius);
    if (begin > reach || middle < -radius) return INFINITY;
    for (int k = 0; k < 3; k++) near[k] = from[k] + direction[k] * begin;
    to_body(def->attitudes[i], near, local);
    to_body(def->attitudes[i], direction, along);
    double least = lesser(reach - begin, middle + radius - begin);
    bool met = false;
    for (int32_t j = def->shapes.first[def->hulls[i]]; j < def->shapes.first[def->hulls[i] + 1]; j++) {
        const double t = rf_round_box_ray(&def->shapes.shape[j], local, along, least);
        if (t <= least) least = t, met = true;
    }
    return met ? begin + least : INFINITY;
}

/* A branch to visit, and where the ray enters its box [m]. */
typedef struct visit {
    uint32_t branch;
    double enter;
} visit;

/* Where a ray enters a box, INFINITY where not up to a reach; of an axis across the ray the inverse is very large. */
static double enters(const rf_bounds *b, const double origin[3], const double inverse[3], double reach)
{
    double enter = 0, leave = reach;
    for (int k = 0; k < 3; k++) {
        const double one = ((double)b->low[k] - origin[k]) * inverse[k];
        const double two = ((double)b->high[k] - origin[k]) * inverse[k];
        enter = greater(enter, lesser(one, two));
        leave = lesser(leave, greater(one, two));
    }
    return enter <= leave * (1 + 1e-12) ? enter : INFINITY;
}

/* Meets the bodies of a leaf. */
static void meet_leaf(const rf_movers *m, const rf_branch *leaf, const double origin[3],
                      const double direction[3], int32_t ignored, rf_met *met, uint32_t *number)
{
    for (uint32_t j = leaf->first; j < leaf->first + leaf->count; j++) {
        const uint32_t i = m->entry[j].number;
        if (m->def.ids[i] == ignored) continue;
        const double t = to_mover(m, i, origin, direction, met->distance);
        if (t < met->distance || (t == met->distance && t < INFINITY && i < *number)) {
            *met = (rf_met){t, m->def.ids[i]};
            *number = i;
        }
    }
}

rf_met rf_movers_ray(const rf_movers *m, const double origin[3], const double direction[3], double reach,
                     int32_t ignored)
{
    rf_met met = {reach, -1};
    uint32_t number = UINT32_MAX;
    visit stack[RF_TREE_DEPTH + 1];
    int depth = 0;
    double inverse[3];
    for (int k = 0; k < 3; k++) inverse[k] = direction[k] != 0 ? 1 / direction[k] : LARGE;
    if (m->entries > 0) stack[depth++] = (visit){0, 0};
    while (depth > 0) {
        const visit next = stack[--depth];
        const rf_branch *branch = &m->branch[next.branch];
        if (next.enter > met.distance) continue;
        if (branch->count > 0) {
            meet_leaf(m, branch, origin, direction, ignored, &met, &number);
            continue;
        }
        visit near = {branch->first, 0}, far = {branch->first + 1, 0};
        near.enter = enters(&m->branch[near.branch].bounds, origin, inverse, met.distance);
        far.enter = enters(&m->branch[far.branch].bounds, origin, inverse, met.distance);
        if (near.enter > far.enter) {
            const visit swapped = near;
            near = far, far = swapped;
        }
        if (far.enter < INFINITY) stack[depth++] = far;
        if (near.enter < INFINITY) stack[depth++] = near;
    }
    return number == UINT32_MAX ? (rf_met){INFINITY, -1} : met;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene/manifold.h"

#include <math.h>
#include <string.h>

#include "scene/vectors.h"

#define FACING 0.02                /* sine of the angle up to which an axis is across the normal */
#define RIM    8                   /* places on the rim of a cylinder's cap */
#define HALF   0.70710678118654752 /* sine and cosine of half a right angle */
#define MOST   24                  /* corners of a clipped polygon */

/* A feature of a core: corners in order, in the plane across the normal, and along it. */
typedef struct feature {
    int count;
    double at[MOST][3]; /* m, along the two axes of the plane and the normal */
} feature;

/* Axes of the plane and the normal. */
typedef struct axes {
    double of[3][3];
} axes;

static axes axes_about(const double normal[3])
{
    axes x;
    axes_across(normal, x.of);
    memcpy(x.of[2], normal, sizeof x.of[2]);
    return x;
}

static void add_place(feature *f, const axes *x, const double place[3])
{
    for (int k = 0; k < 3; k++) f->at[f->count][k] = dot(x->of[k], place);
    f->count++;
}

/* A place of local coordinates. */
static void add_local(feature *f, const axes *x, const rf_convex *c, double u, double v, double w)
{
    const double local[3] = {u, v, w};
    double place[3];
    for (int k = 0; k < 3; k++) place[k] = c->center[k] + dot(&c->rotation[3 * k], local);
    add_place(f, x, place);
}

/* ---- features ---- */

/* The corners of a box that face a direction of local coordinates: those along the axes that are not across it are given. */
static void feature_of_box(const rf_convex *c, const axes *x, const double local[3], feature *f)
{
    static const int turns[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    double corner[3];
    int open[3], count = 0;
    for (int k = 0; k < 3; k++) {
        corner[k] = local[k] < 0 ? -c->half[k] : c->half[k];
        if (fabs(local[k]) < FACING && c->half[k] > 0 && count < 2) open[count++] = k;
    }
    for (int i = 0; i < (count == 2 ? 4 : count + 1); i++) {
        if (count > 0) corner[open[0]] = turns[i][0] * c->half[open[0]];
        if (count > 1) corner[open[1]] = turns[i][1] * c->half[open[1]];
        add_local(f, x, c, corner[0], corner[1], corner[2]);
    }
}

/* The cap, a line of the wall or a place of the rim that face a direction. */
static void feature_of_cylinder(const rf_convex *c, const axes *x, const double local[3], feature *f)
{
    static const double rim[RIM][2] = {{1, 0},  {HALF, HALF},   {0, 1},  {-HALF, HALF},
                                       {-1, 0}, {-HALF, -HALF}, {0, -1}, {HALF, -HALF}};
    double across = sqrt(local[0] * local[0] + local[1] * local[1]);
    double end = local[2] < 0 ? -c->half[2] : c->half[2];
    if (across < FACING) {
        for (int i = 0; i < RIM; i++) {
            add_local(f, x, c, c->half[0] * rim[i][0], c->half[0] * rim[i][1], end);
        }
        return;
    }
    double u = c->half[0] * local[0] / across, v = c->half[0] * local[1] / across;
    add_local(f, x, c, u, v, end);
    if (fabs(local[2]) < FACING) add_local(f, x, c, u, v, -end);
}

/* The corners of a triangle that are about as far as the farthest. */
static void feature_of_triangle(const rf_convex *c, const axes *x, const double direction[3], feature *f)
{
    double along[3], farthest = -INFINITY, size = 0;
    for (int i = 0; i < 3; i++) {
        along[i] = dot(c->corner[i], direction);
        farthest = fmax(farthest, along[i]);
        size = fmax(size, sqrt(dot(c->corner[i], c->corner[i])));
    }
    for (int i = 0; i < 3; i++) {
        if (along[i] < farthest - FACING * size) continue;
        double place[3];
        for (int k = 0; k < 3; k++) place[k] = c->center[k] + c->corner[i][k];
        add_place(f, x, place);
    }
}

static void feature_of(const rf_convex *c, const axes *x, const double direction[3], feature *f)
{
    f->count = 0;
    if (c->kind == RF_CORE_TRIANGLE) {
        feature_of_triangle(c, x, direction, f);
        return;
    }
    double local[3];
    const double *r = c->rotation;
    for (int k = 0; k < 3; k++) {
        local[k] = r[k] * direction[0] + r[3 + k] * direction[1] + r[6 + k] * direction[2];
    }
    if (c->kind == RF_CORE_BOX) {
        feature_of_box(c, x, local, f);
    } else {
        feature_of_cylinder(c, x, local, f);
    }
}

/* ---- clipping ---- */

/* Twice the area of a polygon in the plane, with its sense. */
static double area_of(const feature *f)
{
    double sum = 0;
    for (int i = 0; i < f->count; i++) {
        const double *p = f->at[i], *q = f->at[(i + 1) % f->count];
        sum += p[0] * q[1] - p[1] * q[0];
    }
    return sum;
}

/* Cuts off what lies outside of the line from p to q, to whose left the inside is (times sense). */
static void clip_by_line(feature *f, const double p[3], const double q[3], double sense)
{
    feature kept = {.count = 0};
    double side[MOST];
    for (int i = 0; i < f->count; i++) {
        side[i] = sense * ((q[0] - p[0]) * (f->at[i][1] - p[1]) - (q[1] - p[1]) * (f->at[i][0] - p[0]));
    }
    for (int i = 0; i < f->count && kept.count < MOST - 1; i++) {
        int next = (i + 1) % f->count;
        if (side[i] >= 0) memcpy(kept.at[kept.count++], f->at[i], sizeof f->at[i]);
        if ((side[i] >= 0) == (side[next] >= 0)) continue;
        if (f->count == 2 && i == 1) continue; /* an edge has one way */
        double t = side[i] / (side[i] - side[next]);
        for (int k = 0; k < 3; k++) {
            kept.at[kept.count][k] = f->at[i][k] + t * (f->at[next][k] - f->at[i][k]);
        }
        kept.count++;
    }
    *f = kept;
}

/* Height along the normal of a feature's plane, or edge, at a place of the plane across it. */
static double height_at(const feature *f, const double place[3])
{
    const double *p = f->at[0];
    if (f->count < 3) return p[2];
    const double *q = f->at[1], *r = f->at[f->count - 1];
    double u[3], v[3];
    for (int k = 0; k < 3; k++) u[k] = q[k] - p[k], v[k] = r[k] - p[k];
    double nx = u[1] * v[2] - u[2] * v[1], ny = u[2] * v[0] - u[0] * v[2], nz = u[0] * v[1] - u[1] * v[0];
    if (nz == 0) return p[2];
    return p[2] - (nx * (place[0] - p[0]) + ny * (place[1] - p[1])) / nz;
}

/* Clips a feature by a polygon; false if nothing is left. */
static bool clip(feature *f, const feature *by)
{
    double area = area_of(by);
    for (int i = 0; i < by->count && f->count > 0; i++) {
        clip_by_line(f, by->at[i], by->at[(i + 1) % by->count], area < 0 ? -1 : 1);
    }
    return f->count > 0;
}

/* ---- choice ---- */

static double apart2(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1];
    return x * x + y * y;
}

/* Chooses up to four corners: the deepest, then each time the one farthest from those chosen. */
static int choose(const feature *f, const double distance[MOST], int chosen[RF_TOUCH_PLACES])
{
    int first = 0, count = 0;
    for (int i = 1; i < f->count; i++) {
        if (distance[i] < distance[first]) first = i;
    }
    chosen[count++] = first;
    while (count < RF_TOUCH_PLACES && count < f->count) {
        int best = -1;
        double most = 1e-12;
        for (int i = 0; i < f->count; i++) {
            double nearest = INFINITY;
            for (int j = 0; j < count; j++) nearest = fmin(nearest, apart2(f->at[i], f->at[chosen[j]]));
            if (nearest > most) most = nearest, best = i;
        }
        if (best < 0) break;
        chosen[count++] = best;
    }
    return count;
}

/* The nearest places of the gap alone. */
static int single(const rf_gap *gap, rf_touch places[RF_TOUCH_PLACES])
{
    for (int k = 0; k < 3; k++) places[0].place[k] = 0.5 * (gap->at_a[k] + gap->at_b[k]);
    places[0].distance = gap->distance;
    return 1;
}

int rf_manifold(const rf_convex *a, const rf_convex *b, const rf_gap *gap, rf_touch places[RF_TOUCH_PLACES])
{
    const axes x = axes_about(gap->normal);
    const double against[3] = {-gap->normal[0], -gap->normal[1], -gap->normal[2]};
    feature of_a, of_b;
    feature_of(a, &x, against, &of_a);
    feature_of(b, &x, gap->normal, &of_b);
    bool by_a = of_b.count < 3 && of_a.count >= 3; /* the one that is a polygon clips */
    feature *clipped = by_a ? &of_b : &of_a, clipping = by_a ? of_a : of_b;
    if (clipped->count < 2 || clipping.count < 3 || !clip(clipped, &clipping)) return single(gap, places);
    double distance[MOST], radii = a->radius + b->radius, sense = by_a ? -1 : 1;
    for (int i = 0; i < clipped->count; i++) {
        distance[i] = sense * (clipped->at[i][2] - height_at(&clipping, clipped->at[i])) - radii;
    }
    int chosen[RF_TOUCH_PLACES], count = choose(clipped, distance, chosen);
    for (int i = 0; i < count; i++) {
        const double *at = clipped->at[chosen[i]];
        /* halfway between the surfaces */
        double along = at[2] + (by_a ? b->radius : -a->radius) + 0.5 * (by_a ? 1 : -1) * distance[chosen[i]];
        for (int k = 0; k < 3; k++) {
            places[i].place[k] = at[0] * x.of[0][k] + at[1] * x.of[1][k] + along * x.of[2][k];
        }
        places[i].distance = distance[chosen[i]];
    }
    return count;
}

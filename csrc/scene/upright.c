/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "scene/upright.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"

#define ROUNDING 2e-6f /* of places, of which floats round */

/* The farthest that a body reaches from its centre, level [m]. */
static double radius_of(const rf_scene_def *def, size_t i)
{
    const double *r = def->rotations[i], *half = def->half_sizes[i];
    if (def->kinds[i] == RF_SHAPE_SPHERE) return half[0];
    if (def->kinds[i] == RF_SHAPE_CYLINDER) return half[0] + half[2] * hypot(r[2], r[5]);
    double farthest = 0;
    for (int corner = 0; corner < 4; corner++) {
        const double x = corner & 1 ? -half[0] : half[0], y = corner & 2 ? -half[1] : half[1], z = half[2];
        farthest = fmax(farthest, hypot(r[0] * x + r[1] * y + r[2] * z, r[3] * x + r[4] * y + r[5] * z));
    }
    return farthest;
}

/* A cylinder. */
typedef struct upright {
    float center[3], radius, half; /* m */
} upright;

static upright around_body(const rf_scene *scene, const rf_entry *e)
{
    const rf_body *b = &scene->body[e->number];
    const float *c = b->center;
    const float level = (float)radius_of(&scene->def, b->shape) + ROUNDING * (1 + fabsf(c[0]) + fabsf(c[1]));
    const float half = 0.5f * (e->bounds.high[2] - e->bounds.low[2]) + ROUNDING * (1 + fabsf(c[2]));
    return (upright){{c[0], c[1], c[2]}, level, half};
}

static upright around_some(const rf_uprights *some)
{
    upright u = {{0, 0, 0}, 0, 0};
    float low = some->z[0], high = some->z[0];
    for (size_t i = 0; i < some->count; i++) {
        u.center[0] += some->x[i] / (float)some->count;
        u.center[1] += some->y[i] / (float)some->count;
        low = fminf(low, some->z[i] - some->half[i]);
        high = fmaxf(high, some->z[i] + some->half[i]);
    }
    u.center[2] = 0.5f * (low + high);
    u.half = 0.5f * (high - low) + ROUNDING * (1 + fabsf(low) + fabsf(high));
    for (size_t i = 0; i < some->count; i++) {
        const float apart = hypotf(some->x[i] - u.center[0], some->y[i] - u.center[1]);
        u.radius = fmaxf(u.radius, apart + some->radius[i]);
    }
    u.radius += ROUNDING * (1 + fabsf(u.center[0]) + fabsf(u.center[1]));
    return u;
}

static void add_upright(rf_uprights *to, upright u, uint32_t number)
{
    const size_t i = to->count++;
    to->x[i] = u.center[0];
    to->y[i] = u.center[1];
    to->z[i] = u.center[2];
    to->radius[i] = u.radius;
    to->half[i] = u.half;
    to->number[i] = number;
}

/* Places for cylinders; no ray meets one that is not filled. */
static rf_uprights *uprights_new(size_t count)
{
    rf_uprights *made = rf_aligned_alloc(RF_SCENE_ALIGNMENT, count * sizeof *made);
    if (made == NULL) return NULL;
    memset(made, 0, count * sizeof *made);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < RF_TREE_WIDTH; j++) made[i].radius[j] = -1e30f;
    }
    return made;
}

static int order(const rf_bounds *a, const rf_bounds *b, int axis)
{
    const float x = a->low[axis] + a->high[axis], y = b->low[axis] + b->high[axis];
    return (x > y) - (x < y);
}

static int by_north(const void *a, const void *b)
{
    return order(&((const rf_entry *)a)->bounds, &((const rf_entry *)b)->bounds, 0);
}

static int by_east(const void *a, const void *b)
{
    return order(&((const rf_entry *)a)->bounds, &((const rf_entry *)b)->bounds, 1);
}

static float length_of(const rf_entry *entries, size_t count, int axis)
{
    float low = 1e30f, high = -1e30f;
    for (size_t i = 0; i < count; i++) {
        low = fminf(low, entries[i].bounds.low[axis]);
        high = fmaxf(high, entries[i].bounds.high[axis]);
    }
    return high - low;
}

/* Halves bodies across the longer level extent, down to those of one group, all but the last of which are full. */
static void divide(rf_scene *scene, rf_entry *entries, size_t count)
{
    if (count > RF_TREE_WIDTH) {
        const bool long_north = length_of(entries, count, 0) > length_of(entries, count, 1);
        const size_t first = (count + 2 * RF_TREE_WIDTH - 1) / (2 * RF_TREE_WIDTH) * RF_TREE_WIDTH;
        qsort(entries, count, sizeof *entries, long_north ? by_north : by_east);
        divide(scene, entries, first);
        divide(scene, entries + first, count - first);
        return;
    }
    const size_t number = scene->uprights++;
    rf_uprights *some = &scene->upright[number];
    for (size_t i = 0; i < count; i++) add_upright(some, around_body(scene, &entries[i]), entries[i].number);
    add_upright(&scene->around[number / RF_TREE_WIDTH], around_some(some), (uint32_t)number);
}

rf_status rf_uprights_build(rf_scene *scene, const rf_entry *entries)
{
    const size_t count = scene->bodies, groups = (count + RF_TREE_WIDTH - 1) / RF_TREE_WIDTH;
    if (scene->def.triangles > 0 || count == 0 || count > RF_SCENE_SEVERAL) return RF_OK;
    scene->upright = uprights_new(groups);
    scene->around = uprights_new((groups + RF_TREE_WIDTH - 1) / RF_TREE_WIDTH);
    rf_entry *own = malloc(count * sizeof *own);
    const bool made = scene->upright != NULL && scene->around != NULL && own != NULL;
    if (made) {
        memcpy(own, entries, count * sizeof *own);
        divide(scene, own, count);
    }
    free(own);
    return made ? RF_OK : RF_NO_MEMORY;
}

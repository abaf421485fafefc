/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>

#include "base/platform.h"
#include "scene/nodes.h"
#include "scene/upright.h"
#include "scene/vectors.h"

/* Widens bounds by what floats round, of the bodies and of rays: eight steps, and a micrometre near the middle. */
#define ROUNDING 1e-6f
#define FRICTION 10.0 /* maximum of a friction coefficient */

static bool has_sizes(const rf_scene_def *def, size_t i)
{
    for (int k = 0; k < 3; k++) {
        if (!(def->half_sizes[i][k] > 0 && def->half_sizes[i][k] <= 2 * RF_SCENE_REACH)) return false;
    }
    return true;
}

static bool is_shape(const rf_scene_def *def, size_t i)
{
    if (def->kinds[i] == RF_SHAPE_MESH) return true;
    if (def->kinds[i] > RF_SHAPE_MESH || !all_within(def->centers[i], 3, RF_MAX_DISTANCE)) return false;
    if (!(def->friction[i] >= 0 && def->friction[i] <= FRICTION) ||
        !(def->restitution[i] >= 0 && def->restitution[i] <= 1)) {
        return false;
    }
    return all_within(def->rotations[i], 9, 1.001) && (def->kinds[i] == RF_SHAPE_PLANE || has_sizes(def, i));
}

static bool is_triangle(const rf_scene_def *def, size_t i)
{
    int32_t owner = def->owners[i];
    if (owner < 0 || (size_t)owner >= def->shapes || def->kinds[owner] != RF_SHAPE_MESH) return false;
    return all_within(def->corners[i], 9, RF_MAX_DISTANCE);
}

/* The number of a kind of shapes. */
static size_t count_of(const rf_scene_def *def, rf_shape_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < def->shapes; i++) count += def->kinds[i] == kind;
    return count;
}

static rf_status check(const rf_scene_def *def, size_t *bad)
{
    for (size_t i = 0; i < def->shapes; i++) {
        *bad = i;
        if (!is_shape(def, i)) return RF_BAD_ARGUMENT;
    }
    for (size_t i = 0; i < def->triangles; i++) {
        *bad = def->shapes + i;
        if (!is_triangle(def, i)) return RF_BAD_ARGUMENT;
    }
    *bad = 0;
    bool fits = def->shapes <= RF_SCENE_SHAPES && def->triangles <= RF_SCENE_TRIANGLES;
    return fits && count_of(def, RF_SHAPE_PLANE) <= RF_SCENE_PLANES ? RF_OK : RF_BAD_ARGUMENT;
}

/* Half the extent of a shape along an axis of NED. */
static double extent_of(const rf_scene_def *def, size_t i, int axis)
{
    const double *r = &def->rotations[i][3 * axis], *half = def->half_sizes[i];
    switch (def->kinds[i]) {
    case RF_SHAPE_SPHERE:
        return half[0];
    case RF_SHAPE_CYLINDER:
        return half[0] * sqrt(r[0] * r[0] + r[1] * r[1]) + half[2] * fabs(r[2]);
    default:
        return fabs(r[0]) * half[0] + fabs(r[1]) * half[1] + fabs(r[2]) * half[2];
    }
}

/* A box along the axes [m, NED]. */
typedef struct extent {
    double low[3], high[3];
} extent;

static const extent nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

/* The box around another and a shape, or a triangle. */
static extent with_shape(extent e, const rf_scene_def *def, size_t i)
{
    for (int k = 0; k < 3; k++) {
        double half = extent_of(def, i, k);
        e.low[k] = fmin(e.low[k], def->centers[i][k] - half);
        e.high[k] = fmax(e.high[k], def->centers[i][k] + half);
    }
    return e;
}

static extent with_triangle(extent e, const rf_scene_def *def, size_t i)
{
    for (int k = 0; k < 9; k++) {
        e.low[k % 3] = fmin(e.low[k % 3], def->corners[i][k]);
        e.high[k % 3] = fmax(e.high[k % 3], def->corners[i][k]);
    }
    return e;
}

static bool is_body(const rf_scene_def *def, size_t i)
{
    return def->kinds[i] < RF_SHAPE_PLANE;
}

/* The middle of all bodies and triangles, or of the first shape, a plane; false where one is too far from it. */
static bool find_middle(const rf_scene_def *def, double middle[3])
{
    extent all = nothing;
    for (size_t i = 0; i < def->shapes; i++) {
        if (is_body(def, i)) all = with_shape(all, def, i);
    }
    for (size_t i = 0; i < def->triangles; i++) all = with_triangle(all, def, i);
    bool ends = all.low[0] <= all.high[0], near = true;
    for (int k = 0; k < 3; k++) {
        middle[k] = ends ? 0.5 * (all.low[k] + all.high[k]) : def->shapes > 0 ? def->centers[0][k] : 0;
        near &= !ends || all.high[k] - all.low[k] <= 2 * RF_SCENE_REACH;
    }
    return near;
}

/* ---- bodies ---- */

/* The bounds as floats about the middle, no smaller than they are. */
static rf_bounds bounds_of(extent e, const double middle[3])
{
    rf_bounds b;
    for (int k = 0; k < 3; k++) {
        float from = (float)(e.low[k] - middle[k]), to = (float)(e.high[k] - middle[k]);
        float margin = ROUNDING * (1 + fmaxf(fabsf(from), fabsf(to)));
        b.low[k] = from - margin;
        b.high[k] = to + margin;
    }
    return b;
}

static rf_body body_of(const rf_scene_def *def, size_t i, const double middle[3])
{
    rf_body b = {.kind = def->kinds[i], .shape = (uint32_t)i};
    for (int k = 0; k < 3; k++) {
        b.center[k] = (float)(def->centers[i][k] - middle[k]);
        for (int j = 0; j < 3; j++) {
            b.rows[3 * k + j] = (float)(def->rotations[i][3 * j + k] / def->half_sizes[i][k]);
        }
    }
    return b;
}

/* Fills the bodies, and what the tree is made of. */
static void fill_bodies(rf_scene *scene, const rf_scene_def *def, rf_entry *entries)
{
    const double *middle = scene->middle;
    uint32_t n = 0;
    for (size_t i = 0; i < def->shapes; i++) {
        if (!is_body(def, i)) continue;
        entries[n] = (rf_entry){bounds_of(with_shape(nothing, def, i), middle), n};
        scene->body[n++] = body_of(def, i, middle);
    }
    for (size_t i = 0; i < def->triangles; i++) {
        entries[n++] = (rf_entry){bounds_of(with_triangle(nothing, def, i), middle), (uint32_t)i};
    }
}

static void fill_planes(rf_scene *scene, const rf_scene_def *def)
{
    for (size_t i = 0; i < def->shapes; i++) {
        if (def->kinds[i] != RF_SHAPE_PLANE) continue;
        rf_plane p = {.shape = (uint32_t)i};
        double offset = 0;
        for (int k = 0; k < 3; k++) {
            double normal = -def->rotations[i][3 * k + 2]; /* local -z */
            p.normal[k] = (float)normal;
            offset += normal * (def->centers[i][k] - scene->middle[k]);
        }
        p.offset = (float)offset;
        scene->plane[scene->planes++] = p;
    }
}

/* ---- the scene ---- */

static rf_status fill_tree(rf_scene *scene, const rf_scene_def *def)
{
    for (size_t i = 0; i < def->shapes; i++) scene->bodies += is_body(def, i);
    scene->body = malloc((scene->bodies + 1) * sizeof *scene->body);
    rf_entry *entries = malloc((scene->bodies + def->triangles + 1) * sizeof *entries);
    rf_status status = RF_NO_MEMORY;
    if (scene->body != NULL && entries != NULL) {
        fill_bodies(scene, def, entries);
        status = rf_uprights_build(scene, entries);
        if (status == RF_OK) status = rf_nodes_build(scene, entries, def);
    }
    free(entries);
    return status;
}

rf_status rf_scene_new(const rf_scene_def *def, rf_scene **made, size_t *bad)
{
    rf_status status = check(def, bad);
    if (status != RF_OK) return status;
    rf_scene *scene = calloc(1, sizeof *scene);
    if (scene == NULL) return RF_NO_MEMORY;
    scene->def = *def;
    status = find_middle(def, scene->middle) ? fill_tree(scene, def) : RF_BAD_ARGUMENT;
    if (status != RF_OK) {
        rf_scene_free(scene);
        return status;
    }
    fill_planes(scene, def);
    *made = scene;
    return RF_OK;
}

void rf_scene_free(rf_scene *scene)
{
    if (scene == NULL) return;
    free(scene->body);
    rf_aligned_free(scene->leaf);
    rf_aligned_free(scene->node);
    rf_aligned_free(scene->upright);
    rf_aligned_free(scene->around);
    free(scene);
}

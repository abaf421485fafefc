/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "scene/upright.h"

#include <math.h>
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

static void add_upright(rf_uprights *to, const rf_scene *scene, uint32_t number, const rf_bounds *bounds)
{
    const rf_body *b = &scene->body[number];
    const size_t i = to->count++;
    to->x[i] = b->center[0];
    to->y[i] = b->center[1];
    to->z[i] = b->center[2];
    to->radius[i] =
        (float)radius_of(&scene->def, b->shape) + ROUNDING * (1 + fabsf(b->center[0]) + fabsf(b->center[1]));
    to->half[i] = 0.5f * (bounds->high[2] - bounds->low[2]) + ROUNDING * (1 + fabsf(b->center[2]));
    to->body[i] = number;
}

rf_status rf_uprights_build(rf_scene *scene, const rf_entry *entries)
{
    const size_t count = (scene->bodies + RF_TREE_WIDTH - 1) / RF_TREE_WIDTH;
    if (scene->def.triangles > 0 || scene->bodies == 0 || scene->bodies > RF_SCENE_SMALL) return RF_OK;
    scene->upright = rf_aligned_alloc(RF_SCENE_ALIGNMENT, count * sizeof *scene->upright);
    if (scene->upright == NULL) return RF_NO_MEMORY;
    memset(scene->upright, 0, count * sizeof *scene->upright);
    scene->uprights = count;
    for (uint32_t i = 0; i < scene->bodies; i++) {
        add_upright(&scene->upright[i / RF_TREE_WIDTH], scene, i, &entries[i].bounds);
    }
    return RF_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/reports.h"

#include <math.h>
#include <string.h>

#include "parts/collision/columns.h"
#include "scene/rays.h"

/* Places of the numbers (parts/rebound/update.c). */
enum { MARKER, HIT, SIZE, POSITION, VELOCITY = 6, RAYS = 9, DOWN = 14 };
enum { WAYS = 6 };

static const double ways[WAYS][3] = {{1, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};

/* From the centre to the farthest place of all shapes, to a side and upwards [m]. */
static void half_sizes(const collision_columns *c, size_t row, double *side, double *up)
{
    *side = *up = 0;
    for (int i = 0; i < COLLISION_SHAPES; i++) {
        const double radius = value_of(&c->collision_radius, i, row);
        double far[3];
        if (!(radius > 0)) continue;
        for (int k = 0; k < 3; k++) {
            const double middle = value_of(&c->collision_position, k * COLLISION_SHAPES + i, row);
            far[k] = value_of(&c->collision_half_size, k * COLLISION_SHAPES + i, row) + radius +
                     (k == 2 ? -middle : fabs(middle));
        }
        *side = fmax(*side, fmax(far[0], far[1]));
        *up = fmax(*up, far[2]);
    }
}

static void cast(const collision_columns *c, const rf_scene *scene, const double from[3], double reach,
                 float distance[WAYS])
{
    int32_t shape[WAYS];
    const double origin[1][3] = {{from[0], from[1], from[2]}};
    const rf_rays rays = {.origins = origin,
                          .directions = ways,
                          .count = WAYS,
                          .each = WAYS,
                          .direction_count = WAYS,
                          .reach = reach,
                          .distance = distance,
                          .shape = shape};
    rf_batch_get_def(c->batch)->simd->cast_rays(scene, &rays, 0, WAYS);
}

void report_walls(const collision_columns *c, size_t row, const rf_scene *scene)
{
    rf_library *model = rf_batch_library(c->batch, row);
    double pos[3], side, up;
    float distance[WAYS];
    if (!c->collision_enabled[row] || c->status[row] != 0) {
        memset(model->told, 0, sizeof model->told);
        return;
    }
    for (int k = 0; k < 3; k++) pos[k] = value_of(&c->pos, k, row);
    half_sizes(c, row, &side, &up);
    for (int i = 0; i < WAYS; i++) distance[i] = INFINITY;
    if (scene != NULL) cast(c, scene, pos, RF_REPORT_FAR + fmax(side, up), distance);
    model->told[MARKER] = 12345;
    for (int i = 0; i < WAYS; i++) {
        const double size = i < 4 ? side : RAYS + i < DOWN ? up : 0;
        model->told[RAYS + i] = fmin(distance[i] - size, RF_REPORT_FAR);
    }
    memcpy(model->told + POSITION, pos, sizeof pos);
}

void report_hit(const collision_columns *c, size_t row, uint32_t tick, const rf_collider *body)
{
    rf_library *model = rf_batch_library(c->batch, row);
    if (body->struck_id == 0 || !(body->struck_mobility > 0)) return;
    const double ratio = body->solid.mobility / body->struck_mobility;
    model->told[HIT] = body->struck_id;
    model->told[SIZE] = sqrt(ratio);
    memcpy(model->told + VELOCITY, body->struck_velocity, sizeof body->struck_velocity);
    if (!(model->able & RF_LIBRARY_ANSWERS)) return;
    for (int k = 0; k < 3; k++) {
        const double vel = value_of(&c->vel, k, row);
        model->answer[k] = (vel + ratio * body->struck_velocity[k]) / (1 + ratio);
    }
    model->hit_at = tick;
    model->answers = true;
}

void expect_answer(const collision_columns *c, size_t row, uint32_t tick, double dt, rf_collider *body)
{
    rf_library *model = rf_batch_library(c->batch, row);
    if (model == NULL || !model->answers) return;
    if ((tick - model->hit_at) * dt < RF_ANSWER_TIME) {
        memcpy(body->solid.velocity, model->answer, sizeof model->answer);
    } else {
        model->answers = false;
    }
}

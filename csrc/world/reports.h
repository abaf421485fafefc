/* SPDX-License-Identifier: BSD-3-Clause */
/* What models in libraries are told of collisions.  Their state is their own: contacts do not change it.  As RflySim3D does
 * [@rfly-collision 3.1], they get numbers, `inFloatsCollision`, by which they throw themselves back:
 *
 *     hit     once, where a vehicle struck them: its CopterID, square root of its mass over theirs, and its velocity
 *     walls   distances to the scene by six rays from the centre, less the half size of the hull; down from the centre; of nothing
 *             RF_REPORT_FAR
 *
 * The other vehicle is pushed by a body with the mass of the model, which does not turn.  For RF_ANSWER_TIME after a hit others
 * meet it with the velocity that it will have by the published rule, which takes so long: else it would push on. */
#ifndef RF_WORLD_REPORTS_H
#define RF_WORLD_REPORTS_H

#include "scene/scene.h"
#include "world/collision_columns.h"

#define RF_REPORT_FAR  100.0 /* m, as RflySim's model takes it at first */
#define RF_ANSWER_TIME 0.05  /* s */

/* Tells the model of a vehicle which takes part where the walls are; `scene` may be NULL. */
void report_walls(const collision_columns *c, size_t row, const rf_scene *scene);

/* Tells it of the impact that a body had with another vehicle, if it had one. */
void report_hit(const collision_columns *c, size_t row, uint32_t tick, const rf_collider *body);

/* Gives a body, while its model answers a hit, the velocity that it will have; `tick` is the present one, `dt` a step [s]. */
void expect_answer(const collision_columns *c, size_t row, uint32_t tick, double dt, rf_collider *body);

#endif

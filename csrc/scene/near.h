/* SPDX-License-Identifier: BSD-3-Clause */
/* What of a scene is near a place, as obstacles. */
#ifndef RF_SCENE_NEAR_H
#define RF_SCENE_NEAR_H

#include "scene/collide.h"
#include "scene/scene.h"

typedef void (*rf_near_visit)(void *context, const rf_obstacle *obstacle, uint32_t shape);

/* Visits the bodies and triangles that come near a box around a place [m, NED], which reaches so far along each axis, and the
 * planes within a distance of the place, in an order that depends on the scene alone. */
void rf_scene_near(const rf_scene *scene, const double place[3], double distance, const double reach[3],
                   rf_near_visit visit, void *context);

/* Whether it may visit any: it comes near the box of one. */
bool rf_scene_is_near(const rf_scene *scene, const double place[3], double distance);

#endif

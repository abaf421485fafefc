/* SPDX-License-Identifier: BSD-3-Clause */
/* Rays of many origins into a scene: the first surface that each meets.
 *
 * Rays are cast in lanes: a packet of them goes through the tree together, so that neighbours, such as those of a lidar,
 * share their way.  A ray's result does not depend on the others of its packet.  Surfaces count from both sides: a ray that
 * starts within a body meets it from within.  Of surfaces at one distance that of the lower shape counts.  In single
 * precision: a distance is within 1e-6 of the scene's extent. */
#ifndef RF_SCENE_RAYS_H
#define RF_SCENE_RAYS_H

#include "scene/scene.h"

#define RF_NO_SHAPE (-1)

/* Rays, and what they meet.  Ray i begins at origin i / each and has direction i % directions. */
typedef struct rf_rays {
    const double (*origins)[3];    /* m, NED */
    const double (*directions)[3]; /* any length but 0 */
    size_t count, each, direction_count;
    double reach; /* m, farther surfaces are not met */
    float *
        distance; /* m; infinite where nothing is met, NaN where a number is not finite or a direction has no length */
    int32_t *shape; /* of the scene; RF_NO_SHAPE */
} rf_rays;

/* Casts the rays `first` to `first + count`. */
typedef void (*rf_rays_cast)(const rf_scene *scene, const rf_rays *rays, size_t first, size_t count);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Rays into all that there is: the scene, the ground and what moves; the nearest counts, of those at one distance the first of
 * them.
 *
 * The ground is that of a terrain map, or level at the z of each origin. */
#ifndef RF_SCENE_SIGHT_H
#define RF_SCENE_SIGHT_H

#include "scene/movers.h"
#include "scene/rays.h"
#include "scene/relief.h"

/* What a ray meets, in the order of Python's. */
typedef enum rf_seen { RF_SEEN_NOTHING, RF_SEEN_SHAPE, RF_SEEN_GROUND, RF_SEEN_MOVER } rf_seen;

/* What there is to be met. */
typedef struct rf_sight {
    const rf_scene *scene;   /* or NULL */
    rf_rays_cast cast;       /* of the instruction set */
    const rf_relief *map;    /* or NULL */
    const double *level;     /* m, z of level ground at each origin, NaN: none; or NULL */
    const rf_movers *movers; /* or NULL */
    const int32_t *ignored;  /* the id of the mover that rays of each origin do not see; with movers */
} rf_sight;

/* Casts the rays `first` to `first + count`: their distances, what each meets in `seen`, and its number in `shape`, that of a
 * shape of the scene or the id of a mover, RF_NO_SHAPE of the ground or nothing. */
void rf_sight_cast(const rf_sight *sight, const rf_rays *rays, uint8_t *seen, size_t first, size_t count);

#endif

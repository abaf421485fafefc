/* SPDX-License-Identifier: BSD-3-Clause */
/* The earth as the step of a family reads it. */
#ifndef RF_PARTS_EARTH_HELD_H
#define RF_PARTS_EARTH_HELD_H

#include "models/earth.h"
#include "parts/block.h"
#include "parts/earth/columns.h"

/* Values of earth_shape. */
enum { EARTH_FLAT, EARTH_ELLIPSOID, EARTH_AT_REST };

typedef struct earth_below {
    mask curved; /* false: the other members are those of the sphere, not used */
    earth e;
} earth_below;

LANE_INLINE earth_below earth_of(const block *b)
{
    earth_below found = {.curved = mask_not(mask_true())};
    found.e = earth_sphere(b->origin->height);
    if (!part_enabled(b, RF_PART_earth)) return found;
    mask shape = words_load(part_words(b, RF_PART_earth)), ellipsoid = shape == EARTH_ELLIPSOID;
    const earth rotating = earth_ellipsoid(b->origin);
    rows_select((lane *)&found.e, ellipsoid, (const lane *)&rotating, (const lane *)&found.e, ROWS_OF(earth));
    found.curved = words_have(shape, EARTH_ELLIPSOID | EARTH_AT_REST);
    return found;
}

/* Acceleration of a free fall [m/s^2, NED]; over a flat earth that of `gravity`. */
LANE_INLINE vec3 earth_below_free_fall(const earth_below *below, vec3 pos, vec3 vel, lane gravity)
{
    const vec3 flat = vec3_of(lane_of(0), lane_of(0), gravity);
    if (!mask_any(below->curved)) return flat;
    return vec3_select(below->curved, earth_free_fall(&below->e, pos, vel), flat);
}

/* Angular velocity of the local frame [rad/s, NED]. */
LANE_INLINE vec3 earth_below_spin(const earth_below *below)
{
    const lane zero = lane_of(0);
    return vec3_select(below->curved, below->e.spin, vec3_of(zero, zero, zero));
}

#endif

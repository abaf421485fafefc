/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the rays of range finders end, in the scene and on the ground (scene/sight.h): the terrain map of vehicles that are
 * on it, level ground at the `terrain` of others.  Leaves out: other vehicles, the width of the beam. */
#ifndef RF_PARTS_SIGHT_LOOK_H
#define RF_PARTS_SIGHT_LOOK_H

#include "math/vec.h"
#include "models/range_finder.h"
#include "parts/sight/columns.h"
#include "parts/terrain/held.h"
#include "scene/sight.h"

typedef struct sight_words {
    SIGHT_PART_WORD(COLUMN_MEMBER)
} sight_words;

/* What range finders see, where they do; without an echo the distance is infinite. */
typedef struct range_look {
    mask sees;
    lane distance; /* m */
} range_look;

/* The distance [m] of vehicle k of a block along a direction. */
LANE_INLINE double sight_distance(const block *b, const rf_sight *sight, size_t k, const double from[3],
                                  const double along[3], double terrain)
{
    rf_sight own = *sight;
    own.level = &terrain;
    if (!part_enabled(b, RF_PART_terrain) || !TERRAIN_WORD(b, on_terrain_map)[k]) own.map = NULL;
    float distance;
    int32_t shape;
    uint8_t seen;
    const rf_rays ray = {(const double(*)[3])from,
                         (const double(*)[3])along,
                         1,
                         1,
                         1,
                         (double)RANGE_FINDER_FARTHEST,
                         &distance,
                         &shape};
    rf_sight_cast(&own, &ray, &seen, 0, 1);
    return (double)distance;
}

/* What the vehicles of a block see along their down axis [NED] where `due`. */
LANE_INLINE range_look sight_range(const block *b, const rf_sight *sight, vec3 pos, vec3 down, lane terrain,
                                   mask due)
{
    range_look look = {due & 0, lane_of(0)};
    if (!part_enabled(b, RF_PART_sight)) return look;
    look.sees = words_load(PART_WORD(b, sight, sight_words, range_sees)) != 0;
    const mask asked = look.sees & due;
    if (!mask_any(asked)) return look;
    for (size_t k = 0; k < LANE_WIDTH; k++) {
        if (!asked[k]) continue;
        const double from[3] = {(double)pos.x[k], (double)pos.y[k], (double)pos.z[k]};
        const double along[3] = {(double)down.x[k], (double)down.y[k], (double)down.z[k]};
        look.distance[k] = (real)sight_distance(b, sight, k, from, along, (double)terrain[k]);
    }
    return look;
}

#endif

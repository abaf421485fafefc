/* SPDX-License-Identifier: BSD-3-Clause */
/* Horizontal distance of a position outside a polygon [m], negative inside; of a polygon of one corner, its distance.
 *
 * The distance is that to the nearest point of an edge.  A position is inside where a ray from it towards the north
 * meets an odd number of edges, so that edges may cross each other. */
#ifndef RF_PARTS_SAFETY_AREA_H
#define RF_PARTS_SAFETY_AREA_H

#include "parts/safety/held.h"

/* An edge of an area, from a position [m]. */
typedef struct area_edge {
    lane north, east, to_north, to_east;
} area_edge;

/* Square of the distance to an edge; one without length is a point. */
LANE_INLINE lane area_edge_distance2(const area_edge *e)
{
    const lane dn = e->to_north - e->north, de = e->to_east - e->east, length2 = dn * dn + de * de;
    const lane some = lane_select(length2 > 0, length2, lane_of(1));
    const lane along = lane_clamp(-(e->north * dn + e->east * de) / some, lane_of(0), lane_of(1));
    const lane n = e->north + along * dn, east = e->east + along * de;
    return n * n + east * east;
}

/* Where a ray towards the north meets an edge. */
LANE_INLINE mask area_edge_is_north(const area_edge *e)
{
    const mask spans = (e->east > 0) != (e->to_east > 0);
    const lane de = lane_select(spans, e->to_east - e->east, lane_of(1));
    return spans & (e->north - e->east / de * (e->to_north - e->north) > 0);
}

/* The largest number of corners of the areas of a block: those with fewer have their last one again. */
LANE_INLINE int area_count(const block *b)
{
    const uint32_t *corners = SAFETY_WORD(b, area_corners, 0);
    uint32_t count = 1;
    for (int i = 0; i < LANE_WIDTH; i++) count = corners[i] > count ? corners[i] : count;
    return count < SAFETY_CORNERS ? (int)count : SAFETY_CORNERS;
}

LANE_INLINE lane area_distance(const block *b, vec3 pos)
{
    const int count = area_count(b);
    lane square = lane_of((real)1e30);
    mask inside = mask_not(mask_true());
    area_edge e = {.to_north = lane_load(SAFETY_ROW(b, area_north, count - 1)) - pos.x,
                   .to_east = lane_load(SAFETY_ROW(b, area_east, count - 1)) - pos.y};
    for (int i = 0; i < count; i++) {
        e.north = e.to_north, e.east = e.to_east;
        e.to_north = lane_load(SAFETY_ROW(b, area_north, i)) - pos.x;
        e.to_east = lane_load(SAFETY_ROW(b, area_east, i)) - pos.y;
        square = lane_min(square, area_edge_distance2(&e));
        inside = inside != area_edge_is_north(&e);
    }
    const lane distance = lane_sqrt(square);
    return lane_select(inside, -distance, distance);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Islands: bodies that contacts join, by union and find.  What stands joins none. */
#ifndef RF_SCENE_ISLANDS_H
#define RF_SCENE_ISLANDS_H

#include "scene/collide.h"

/* Calls with both bodies of each meeting, the second of which may be missing. */
void rf_each_body(const rf_meetings *meetings, void act(rf_collider *));

/* Finds the islands of all contacts. */
void rf_islands_find(rf_meetings *meetings);

/* The island of a body. */
rf_island *rf_island_of(rf_collider *body);

#endif

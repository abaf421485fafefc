/* SPDX-License-Identifier: BSD-3-Clause */
/* Division of bodies by the surface area heuristic: a binary tree of bounding boxes.
 *
 * A node is divided where the expected cost of a ray is least [@wald]: by bins along the longest extent of the centres, with costs in proportion to surface and number. */
#ifndef RF_SCENE_TREE_H
#define RF_SCENE_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define RF_TREE_DEPTH 64 /* at most, of up to 2^24 bodies */

/* A box along the axes [m]. */
typedef struct rf_bounds {
    float low[3], high[3];
} rf_bounds;

/* A body to divide, with a number of the caller's. */
typedef struct rf_entry {
    rf_bounds bounds;
    uint32_t number;
} rf_entry;

/* A node: two children, at `first` and after it, or the `count` entries from `first` on. */
typedef struct rf_branch {
    rf_bounds bounds;
    uint32_t first, count; /* 0: has children */
} rf_branch;

/* Divides at least one entry down to `leaf` a node: puts them in the order of the leaves, and fills `branches`, which has
 * room for twice their number; the first is the root.  Returns the number of branches. */
size_t rf_tree_divide(rf_entry *entries, size_t count, size_t leaf, rf_branch *branches);

float rf_half_surface(const rf_bounds *bounds);

#endif

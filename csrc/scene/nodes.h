/* SPDX-License-Identifier: BSD-3-Clause */
/* The tree of a scene: nodes of up to RF_TREE_WIDTH children, which a ray or a bundle of rays meets in lanes.
 *
 * Triangles are first put together to leaves; leaves and bodies are then divided to a binary tree (tree.h), of which each
 * node takes up the children of its largest child until it is full. */
#ifndef RF_SCENE_NODES_H
#define RF_SCENE_NODES_H

#include "scene/scene.h"
#include "scene/tree.h"

/* Makes the leaves and nodes of a scene that has its bodies.  Entries are those of its bodies, in their order, then of the
 * triangles of the definition, numbered as there.  RF_NO_MEMORY. */
rf_status rf_nodes_build(rf_scene *scene, rf_entry *entries, const rf_scene_def *def);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Upright cylinders around the bodies of a scene of up to RF_SCENE_SEVERAL, and around groups of up to RF_TREE_WIDTH of them
 * that lie together: most bodies stand, and of a ray that passes one by, that is cheaper to tell than of a box. */
#ifndef RF_SCENE_UPRIGHT_H
#define RF_SCENE_UPRIGHT_H

#include "scene/scene.h"
#include "scene/tree.h"

/* Fills the cylinders of a scene that has its bodies, of which entries have the bounds.  RF_NO_MEMORY. */
rf_status rf_uprights_build(rf_scene *scene, const rf_entry *entries);

#endif

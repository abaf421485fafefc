/* SPDX-License-Identifier: BSD-3-Clause */
/* Where two convex bodies touch: up to four places, so that one can stand on the other.
 *
 * The features of both cores that face each other, a face, an edge or a corner, are laid on the plane across the normal of
 * their gap, and one is clipped by the other [@ericson 5.2]. */
#ifndef RF_SCENE_MANIFOLD_H
#define RF_SCENE_MANIFOLD_H

#include "scene/convex.h"

#define RF_TOUCH_PLACES 4

typedef struct rf_touch {
    double place[3]; /* m, NED, between the surfaces */
    double distance; /* m, of the surfaces there */
} rf_touch;

/* The places at a gap; at least one. */
int rf_manifold(const rf_convex *a, const rf_convex *b, const rf_gap *gap, rf_touch places[RF_TOUCH_PLACES]);

#endif

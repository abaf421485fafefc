/* SPDX-License-Identifier: BSD-3-Clause */
/* Few contacts in place of many, as of a body on a fine mesh.
 *
 * The first to touch is kept, then again and again the one that differs most from those that are kept, by its place and its
 * normal: what is kept spans the others, so that a body stands on it as on all. */
#ifndef RF_WORLD_THINNING_H
#define RF_WORLD_THINNING_H

#include "scene/collide.h"

#define RF_THINNED 32

/* Keeps RF_THINNED of the contacts from number `first` on, which are of one body. */
void thin_out(rf_meetings *meetings, size_t first);

#endif

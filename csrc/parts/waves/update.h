/* SPDX-License-Identifier: BSD-3-Clause */
/* The waves at the environment's rate: the sum of the components of the sea at each vehicle of a block. */
#ifndef RF_PARTS_WAVES_UPDATE_H
#define RF_PARTS_WAVES_UPDATE_H

#include "base/sets.h"
#include "parts/waves/held.h"

/* Where a vehicle is in the waves. */
typedef struct waves_place {
    vec3 pos;        /* m, NED */
    lane depth;      /* m: of the middle of the hull below the surface at rest */
    lane heading[2]; /* cosine and sine */
} waves_place;

/* Computes the waves, and their phases at the next update; one copy serves all families. */
void RF_SET_NAME(rf_waves_update)(const block *b, const waves_place *at);

#endif

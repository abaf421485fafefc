/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment stage of a block of vehicles of any family. */
#ifndef RF_PARTS_ENVIRONMENT_UPDATE_H
#define RF_PARTS_ENVIRONMENT_UPDATE_H

#include "base/sets.h"
#include "parts/environment/held.h"

/* What the stage reads of a vehicle. */
typedef struct environment_vehicle {
    vec3 pos, vel; /* m, m/s, NED */
    vec3 wind;     /* m/s, NED, steady */
    lane terrain;  /* m, z of the ground */
    lane upright;  /* cosine of the tilt */
} environment_vehicle;

/* Updates the held values of a block; one copy serves all families. */
void RF_SET_NAME(rf_environment_update)(const block *b, const environment_vehicle *v);

#endif

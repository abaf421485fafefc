/* SPDX-License-Identifier: BSD-3-Clause */
/* The safety boundaries of a block of vehicles, before all other stages of a tick.
 *
 * A vehicle crosses a boundary at the first check at which a quantity q is outside of [minimum, maximum] while it was
 * inside, or unknown, at the one before.  The action follows at once, before controllers and step of that tick. */
#ifndef RF_PARTS_SAFETY_UPDATE_H
#define RF_PARTS_SAFETY_UPDATE_H

#include "base/sets.h"
#include "parts/safety/held.h"

/* What boundaries are of. */
typedef struct safety_truth {
    vec3 pos, vel;       /* m, m/s, NED */
    quat att;            /* FRD to NED */
    vec3 rate;           /* rad/s, FRD */
    lane terrain;        /* z of the ground below, m, NED */
    vec3 specific_force; /* m/s^2; only where a vehicle has such a boundary */
} safety_truth;

/* Checks the boundaries `on`, those of safety_on; one copy serves all families. */
void RF_SET_NAME(rf_safety_update)(const block *b, const safety_truth *truth, uint32_t on);

#endif

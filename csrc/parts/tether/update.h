/* SPDX-License-Identifier: BSD-3-Clause */
/* The tethers at the environment's rate: models/tether.h of each vehicle of a block. */
#ifndef RF_PARTS_TETHER_UPDATE_H
#define RF_PARTS_TETHER_UPDATE_H

#include "base/sets.h"
#include "parts/payload/held.h"
#include "parts/tether/held.h"
#include "parts/water/held.h"

/* What a tether sees of its vehicle. */
typedef struct tether_truth {
    vec3 centre, vel; /* of mass, m, m/s, NED */
    rotation att;     /* FRD to NED */
    vec3 rate;        /* rad/s, FRD */
    lane density;     /* of the water, kg/m^3 */
    lane mass;        /* kg, and */
    sym3 inertia;     /* kg m^2, FRD: without what it carries */
} tether_truth;

/* Computes how the tethers pull; one copy serves all types. */
void RF_SET_NAME(rf_tether_update)(const block *b, const tether_truth *truth);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What faults do to the mass, as the step of a family reads it. */
#ifndef RF_PARTS_FAULTS_MASS_H
#define RF_PARTS_FAULTS_MASS_H

#include "models/mass_change.h"
#include "parts/faults/held.h"

LANE_INLINE mass_change faults_mass_change(const block *b)
{
    mass_change by = {.any = 0};
    if (!faults_are_of(b, FAULT_PLACE_mass)) return by;
    const lane left = lane_load(FAULTS_COLUMN(b, mass_left));
    const mask changed = (left != 1) | (lane_load(FAULTS_COLUMN(b, mass_shifted)) != 0);
    if (!mask_any(changed)) return by;
    vec3 shift;
    sym3 spread;
    rows_load((lane *)&shift, 3, FAULTS_COLUMN(b, mass_shift), b->stride);
    rows_load((lane *)&spread, WIDTH_mass_moments, FAULTS_COLUMN(b, mass_spread), b->stride);
    by = mass_change_of(left, shift, spread);
    by.any = 1;
    by.changed = changed;
    return by;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What faults do to the mass, as the step of a family reads it. */
#ifndef RF_PARTS_FAULTS_MASS_H
#define RF_PARTS_FAULTS_MASS_H

#include "models/mass_change.h"
#include "parts/faults/held.h"

/* The shares of the mass, and which vehicles have others than a whole body. */
LANE_INLINE mask faults_mass_shares(const block *b, mass_shares *shares)
{
    shares->left = lane_load(FAULTS_COLUMN(b, mass_left));
    rows_load((lane *)&shares->shift, 3, FAULTS_COLUMN(b, mass_shift), b->stride);
    rows_load((lane *)&shares->spread, WIDTH_mass_moments, FAULTS_COLUMN(b, mass_spread), b->stride);
    return (shares->left != 1) | (lane_load(FAULTS_COLUMN(b, mass_shifted)) != 0);
}

#endif

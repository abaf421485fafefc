/* SPDX-License-Identifier: BSD-3-Clause */
/* When a vehicle that hovers rests at its position set-point. */
#ifndef RF_VEHICLES_HOVERING_ARRIVAL_H
#define RF_VEHICLES_HOVERING_ARRIVAL_H

#include "math/vec.h"

#define HOVERING_ARRIVAL_RADIUS ((real)0.1) /* m to a position: closer, and */
#define HOVERING_ARRIVAL_SPEED  ((real)0.1) /* m/s: slower, a vehicle rests there */

/* Where it does, for what is left to the position [m] and a velocity [m/s]. */
LANE_INLINE mask hovering_rests(vec3 left, vec3 vel)
{
    const real near = HOVERING_ARRIVAL_RADIUS, slow = HOVERING_ARRIVAL_SPEED;
    return (norm2(left) < near * near) & (norm2(vel) < slow * slow);
}

#endif

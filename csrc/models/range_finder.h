/* SPDX-License-Identifier: BSD-3-Clause */
/* Range finder that looks along the body's down axis at level ground.  With the ground a height h below, the body's
 * down axis d [NED]:
 *
 *     distance = h / d_z          valid within the limits, and where the axis points down
 *
 * Leaves out: the slope of the ground, the width of the beam, the strength of the echo. */
#ifndef RF_MODELS_RANGE_FINDER_H
#define RF_MODELS_RANGE_FINDER_H

#include "math/lane.h"

#define RANGE_FINDER_LEVEL ((real)0.05) /* d_z of a look along the ground: no echo */

typedef struct range_echo {
    lane distance; /* m, within the limits; the maximum without an echo */
    mask valid;
} range_echo;

LANE_INLINE range_echo range_finder_echo(lane height, lane down, lane noise, lane minimum, lane maximum)
{
    mask sees = down > RANGE_FINDER_LEVEL;
    lane distance = height / lane_select(sees, down, lane_of(1)) + noise;
    distance = lane_select(sees, distance, maximum);
    mask valid = sees & (distance >= minimum) & (distance <= maximum);
    return (range_echo){lane_clamp(distance, minimum, maximum), valid};
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Range finder that looks along the body's down axis at level ground.  With the ground a height h below, the body's
 * down axis d [NED]:
 *
 *     distance = h / d_z          valid within the limits, and where the axis points down
 *
 * or the distance at which a ray along that axis ends (scene/sight.h).
 *
 * Leaves out: the slope of the ground, the width of the beam, the strength of the echo. */
#ifndef RF_MODELS_RANGE_FINDER_H
#define RF_MODELS_RANGE_FINDER_H

#include "math/lane.h"

#define RANGE_FINDER_LEVEL    ((real)0.05) /* d_z of a look along the ground: no echo */
#define RANGE_FINDER_FARTHEST ((real)1e9)  /* m */

typedef struct range_echo {
    lane distance; /* m, within the limits; the maximum without an echo */
    mask valid;
} range_echo;

/* Of a distance that is measured, where there is an echo. */
LANE_INLINE range_echo range_finder_measured(lane distance, mask sees, lane minimum, lane maximum)
{
    distance = lane_select(sees, distance, maximum);
    mask valid = sees & (distance >= minimum) & (distance <= maximum);
    return (range_echo){lane_clamp(distance, minimum, maximum), valid};
}

LANE_INLINE range_echo range_finder_echo(lane height, lane down, lane noise, lane minimum, lane maximum)
{
    mask sees = down > RANGE_FINDER_LEVEL;
    lane distance = height / lane_select(sees, down, lane_of(1)) + noise;
    return range_finder_measured(distance, sees, minimum, maximum);
}

/* Of a ray that ends at a distance, infinite without a surface. */
LANE_INLINE range_echo range_finder_seen(lane distance, lane noise, lane minimum, lane maximum)
{
    return range_finder_measured(distance + noise, distance < RANGE_FINDER_FARTHEST, minimum, maximum);
}

#endif

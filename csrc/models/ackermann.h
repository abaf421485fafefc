/* SPDX-License-Identifier: BSD-3-Clause */
/* Angles of the two steered wheels of an axle, of which both roll about the same point on the line of the other axle [@siegwart-2011
 * 3.2], for the angle d of a wheel in the middle, positive to the right, the wheelbase L and the track B:
 *
 *     tan d_i = tan d / (1 -+ A B / (2 L) tan d)                        left: +, right: -
 *
 * A is 1 for this geometry and 0 for wheels that stay parallel.  |d| < 70 deg, A B tan d < 2 L. */
#ifndef RF_MODELS_ACKERMANN_H
#define RF_MODELS_ACKERMANN_H

#include "math/lane.h"

/* The part ahead of the direction of a wheel `side` to the right of the middle, over the wheelbase and times A, whose part
 * to the right is `sine`, that of d. */
LANE_INLINE lane ackermann_ahead(lane sine, lane cosine, lane side)
{
    return cosine - side * sine;
}

#endif

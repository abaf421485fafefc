/* SPDX-License-Identifier: BSD-3-Clause */
/* What model and controllers of a tractor with a trailer share: the order of actuators, and turning at the hitch. */
#ifndef RF_VEHICLES_TRUCK_HITCH_H
#define RF_VEHICLES_TRUCK_HITCH_H

#include "math/trig.h"
#include "math/vec.h"

enum { TRUCK_TRACTION, TRUCK_STEER };

/* A turn about the down axis: sine and cosine of its angle, and of half of it. */
typedef struct hitch_turn {
    lane sine, cosine, sine_half, cosine_half;
} hitch_turn;

LANE_INLINE hitch_turn hitch_turn_of(lane angle)
{
    lane sine, cosine;
    lane_sincos((real)0.5 * angle, &sine, &cosine);
    return (hitch_turn){2 * sine * cosine, 1 - 2 * sine * sine, sine, cosine};
}

/* An attitude after a turn. */
LANE_INLINE quat quat_turned(quat q, hitch_turn by)
{
    const lane sine = by.sine_half, cosine = by.cosine_half;
    return (quat){q.w * cosine - q.z * sine, q.x * cosine + q.y * sine, q.y * cosine - q.x * sine,
                  q.z * cosine + q.w * sine};
}

#endif

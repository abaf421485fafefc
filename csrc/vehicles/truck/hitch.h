/* SPDX-License-Identifier: BSD-3-Clause */
/* What model and controllers of a tractor with a trailer share: the order of actuators, and turning at the hitch. */
#ifndef RF_VEHICLES_TRUCK_HITCH_H
#define RF_VEHICLES_TRUCK_HITCH_H

#include "math/vec.h"

enum { TRUCK_TRACTION, TRUCK_STEER };

/* An attitude turned about its down axis, by the sine and cosine of half the angle. */
LANE_INLINE quat quat_turned(quat q, lane sine, lane cosine)
{
    return (quat){q.w * cosine - q.z * sine, q.x * cosine + q.y * sine, q.y * cosine - q.x * sine,
                  q.z * cosine + q.w * sine};
}

#endif

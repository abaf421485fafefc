/* SPDX-License-Identifier: BSD-3-Clause */
/* The largest torque of an engine or a motor at the wheels, over their speed w: a constant one Q up to the speed of its largest
 * power P, then P / |w|, which falls to zero over the last DRIVE_MAP_FADE of the largest speed W.
 *
 *     Q(w) = min(Q, P / |w|) min(1, (W - |w|) / (DRIVE_MAP_FADE W)),  not below 0
 *
 * N m, W, rad/s.  Leaves out: gears and the shape of the torque curve within them, braking by the engine. */
#ifndef RF_MODELS_DRIVE_MAP_H
#define RF_MODELS_DRIVE_MAP_H

#include "math/lane.h"

#define DRIVE_MAP_FADE ((real)0.05)
#define DRIVE_MAP_TINY ((real)1e-9)

typedef struct drive_map {
    lane torque, power, speed;
    lane per_fade; /* s/rad: 1 / (DRIVE_MAP_FADE W) */
} drive_map;

LANE_INLINE lane drive_map_torque(const drive_map *by, lane speed)
{
    lane turns = lane_abs(speed);
    lane limited = lane_min(by->torque, by->power / lane_max(lane_of(DRIVE_MAP_TINY), turns));
    lane left = (by->speed - turns) * by->per_fade;
    return limited * lane_max(lane_of(0), lane_min(lane_of(1), left));
}

#endif

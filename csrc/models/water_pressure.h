/* SPDX-License-Identifier: BSD-3-Clause */
/* Pressure in water at the depth d below its surface at rest, with the head of waves there (models/waves.h):
 *
 *     p = p_0 + rho g max(0, d + head)          p_0: of standard air at sea level
 *
 * and the depth by a pressure, (p - p_0) / (rho g).  Leaves out: the pressure of what flows by, compression of the water, changes
 * of its density with the depth, the weather. */
#ifndef RF_MODELS_WATER_PRESSURE_H
#define RF_MODELS_WATER_PRESSURE_H

#include "math/lane.h"
#include "models/atmosphere.h"

typedef struct water_column {
    lane unit_weight; /* N/m^3: rho g; 0: no water */
    lane depth;       /* m: below the surface at rest */
    lane head;        /* m: of the waves */
} water_column;

/* Pa */
LANE_INLINE lane water_pressure_of(const water_column *at)
{
    return ATMOSPHERE_PRESSURE + at->unit_weight * lane_max(lane_of(0), at->depth + at->head);
}

/* m; 0 without water */
LANE_INLINE lane water_pressure_depth_of(lane pressure, lane unit_weight)
{
    const mask wet = unit_weight > 0;
    return lane_select(wet, (pressure - ATMOSPHERE_PRESSURE) / lane_select(wet, unit_weight, lane_of(1)),
                       lane_of(0));
}

/* The multiple of a step that is next to a value; the value itself of a step of 0. */
LANE_INLINE lane water_pressure_in_steps(lane value, lane step)
{
    const mask coarse = step > 0;
    const lane count = value / lane_select(coarse, step, lane_of(1));
    return lane_select(coarse, ((count + LANE_ROUND) - LANE_ROUND) * step, value);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Pressures that a vehicle measures:
 *
 *     dynamic pressure           q = rho V^2 / 2                       V: speed through the air
 *     static port                p + C_p q                             C_p: pressure coefficient where the port is
 *     pitot tube along x         rho u |u| / 2                         u: forward component of that velocity
 *     indicated airspeed         sign(d) sqrt(2 |d| / rho_0)           d: differential pressure, rho_0 = 1.225 kg/m^3
 *
 * Pa, kg/m^3, m/s.  Leaves out: compressibility (2 % of d at 100 m/s), the angular range of a pitot tube. */
#ifndef RF_MODELS_AIR_DATA_H
#define RF_MODELS_AIR_DATA_H

#include "math/vec.h"
#include "models/atmosphere.h"

LANE_INLINE lane air_data_static(lane pressure, lane density, vec3 airspeed, lane coefficient)
{
    return pressure + coefficient * ((real)0.5 * density * norm2(airspeed));
}

LANE_INLINE lane air_data_differential(lane density, lane forward)
{
    return (real)0.5 * density * forward * lane_abs(forward);
}

LANE_INLINE lane air_data_indicated(lane differential)
{
    lane speed = lane_sqrt(lane_abs(differential) * (2 / ATMOSPHERE_DENSITY));
    return lane_select(differential < 0, -speed, speed);
}

#endif

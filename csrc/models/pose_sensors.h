/* SPDX-License-Identifier: BSD-3-Clause */
/* What a vehicle at rest measures, from its pose alone, R being the rotation from FRD to NED [@pixhawk-hil 3.1]:
 *
 *     specific force    R^T (0, 0, -g)                                       equation 1, printed with R for R^T
 *     magnetic field    R^T (B, 0, 0)                                        equation 2, printed with R for R^T
 *     pressure          P0 e^(5.256 ln(1 - h / (153.8462 T)))                equation 4, printed with 10 for e
 *
 * h is the height above a ground of temperature T and pressure P0; m/s^2, T, m, K, Pa.  As printed, the first depends on
 * the heading, and the last falls 2.3 times too fast.  h counts up to 0.999 of the height where the pressure ends.
 * Leaves out: acceleration, the inclination and declination of the field, the speed of the air at the static port. */
#ifndef RF_MODELS_POSE_SENSORS_H
#define RF_MODELS_POSE_SENSORS_H

#include "math/exponential.h"
#include "math/vec.h"

#define POSE_EXPONENT     ((real)5.256)
#define POSE_LAPSE_HEIGHT ((real)153.8462) /* m/K: 1 / 0.0065 */
#define POSE_LN_10        ((real)2.302585092994045684)

/* Components of a vector of NED in FRD; in those that are `printed`, turned by R instead of its transpose. */
LANE_INLINE vec3 pose_in_body(rotation att, vec3 ned, mask printed)
{
    return vec3_select(printed, to_ned(att, ned), to_body(att, ned));
}

LANE_INLINE vec3 pose_specific_force(rotation att, lane gravity, mask printed)
{
    return pose_in_body(att, vec3_of(lane_of(0), lane_of(0), -gravity), printed);
}

LANE_INLINE vec3 pose_magnetic_field(rotation att, lane field, mask printed)
{
    return pose_in_body(att, vec3_of(field, lane_of(0), lane_of(0)), printed);
}

LANE_INLINE lane pose_pressure_at(lane height, lane temperature, lane pressure, mask printed)
{
    lane left = lane_max(1 - height / (POSE_LAPSE_HEIGHT * temperature), lane_of((real)1e-3));
    lane exponent = POSE_EXPONENT * lane_log(left);
    return pressure * lane_exp(lane_select(printed, POSE_LN_10 * exponent, exponent));
}

#endif

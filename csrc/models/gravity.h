/* SPDX-License-Identifier: BSD-3-Clause */
/* Normal gravity of WGS84 [@wgs84 equations 4-1 and 4-3]: on the ellipsoid the closed formula of Somigliana, above it
 * to second order in the height h [m],
 *
 *     g_0 = g_e (1 + k sin^2 lat) / sqrt(1 - e^2 sin^2 lat)
 *     g   = g_0 (1 - 2 (1 + f + m - 2 f sin^2 lat) h / a + 3 h^2 / a^2)             [m/s^2]
 *
 * 9.7803253 at the equator, 9.8321849 at the poles.  The error of the second order is below 1e-6 m/s^2 up to 10 km and
 * 1.5e-6 m/s^2 at 20 km.
 * It includes the centrifugal acceleration of the earth's rotation.  Leaves out: anomalies (up to 5e-3 m/s^2), and the
 * deflection of the vertical: gravity acts along the down axis of the map. */
#ifndef RF_MODELS_GRAVITY_H
#define RF_MODELS_GRAVITY_H

#include "math/lane.h"
#include "math/wgs84.h"

#define GRAVITY_EQUATOR  9.7803253359     /* m/s^2, g_e */
#define GRAVITY_FORMULA  0.00193185265241 /* k */
#define GRAVITY_ROTATION 0.00344978650684 /* m = omega^2 a^2 b / GM */

/* At the sine of a geodetic latitude and a height above the ellipsoid [m]. */
LANE_INLINE lane gravity_normal(lane sine, lane height)
{
    const real f = (real)WGS84_FLATTENING;
    lane square = sine * sine, h = height * (real)(1 / WGS84_SEMI_MAJOR);
    lane surface =
        (real)GRAVITY_EQUATOR * (1 + (real)GRAVITY_FORMULA * square) / lane_sqrt(1 - (real)WGS84_E2 * square);
    return surface * (1 - 2 * h * ((1 + f + (real)GRAVITY_ROTATION) - 2 * f * square) + 3 * h * h);
}

#endif

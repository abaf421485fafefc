/* SPDX-License-Identifier: BSD-3-Clause */
/* Shear of the steady wind and a discrete gust [@mil-f-8785c 3.7].
 *
 *     shear   u(h) / u(h_r) = ln(h / z_0) / ln(h_r / z_0),          3 ft <= h <= 1000 ft
 *     gust    A (1 - cos(pi x)) / 2;  x rises from 0 to 1 during t_rise, stays for t_hold, falls during t_fall
 *
 * h is the height above ground, h_r that of the steady wind (the specification: 20 ft), z_0 the roughness length (0.15 ft
 * for take-off and landing, 2 ft otherwise).  Beyond the limits of h the wind is that at the limit; x is linear in time.
 * Shear is of the horizontal wind.
 * m, s, m/s; h_r and z_0 above 0, h_r above z_0.
 * Leaves out: change of the direction with height. */
#ifndef RF_MODELS_WIND_H
#define RF_MODELS_WIND_H

#include "math/exponential.h"
#include "math/trig.h"

#define WIND_FOOT          ((real)0.3048) /* m */
#define WIND_SHEAR_LOWEST  (3 * WIND_FOOT)
#define WIND_SHEAR_HIGHEST (1000 * WIND_FOOT)
#define WIND_TINY          ((real)1e-6)

/* Steady wind at a height above ground, over that at the reference height; never negative. */
LANE_INLINE lane wind_shear(lane height, lane reference, lane roughness)
{
    lane h = lane_clamp(height, lane_of(WIND_SHEAR_LOWEST), lane_of(WIND_SHEAR_HIGHEST));
    lane z0 = lane_max(roughness, lane_of(WIND_TINY));
    lane span = lane_log(lane_max(reference / z0, lane_of(1 + WIND_TINY)));
    return lane_max(lane_of(0), lane_log(h / z0) / span);
}

/* Fraction of the amplitude of a gust, `time` after it began. */
LANE_INLINE lane wind_gust(lane time, lane rise, lane hold, lane fall)
{
    const lane zero = lane_of(0), one = lane_of(1), tiny = lane_of(WIND_TINY);
    lane up = lane_clamp(time / lane_max(rise, tiny), zero, one);
    lane down = lane_clamp((time - rise - hold) / lane_max(fall, tiny), zero, one);
    lane sine, cosine;
    lane_sincos(TRIG_PI * (up - down), &sine, &cosine);
    return (real)0.5 * (1 - cosine);
}

#endif

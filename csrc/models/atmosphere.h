/* SPDX-License-Identifier: BSD-3-Clause */
/* Standard atmosphere in its two lowest layers [@us76 tables 2 to 4, equations 18, 23, 33, 42, 50], with a temperature
 * offset dT and any pressure P0 at sea level.  With the geopotential height H = r h / (r + h) of a geometric height h
 * above sea level, in hydrostatic equilibrium:
 *
 *     H <= 11 km   T = T0 + dT - L H          P = P0 (T / (T0 + dT))^(g M / (R L))
 *     above        T = T0 + dT - L 11 km      P = P(11 km) exp(-g M (H - 11 km) / (R T))
 *     rho = P M / (R T)                       a = sqrt(1.4 R T / M)
 *
 * m, K, Pa, kg/m^3, m/s.  RF_ATMOSPHERE_LOWEST <= H <= RF_ATMOSPHERE_HIGHEST; heights outside count as the nearest end.
 * An offset keeps the pressure at sea level and changes the pressures above, as in a column of warmer air.
 * Leaves out: humidity, the layers above 20 km, the height of the geoid above the ellipsoid. */
#ifndef RF_MODELS_ATMOSPHERE_H
#define RF_MODELS_ATMOSPHERE_H

#include "base/limits.h"
#include "math/exponential.h"

#define ATMOSPHERE_RADIUS       ((real)6356766)             /* m, r */
#define ATMOSPHERE_TEMPERATURE  ((real)288.15)              /* K, T0 */
#define ATMOSPHERE_PRESSURE     ((real)101325)              /* Pa */
#define ATMOSPHERE_DENSITY      ((real)1.225)               /* kg/m^3, standard at sea level */
#define ATMOSPHERE_SOUND_SPEED  ((real)340.294)             /* m/s, standard at sea level */
#define ATMOSPHERE_LAPSE        ((real)0.0065)              /* K/m, L */
#define ATMOSPHERE_GAS_CONSTANT ((real)(8314.32 / 28.9644)) /* J/(kg K), R / M */
#define ATMOSPHERE_GRAVITY      ((real)9.80665)             /* m/s^2, g */
#define ATMOSPHERE_TROPOPAUSE   ((real)11000)               /* m */

/* clang-format off */
/* (1 + x)^(g M / (R L)) for -0.4 <= x <= 0.2, by tests/c/fit_exponential.py */
#if LANE_PRECISION == 64
#define ATMOSPHERE_TERMS {1.0, 5.2558761132785268, 11.184178802426581, 12.138100203148561, 6.8455125772154627,           \
                          1.7194231461971861, 0.073326552829880408, -0.0077948823684368082, 0.0016993328419369347,       \
                          -0.00051778873278678639, 0.00019592966071058652, -8.4406514027771407e-5,                       \
                          2.1935658015344047e-5, -5.3458166185639805e-5}
#else
#define ATMOSPHERE_TERMS {0.999999978f, 5.25587668f, 11.1841857f, 12.1380508f, 6.84511889f, 1.72000083f, 0.0796700173f}
#endif
/* clang-format on */

typedef struct air {
    lane temperature, pressure, density, sound_speed; /* K, Pa, kg/m^3, m/s */
} air;

/* Geopotential height [m] of a height above sea level [m]. */
LANE_INLINE lane atmosphere_geopotential(lane height)
{
    return ATMOSPHERE_RADIUS * height / (ATMOSPHERE_RADIUS + height);
}

/* True where a geopotential height is outside of the model. */
LANE_INLINE mask atmosphere_outside(lane geopotential)
{
    return (geopotential < (real)RF_ATMOSPHERE_LOWEST) | (geopotential > (real)RF_ATMOSPHERE_HIGHEST);
}

/* P / P0 [1] at a temperature of (1 + x) times that at sea level, `above` [m] the tropopause, 1 / (R T / M) there. */
LANE_INLINE lane atmosphere_pressure_ratio(lane x, lane above, lane per_rt)
{
    static const real terms[] = ATMOSPHERE_TERMS;
    const real power = ATMOSPHERE_GRAVITY / (ATMOSPHERE_GAS_CONSTANT * ATMOSPHERE_LAPSE);
    lane ratio = polynomial(x, terms, TERMS_OF(terms));
    mask common = (above == 0) & (x >= (real)-0.4) & (x <= (real)0.2);
    if (!mask_any(mask_not(common))) return ratio;
    lane other = lane_exp(power * lane_log(1 + x) - ATMOSPHERE_GRAVITY * above * per_rt);
    return lane_select(common, ratio, other);
}

LANE_INLINE air atmosphere_at(lane geopotential, lane temperature_offset, lane sea_level_pressure)
{
    lane h =
        lane_clamp(geopotential, lane_of((real)RF_ATMOSPHERE_LOWEST), lane_of((real)RF_ATMOSPHERE_HIGHEST));
    lane low = lane_min(h, lane_of(ATMOSPHERE_TROPOPAUSE)), above = h - low;
    lane base = ATMOSPHERE_TEMPERATURE + temperature_offset;
    air a;
    a.temperature = base - ATMOSPHERE_LAPSE * low;
    lane rt = ATMOSPHERE_GAS_CONSTANT * a.temperature, per_rt = 1 / rt;
    a.pressure =
        sea_level_pressure * atmosphere_pressure_ratio(-ATMOSPHERE_LAPSE * low / base, above, per_rt);
    a.density = a.pressure * per_rt;
    a.sound_speed = lane_sqrt((real)1.4 * rt);
    return a;
}

/* Geopotential height [m] at which the standard atmosphere has a pressure [Pa]: the pressure altitude. */
LANE_INLINE lane atmosphere_pressure_altitude(lane pressure)
{
    const real per_kelvin = ATMOSPHERE_GRAVITY / ATMOSPHERE_GAS_CONSTANT;
    const real tropopause = ATMOSPHERE_TEMPERATURE - ATMOSPHERE_LAPSE * ATMOSPHERE_TROPOPAUSE; /* K */
    lane logarithm = lane_log(lane_max(pressure, lane_of(1)) * (1 / ATMOSPHERE_PRESSURE));
    lane t = ATMOSPHERE_TEMPERATURE * lane_exp((ATMOSPHERE_LAPSE / per_kelvin) * logarithm);
    lane low = (ATMOSPHERE_TEMPERATURE - t) * (1 / ATMOSPHERE_LAPSE);
    lane edge = (per_kelvin / ATMOSPHERE_LAPSE) * lane_log(lane_of(tropopause / ATMOSPHERE_TEMPERATURE));
    lane high = ATMOSPHERE_TROPOPAUSE + (edge - logarithm) * (tropopause / per_kelvin);
    return lane_select(t < tropopause, high, low);
}

#endif

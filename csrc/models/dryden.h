/* SPDX-License-Identifier: BSD-3-Clause */
/* Dryden turbulence [@mil-f-8785c 3.7].  One-sided spectra of the velocities along and across the mean wind,
 * for a frequency w [rad/s] seen at the speed V through the air; their integrals are sigma^2:
 *
 *     S_u = sigma_u^2 (2 L_u / (pi V)) / (1 + (L_u w / V)^2)
 *     S_v = sigma_v^2 (L_v / (pi V)) (1 + 3 (L_v w / V)^2) / (1 + (L_v w / V)^2)^2;      S_w alike
 *
 *   height above ground h     lengths                                       intensities
 *   10 to 1000 ft             L_w = h, L_u = L_v = h / q^1.2                sigma_w = 0.1 W20, sigma_u = sigma_v = sigma_w / q^0.4
 *                             q = 0.177 + 0.000823 h (h in ft)
 *   above 2000 ft             1750 ft                                       the table below
 *   in between                linear in h                                   linear in h
 *
 * W20 is the wind at 20 ft.  The table is that of figure 7 for the probabilities of exceedance 1e-2 (light), 1e-3
 * (moderate) and 1e-5 (severe), as tabulated in [@jsbsim FGWinds.cpp].
 *
 * Exact discretisation.  With tau = L / V, unit white noise n, and x_1, x_2 of
 *
 *     tau x_1' = -x_1 + sqrt(2 tau) n,      tau x_2' = -x_2 + x_1,
 *
 * u = sigma x_1 and v = sigma (sqrt(3) x_1 + (1 - sqrt(3)) x_2) / sqrt(2) have these spectra.  Over a step, r = dt / tau,
 * a = e^-r:
 *
 *     x_1 <- a x_1 + w_1,  x_2 <- a (x_2 + r x_1) + w_2,   E w_1^2 = P_1, E w_1 w_2 = P_2 / 2, E w_2^2 = P_3 / 2,
 *     P_k = e^-z (z^k / k! + z^(k+1) / (k+1)! + ...),  z = 2 r,
 *
 * for any step, without loss of variance.  A step with r above DRYDEN_FRESH gives a stationary state whatever was before.
 *
 * m, s, m/s.  L and sigma are taken as constant during a step.  Leaves out: the angular velocities of the turbulence,
 * which are those of a wing, and the dependence between vehicles: each has its own air. */
#ifndef RF_MODELS_DRYDEN_H
#define RF_MODELS_DRYDEN_H

#include "math/exponential.h"

#define DRYDEN_FOOT   ((real)0.3048)               /* m */
#define DRYDEN_KNOT   ((real)0.514444444444444444) /* m/s */
#define DRYDEN_FRESH  ((real)40)
#define DRYDEN_SERIES ((real)0.5) /* z below which P_3 is computed by its series */

enum { DRYDEN_CALM, DRYDEN_LIGHT, DRYDEN_MODERATE, DRYDEN_SEVERE };

/* Along and across the mean wind; vertical. */
typedef struct dryden_scales {
    lane length, length_w; /* m */
    lane sigma, sigma_w;   /* m/s */
} dryden_scales;

/* Intensity above 2000 ft [m/s] at a height above ground [ft], linear between the rows of the table. */
LANE_INLINE lane dryden_high_intensity(lane feet, mask severity)
{
    enum { ROWS = 12 };
    static const real at[ROWS] = {500,   1750,  3750,  7500,  15000, 25000,
                                  35000, 45000, 55000, 65000, 75000, 80000};
    static const real table[3][ROWS] = {
        {(real)6.6, (real)6.9, (real)7.4, (real)6.7, (real)4.6, (real)2.7, (real)0.4, 0, 0, 0, 0, 0},
        {(real)8.6, (real)9.6, (real)10.6, (real)10.1, (real)8.0, (real)6.6, (real)5.0, (real)4.2, (real)2.7,
         0, 0, 0},
        {(real)15.6, (real)17.6, (real)23.0, (real)23.6, (real)22.1, (real)20.0, (real)16.0, (real)15.1,
         (real)12.1, (real)7.9, (real)6.2, (real)5.1}};
    lane sigma[3] = {lane_of(table[0][0]), lane_of(table[1][0]), lane_of(table[2][0])};
    for (int i = 0; i + 1 < ROWS; i++) {
        real width = at[i + 1] - at[i];
        lane part = lane_clamp(feet - at[i], lane_of(0), lane_of(width)) * (1 / width);
        for (int k = 0; k < 3; k++) sigma[k] += part * (table[k][i + 1] - table[k][i]);
    }
    lane chosen = lane_of(0);
    for (int k = 0; k < 3; k++) chosen = lane_select(severity == k + 1, sigma[k], chosen);
    return DRYDEN_FOOT * chosen;
}

/* Scales at a height above ground [m], for the wind W20 at 20 ft [m/s] and a severity (DRYDEN_...). */
LANE_INLINE dryden_scales dryden_scales_at(lane height, lane wind_20ft, mask severity)
{
    lane feet = height * (1 / DRYDEN_FOOT), low = lane_clamp(feet, lane_of(10), lane_of(1000));
    lane power = lane_exp((real)0.4 * lane_log((real)0.177 + (real)0.000823 * low)); /* q^0.4 */
    dryden_scales s = {.length = low / (power * power * power),
                       .length_w = low,
                       .sigma = (real)0.1 * wind_20ft / power,
                       .sigma_w = (real)0.1 * wind_20ft};
    if (mask_any(feet > 1000)) {
        lane t = lane_clamp((feet - 1000) * (real)1e-3, lane_of(0), lane_of(1));
        lane sigma = dryden_high_intensity(lane_max(feet, lane_of(2000)), severity);
        s.length += t * (1750 - s.length);
        s.length_w += t * (1750 - s.length_w);
        s.sigma += t * (sigma - s.sigma);
        s.sigma_w += t * (sigma - s.sigma_w);
    }
    s.length *= DRYDEN_FOOT;
    s.length_w *= DRYDEN_FOOT;
    return s;
}

/* Coefficients of a step: w_1 = first n_1, w_2 = cross n_1 + second n_2. */
typedef struct dryden_update {
    lane decay, ratio, first, cross, second;
} dryden_update;

/* Those for r = V dt / L. */
LANE_INLINE dryden_update dryden_update_of(lane r)
{
    /* z^3 / 3! (1 + z/4 (1 + z/5 (1 + z/6 (1 + ...)))) */
    const real divisors[] = {4, 5, 6, 7, 8, 9};
    lane ratio = lane_min(r, lane_of(DRYDEN_FRESH)), decay = lane_exp(-ratio);
    lane z = 2 * ratio, power = decay * decay, sum = lane_of(1);
    for (int i = 5; i >= 0; i--) sum = 1 + z * (1 / divisors[i]) * sum;
    lane series = power * (z * z * z) * sum * (real)(1.0 / 6);
    lane p3 = lane_select(z < DRYDEN_SERIES, series, 1 - power * (1 + z + (real)0.5 * z * z));
    lane p2 = p3 + power * (real)0.5 * z * z, p1 = p2 + power * z;
    dryden_update u = {.decay = decay, .ratio = ratio, .first = lane_sqrt(p1)};
    u.cross = (real)0.5 * p2 / lane_max(u.first, lane_of((real)1e-18));
    u.second = lane_sqrt(lane_max(lane_of(0), (real)0.5 * p3 - u.cross * u.cross));
    return u;
}

/* x_1 of the next step, for a normal number. */
LANE_INLINE lane dryden_first(const dryden_update *u, lane x, lane noise)
{
    return u->decay * x + u->first * noise;
}

/* x[0] = x_1 and x[1] = x_2 of the next step, for two independent normal numbers. */
LANE_INLINE void dryden_second(const dryden_update *u, lane *x, lane noise, lane other)
{
    x[1] = u->decay * (x[1] + u->ratio * x[0]) + u->cross * noise + u->second * other;
    x[0] = dryden_first(u, x[0], noise);
}

/* Velocity over sigma, across the mean wind or vertical. */
LANE_INLINE lane dryden_across(const lane *x)
{
    return (real)1.22474487139158904910 * x[0] - (real)0.51763809020504152470 * x[1];
}

#endif

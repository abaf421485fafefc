/* SPDX-License-Identifier: BSD-3-Clause */
/* Induced velocity of a rotor by momentum theory, closed where that has no solution [@leishman 2]: with the thrust T, the
 * area A of the disk, the speed V of its motion along the thrust (climb positive) and U across it,
 *
 *     h = sqrt(T / (2 rho A))                                  in hover
 *     g = sqrt(sqrt(1 + m^4 / 4) - m^2 / 2),   m = U / h       level, from v^2 (v^2 + U^2) = h^4
 *     f = -x/2 + sqrt(x^2/4 + 1)           x > 0               climb
 *         1 - x/2 + k2 x^2 + k3 x^3 + k4 x^4   -2 <= x <= 0    vortex ring and turbulent wake
 *         -x/2 - sqrt(x^2/4 - 1)           x < -2              windmill
 *     v = h g f(x),                        x = g V / h
 *
 * Along the axis (U = 0) climb and windmill are exact, and across it (V = 0) level flight; between them the product is
 * up to 13 % below momentum theory for climbs of up to 3 h, and above it in descents with speed: by 31 % at V = -h, U = 2 h, by
 * 67 % at -2 h, 3 h, several times in steeper ones.  The polynomial has the slope of the climb at
 * hover, so that the power is smooth there, the windmill's 1 at x = -2, and at -1 and -1.5 what the measured curve of
 * [@leishman 2] has, 1.82 and 2.08.  f(x) = -x, ideal autorotation, is at x = -1.77.
 *
 * The shaft power of a rotor that has thrust T is T (v + V) and that of the profile drag of its blades.
 * m/s.  Leaves out: unsteady inflow and the fluctuations of the vortex ring, tip losses. */
#ifndef RF_MODELS_ROTOR_INFLOW_H
#define RF_MODELS_ROTOR_INFLOW_H

#include "math/lane.h"

#define INFLOW_TINY ((real)1e-6) /* m/s: below any induced velocity */

/* f(x). */
LANE_INLINE lane rotor_inflow_axial(lane x)
{
    const real k2 = (real)-0.038, k3 = (real)-0.814, k4 = (real)-0.46;
    lane half = (real)0.5 * x, quarter = half * half;
    lane climb = lane_sqrt(quarter + 1) - half;
    lane ring = 1 - half + x * x * (k2 + x * (k3 + x * k4));
    lane windmill = 1 / (lane_sqrt(lane_max(quarter - 1, lane_of(0))) - half); /* does not cancel */
    lane descent = lane_select(x < -2, windmill, ring);
    return lane_select(x > 0, climb, descent);
}

/* g(m). */
LANE_INLINE lane rotor_inflow_level(lane m)
{
    lane half = (real)0.5 * m * m;
    return lane_sqrt(1 / (lane_sqrt(1 + half * half) + half)); /* does not cancel */
}

/* v for the induced velocity h in hover. */
LANE_INLINE lane rotor_inflow(lane hover, lane climb, lane across)
{
    lane per_hover = 1 / lane_max(hover, lane_of(INFLOW_TINY));
    lane level = rotor_inflow_level(across * per_hover);
    return hover * level * rotor_inflow_axial(level * climb * per_hover);
}

#endif

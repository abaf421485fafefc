/* SPDX-License-Identifier: BSD-3-Clause */
/* Tyre forces by longitudinal slip and slip angle, without camber: the part of PAC2002 that [@commonroad 2020a 7] takes.
 *
 * Slip k of the wheel (positive when driven), slip angle a (positive where the wheel moves to the right of its plane), load F,
 * friction scaled by m; shapes M(x; C, E) = C arctan(x - E (x - arctan x)), coefficients by their names in PAC2002:
 *
 *     F_x0 = m PDX1 F sin(M(B_x (k + PHX1); PCX1, PEX1) + F PVX1),     B_x = PKX1 / (PCX1 PDX1 m)
 *     F_y0 = m PDY1 F sin(M(B_y a; PCY1, PEY1)),                       B_y = PKY1 / (PCY1 PDY1 m)
 *     F_x  = F_x0 G(B_xa; RHX1, a),        B_xa = RBX1 cos arctan(RBX2 k)
 *     F_y  = F_y0 G(B_yk; RHY1, -k) + S,   B_yk = RBY1 cos arctan(RBY2 (a - RBY3))
 *     S    = m PDY1 F RVY1 cos arctan(RVY4 a) sin(RVY5 arctan(-RVY6 k))
 *     G(B; H, x) = cos M(B (x + H); C, E) / cos M(B H; C, E)
 *
 * PVX1 is a phase, as in the program of the source; PAC2002 adds F PVX1 as a force, 0.05 N of a car.  The formulas are those of
 * one tyre: its forces to the left and to the right differ.  N, rad; |a| <= pi / 2; |C|, |RVY5| <= 2.5.
 * Leaves out: camber, turn slip, load dependence of the coefficients, moments, relaxation. */
#ifndef RF_MODELS_TYRE_PAC2002_H
#define RF_MODELS_TYRE_PAC2002_H

#include "math/rows.h"
#include "math/trig_rows.h"

#define PAC2002_ANGLE ((real)4) /* rad: of the sines, at most */

/* Places of the coefficients in their columns. */
enum { PCX1, PDX1, PEX1, PKX1, PHX1, PVX1 };
enum { PCY1, PDY1, PEY1, PKY1 };
enum { RBX1, RBX2, RCX1, REX1, RHX1 };
enum { RBY1, RBY2, RBY3, RCY1, REY1, RHY1, RVY1, RVY4, RVY5, RVY6 };

/* Coefficients, and what follows from them and the friction, a factor of its coefficients. */
typedef struct pac2002_tyre {
    const lane *longitudinal, *lateral, *longitudinal_combined, *lateral_combined;
    lane along_stiffness, across_stiffness; /* B_x, B_y */
    lane along_peak, across_peak;           /* m PDX1, m PDY1 */
} pac2002_tyre;

/* k, a [rad] and F [N]. */
typedef struct pac2002_slip {
    lane slip, angle, load;
} pac2002_slip;

typedef struct pac2002_forces {
    lane along, across;
} pac2002_forces;

/* The angles of the formulas, of M but the last one; those of G are of its numerator and its denominator. */
enum { PAC_ALONG, PAC_ACROSS, PAC_ALONG_BY, PAC_ALONG_PER, PAC_ACROSS_BY, PAC_ACROSS_PER, PAC_SHAPES };
enum { PAC_SHIFT = PAC_SHAPES, PAC_ANGLES };

LANE_INLINE void pac2002_prepare(pac2002_tyre *t, lane friction)
{
    const lane *x = t->longitudinal, *y = t->lateral;
    t->along_peak = friction * x[PDX1];
    t->across_peak = friction * y[PDY1];
    t->along_stiffness = x[PKX1] / (x[PCX1] * t->along_peak);
    t->across_stiffness = y[PKY1] / (y[PCY1] * t->across_peak);
}

LANE_INLINE lane pac2002_cosine_of_arctan(lane x)
{
    return 1 / lane_sqrt(1 + x * x);
}

/* Sets the arguments of M, and RVY6 k behind them. */
LANE_INLINE void pac2002_arguments(const pac2002_tyre *t, const pac2002_slip *at, lane *by)
{
    const lane *xc = t->longitudinal_combined, *yc = t->lateral_combined;
    const lane along = xc[RBX1] * pac2002_cosine_of_arctan(xc[RBX2] * at->slip);
    const lane across = yc[RBY1] * pac2002_cosine_of_arctan(yc[RBY2] * (at->angle - yc[RBY3]));
    by[PAC_ALONG] = t->along_stiffness * (at->slip + t->longitudinal[PHX1]);
    by[PAC_ACROSS] = t->across_stiffness * at->angle;
    by[PAC_ALONG_BY] = along * (at->angle + xc[RHX1]);
    by[PAC_ALONG_PER] = along * xc[RHX1];
    by[PAC_ACROSS_BY] = across * (yc[RHY1] - at->slip);
    by[PAC_ACROSS_PER] = across * yc[RHY1];
    by[PAC_SHIFT] = -(yc[RVY6] * at->slip);
}

/* Replaces arguments x of M by x - E (x - arctan x). */
LANE_INLINE void pac2002_bend(const pac2002_tyre *t, lane *x)
{
    const lane along = t->longitudinal[PEX1], across = t->lateral[PEY1],
               along_by = t->longitudinal_combined[REX1], across_by = t->lateral_combined[REY1];
    const lane bend[PAC_SHAPES] = {along, across, along_by, along_by, across_by, across_by};
    lane inner[PAC_SHAPES];
    rows_copy(inner, x, PAC_SHAPES);
    rows_short_atan(inner, PAC_SHAPES);
    for (int i = 0; i < PAC_SHAPES; i++) x[i] = x[i] - bend[i] * (x[i] - inner[i]);
}

/* Replaces these, and RVY6 k, by angles of which the sines count: cos x is sin(pi/2 - |x|). */
LANE_INLINE void pac2002_angles(const pac2002_tyre *t, lane load, lane *x)
{
    const lane *xc = t->longitudinal_combined, *yc = t->lateral_combined;
    const lane factor[PAC_ANGLES] = {
        t->longitudinal[PCX1], t->lateral[PCY1], xc[RCX1], xc[RCX1], yc[RCY1], yc[RCY1], yc[RVY5]};
    rows_short_atan(x, PAC_ANGLES);
    for (int i = 0; i < PAC_ANGLES; i++) x[i] = factor[i] * x[i];
    x[PAC_ALONG] = lane_limit(x[PAC_ALONG] + load * t->longitudinal[PVX1], lane_of(PAC2002_ANGLE));
    for (int i = PAC_ALONG_BY; i < PAC_SHAPES; i++) x[i] = TRIG_PI / 2 - lane_abs(x[i]);
}

LANE_INLINE pac2002_forces pac2002_force(const pac2002_tyre *t, const pac2002_slip *at, const lane *sine)
{
    const lane *yc = t->lateral_combined;
    lane along = sine[PAC_ALONG] * sine[PAC_ALONG_BY] / sine[PAC_ALONG_PER];
    lane across = sine[PAC_ACROSS] * sine[PAC_ACROSS_BY] / sine[PAC_ACROSS_PER];
    across += yc[RVY1] * pac2002_cosine_of_arctan(yc[RVY4] * at->angle) * sine[PAC_SHIFT];
    return (pac2002_forces){t->along_peak * at->load * along, t->across_peak * at->load * across};
}

/* Of two tyres, whose results do not wait for each other.  Not inlined: it is much code. */
static __attribute__((noinline)) void pac2002_both(const pac2002_tyre *t, const pac2002_slip *at,
                                                   pac2002_forces *force)
{
    lane by[2][PAC_ANGLES];
    for (int i = 0; i < 2; i++) pac2002_arguments(t, at + i, by[i]);
    for (int i = 0; i < 2; i++) pac2002_bend(t, by[i]);
    for (int i = 0; i < 2; i++) pac2002_angles(t, at[i].load, by[i]);
    for (int i = 0; i < 2; i++) rows_short_sin(by[i], PAC_ANGLES);
    for (int i = 0; i < 2; i++) force[i] = pac2002_force(t, at + i, by[i]);
}

#endif

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
 * one tyre: its forces to the left and to the right differ.  N, rad; |a| <= pi / 2.
 * Leaves out: camber, turn slip, load dependence of the coefficients, moments, relaxation. */
#ifndef RF_MODELS_TYRE_PAC2002_H
#define RF_MODELS_TYRE_PAC2002_H

#include "math/trig.h"

/* Places of the coefficients in their columns. */
enum { PCX1, PDX1, PEX1, PKX1, PHX1, PVX1 };
enum { PCY1, PDY1, PEY1, PKY1 };
enum { RBX1, RBX2, RCX1, REX1, RHX1 };
enum { RBY1, RBY2, RBY3, RCY1, REY1, RHY1, RVY1, RVY4, RVY5, RVY6 };

typedef struct pac2002_tyre {
    const lane *longitudinal, *lateral, *longitudinal_combined, *lateral_combined;
    lane friction; /* factor of the friction coefficients */
} pac2002_tyre;

typedef struct pac2002_forces {
    lane along, across;
} pac2002_forces;

LANE_INLINE lane pac2002_arctan(lane x)
{
    return lane_quick_atan2(x, lane_of(1));
}

LANE_INLINE lane pac2002_sine(lane angle)
{
    lane sine, cosine;
    lane_sincos(angle, &sine, &cosine);
    return sine;
}

LANE_INLINE lane pac2002_cosine(lane angle)
{
    lane sine, cosine;
    lane_sincos(angle, &sine, &cosine);
    return cosine;
}

LANE_INLINE lane pac2002_cosine_of_arctan(lane x)
{
    return 1 / lane_sqrt(1 + x * x);
}

/* M */
LANE_INLINE lane pac2002_shape(lane x, lane c, lane e)
{
    return c * pac2002_arctan(x - e * (x - pac2002_arctan(x)));
}

/* G */
LANE_INLINE lane pac2002_weight(lane b, lane shift, lane x, lane c, lane e)
{
    return pac2002_cosine(pac2002_shape(b * (x + shift), c, e)) /
           pac2002_cosine(pac2002_shape(b * shift, c, e));
}

/* Not inlined: it is much code. */
static __attribute__((noinline)) pac2002_forces pac2002_force(const pac2002_tyre *t, lane slip, lane angle,
                                                              lane load)
{
    const lane *x = t->longitudinal, *y = t->lateral, *xc = t->longitudinal_combined,
               *yc = t->lateral_combined;
    lane stiff = x[PKX1] / (x[PCX1] * x[PDX1] * t->friction), most = t->friction * x[PDX1] * load;
    lane along =
        most * pac2002_sine(pac2002_shape(stiff * (slip + x[PHX1]), x[PCX1], x[PEX1]) + load * x[PVX1]);
    stiff = y[PKY1] / (y[PCY1] * y[PDY1] * t->friction), most = t->friction * y[PDY1] * load;
    lane across = most * pac2002_sine(pac2002_shape(stiff * angle, y[PCY1], y[PEY1]));

    stiff = xc[RBX1] * pac2002_cosine_of_arctan(xc[RBX2] * slip);
    along *= pac2002_weight(stiff, xc[RHX1], angle, xc[RCX1], xc[REX1]);
    stiff = yc[RBY1] * pac2002_cosine_of_arctan(yc[RBY2] * (angle - yc[RBY3]));
    across *= pac2002_weight(stiff, yc[RHY1], -slip, yc[RCY1], yc[REY1]);
    lane shift = most * yc[RVY1] * pac2002_cosine_of_arctan(yc[RVY4] * angle);
    shift *= pac2002_sine(yc[RVY5] * pac2002_arctan(-(yc[RVY6] * slip)));
    return (pac2002_forces){along, across + shift};
}

#endif

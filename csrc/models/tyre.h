/* SPDX-License-Identifier: BSD-3-Clause */
/* Tyre by the Magic Formula in the form of 1989 [@bakker-1989], as [@rfly-model-api 7.3.1] has it, with the signs of
 * [@genta].  At the load F_z and the camber g, with the slip x = s + S_h:
 *
 *     y = D sin(C atan(B x - E (B x - atan(B x)))) + S_v                       B = (B C D) / (C D)
 *
 *            longitudinal force            lateral force                          aligning moment
 *     s      slip [%]                      slip angle [deg]                       slip angle [deg]
 *     C      b0                            a0                                     c0
 *     D      b1 F_z^2 + b2 F_z             a1 F_z^2 + a2 F_z                      c1 F_z^2 + c2 F_z
 *     B C D  (b3 F_z^2 + b4 F_z) e^(-b5 F_z)                                      (c3 F_z^2 + c4 F_z)(1 - c6 |g|) e^(-c5 F_z)
 *                                          a3 sin(2 atan(F_z / a4))(1 - a5 |g|)
 *     E      b6 F_z^2 + b7 F_z + b8        a6 F_z + a7                            (c7 F_z^2 + c8 F_z + c9)(1 - c10 |g|)
 *     S_h    b9 F_z + b10                  a8 g + a9 F_z + a10                    c11 g + c12 F_z + c13
 *     S_v    0                             a11 F_z g + a12 F_z + a13              (c14 F_z^2 + c15 F_z) g + c16 F_z + c17
 *
 * Coefficients are the published ones: of kN, %, deg, with forces in N and moments in N m.  All else here is SI: N, 1, rad.
 * Slip is positive where the tyre drives; a positive slip angle gives a force to the right, a positive camber leans to the
 * right; a positive moment turns to the right, so that of a positive slip angle is negative.
 *
 * Combined slip by similarity [@bakker-1989], [@pacejka-2012 4.2]: with the slip stiffness over the largest force as the unit
 * of both slips,
 *
 *     r_x = (B C)_x s_x / m,   r_y = (B C)_y tan a / m,   r = |(r_x, r_y)|
 *     F_x = m D_x r_x / r  sin(C_x atan(...)) at the slip r / (B C)_x, and F_y likewise
 *
 * m is the friction of the road over that of the measurements.  Each force is the pure one where the other slip is zero, and
 * opposes its slip, so a tyre only takes energy.  Here the tangent of the slip angle counts as the slip; slips are at most
 * TYRE_SLIP_LIMIT in the formula.
 *
 * Leaves out: inflation, temperature, wear, speed; slip while turning on the spot; that a sliding tyre opposes its sliding
 * in direction, too. */
#ifndef RF_MODELS_TYRE_H
#define RF_MODELS_TYRE_H

#include "math/exponential.h"
#include "math/rows.h"
#include "math/trig_rows.h"

typedef lane tyre_longitudinal_terms[11]; /* b0 to b10 */
typedef lane tyre_lateral_terms[14];      /* a0 to a13 */
typedef lane tyre_aligning_terms[18];     /* c0 to c17 */

#define TYRES           4 /* at once */
#define TYRE_CURVES     (2 * TYRES)
#define TYRE_SLIP_LIMIT ((real)1) /* of the formula: a locked wheel; a slip angle of 45 deg */
#define TYRE_DEGREE     ((real)57.295779513082320877)
#define TYRE_TINY       ((real)1e-18)

/* A curve over a slip [1 or rad].  C is in 0 to 2.5. */
typedef struct tyre_curve {
    lane unit;     /* B C: its slope at zero over its peak */
    lane peak;     /* D / F_z: 1, or m of the moment */
    lane c, per_c; /* C, 1 / C */
    lane e;
} tyre_curve;

/* S_h [1 or rad] and S_v / F_z [1 or m]. */
typedef struct tyre_shift {
    lane slip, share;
} tyre_shift;

/* At a load [N]; `per_c` is 1 / b0. */
LANE_INLINE tyre_curve tyre_longitudinal(const lane *b, lane per_c, lane load)
{
    lane f = (real)1e-3 * load, peak = b[1] * f + b[2];
    lane stiffness = 100 * (b[3] * f + b[4]);
    if (mask_any(b[5] != 0)) stiffness = stiffness * lane_quick_exp(-b[5] * f); /* else e^0 is 1 */
    return (tyre_curve){stiffness / peak, (real)1e-3 * peak, b[0], per_c, (b[6] * f + b[7]) * f + b[8]};
}

LANE_INLINE lane tyre_longitudinal_shift(const lane *b, lane load)
{
    return (real)1e-2 * ((real)1e-3 * load * b[9] + b[10]);
}

/* At a load [N] and a camber [rad]; sin(2 atan(x)) is 2 x / (1 + x^2). */
LANE_INLINE tyre_curve tyre_lateral(const lane *a, lane per_c, lane load, lane camber)
{
    lane f = (real)1e-3 * load, lean = TYRE_DEGREE * lane_abs(camber), peak = a[1] * f + a[2];
    lane stiffness = 2 * TYRE_DEGREE * a[3] * a[4] * (1 - a[5] * lean);
    lane unit = stiffness / ((a[4] * a[4] + f * f) * peak);
    return (tyre_curve){unit, (real)1e-3 * peak, a[0], per_c, a[6] * f + a[7]};
}

/* S_h [rad]. */
LANE_INLINE lane tyre_lateral_slip(const lane *a, lane load, lane camber)
{
    return (1 / TYRE_DEGREE) * (a[8] * (TYRE_DEGREE * camber) + a[9] * ((real)1e-3 * load) + a[10]);
}

/* S_v [N]. */
LANE_INLINE lane tyre_lateral_force(const lane *a, lane load, lane camber)
{
    return (real)1e-3 * load * (a[11] * (TYRE_DEGREE * camber) + a[12]) + a[13];
}

/* At a load [N] and a camber [rad], for a peak other than 0. */
LANE_INLINE tyre_curve tyre_aligning(const lane *c, lane per_c, lane load, lane camber)
{
    lane f = (real)1e-3 * load, lean = TYRE_DEGREE * lane_abs(camber), peak = c[1] * f + c[2];
    lane stiffness = TYRE_DEGREE * (c[3] * f + c[4]) * (1 - c[6] * lean) * lane_quick_exp(-c[5] * f);
    lane e = ((c[7] * f + c[8]) * f + c[9]) * (1 - c[10] * lean);
    return (tyre_curve){stiffness / peak, (real)1e-3 * peak, c[0], per_c, e};
}

LANE_INLINE tyre_shift tyre_aligning_shift(const lane *c, lane load, lane camber)
{
    lane f = (real)1e-3 * load, lean = TYRE_DEGREE * camber;
    return (tyre_shift){(1 / TYRE_DEGREE) * (c[11] * lean + c[12] * f + c[13]),
                        (real)1e-3 * ((c[14] * f + c[15]) * lean + c[16] + c[17] / f)};
}

/* Replaces B times slips by sin(C atan(...)) of TYRE_CURVES curves.  Not inlined: forces and moments have one copy. */
static __attribute__((noinline)) void tyre_shapes(const tyre_curve *by, lane *x)
{
    lane bent[TYRE_CURVES];
    rows_copy(bent, x, TYRE_CURVES);
    rows_short_atan(bent, TYRE_CURVES);
    for (int i = 0; i < TYRE_CURVES; i++) x[i] = x[i] - by[i].e * (x[i] - bent[i]);
    rows_short_atan(x, TYRE_CURVES);
    for (int i = 0; i < TYRE_CURVES; i++) x[i] = by[i].c * x[i];
    rows_short_sin(x, TYRE_CURVES);
}

/* The same at slips. */
LANE_INLINE void tyre_shapes_at(const tyre_curve *by, lane *slip)
{
    for (int i = 0; i < TYRE_CURVES; i++) slip[i] = by[i].per_c * by[i].unit * slip[i];
    tyre_shapes(by, slip);
}

/* Forces of the tyre per load, and how much less they are than those of the slip stiffness. */
typedef struct tyre_grip {
    lane along, across;           /* 1: forward, to the right */
    lane along_bend, across_bend; /* 1: force over stiffness times slip, 1 at small slips */
    lane size, side;              /* 1: r, r_y / r */
} tyre_grip;

/* Of TYRES tyres under their slips s_x, tan a, in pairs as their curves, on a road with the friction m. */
LANE_INLINE void tyres_combined(const tyre_curve *by, const lane *slip, lane friction, lane per_friction,
                                tyre_grip *grip)
{
    lane bend[TYRE_CURVES], per_r[TYRES];
    for (int i = 0; i < TYRES; i++) {
        const tyre_curve *x = by + 2 * i, *y = x + 1;
        lane rx = per_friction * x->unit * slip[2 * i], ry = per_friction * y->unit * slip[2 * i + 1];
        lane r = lane_sqrt(rx * rx + ry * ry + TYRE_TINY);
        per_r[i] = 1 / r;
        grip[i].along = friction * x->peak * rx;
        grip[i].across = friction * y->peak * ry;
        grip[i].size = r;
        grip[i].side = per_r[i] * ry;
        bend[2 * i] = x->per_c * lane_min(TYRE_SLIP_LIMIT * x->unit, r);
        bend[2 * i + 1] = y->per_c * lane_min(TYRE_SLIP_LIMIT * y->unit, r);
    }
    tyre_shapes(by, bend);
    for (int i = 0; i < TYRES; i++) {
        tyre_grip *of = grip + i;
        of->along_bend = per_r[i] * bend[2 * i];
        of->across_bend = per_r[i] * bend[2 * i + 1];
        of->along *= of->along_bend;
        of->across *= of->across_bend;
    }
}

#endif

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
 * opposes its slip, so a tyre only takes energy.  The slip is at most SLIP_LIMIT in the formula.
 *
 * Leaves out: inflation, temperature, wear, speed; slip while turning on the spot; that a sliding tyre opposes its sliding
 * in direction, too. */
#ifndef RF_MODELS_TYRE_H
#define RF_MODELS_TYRE_H

#include "math/exponential.h"
#include "math/trig.h"

#define WIDTH_tyre_longitudinal_terms 11
#define WIDTH_tyre_lateral_terms      14
#define WIDTH_tyre_aligning_terms     18

typedef lane tyre_longitudinal_terms[WIDTH_tyre_longitudinal_terms]; /* b0 to b10 */
typedef lane tyre_lateral_terms[WIDTH_tyre_lateral_terms];           /* a0 to a13 */
typedef lane tyre_aligning_terms[WIDTH_tyre_aligning_terms];         /* c0 to c17 */

#define TYRE_SLIP_LIMIT ((real)1) /* of the formula: a locked wheel */
#define TYRE_DEGREE     ((real)57.295779513082320877)
#define TYRE_TINY       ((real)1e-18)

/* B per 1 or rad, C, D [N or N m], E. */
typedef struct tyre_curve {
    lane b, c, d, e;
} tyre_curve;

/* S_h [1 or rad] and S_v [N or N m]. */
typedef struct tyre_shift {
    lane slip, force;
} tyre_shift;

/* With the stiffness B C D. */
LANE_INLINE tyre_curve tyre_curve_of(lane stiffness, lane c, lane d, lane e)
{
    return (tyre_curve){stiffness / lane_max(lane_of(TYRE_TINY), c * d), c, d, e};
}

/* At a load [N]. */
LANE_INLINE tyre_curve tyre_longitudinal(const lane *b, lane load)
{
    lane f = (real)1e-3 * load;
    lane stiffness = (b[3] * f + b[4]) * f * lane_quick_exp(-b[5] * f);
    return tyre_curve_of(100 * stiffness, b[0], (b[1] * f + b[2]) * f, (b[6] * f + b[7]) * f + b[8]);
}

LANE_INLINE lane tyre_longitudinal_shift(const lane *b, lane load)
{
    return (real)1e-2 * ((real)1e-3 * load * b[9] + b[10]);
}

/* At a load [N] and a camber [rad]; sin(2 atan(x)) is 2 x / (1 + x^2). */
LANE_INLINE tyre_curve tyre_lateral(const lane *a, lane load, lane camber)
{
    lane f = (real)1e-3 * load, lean = TYRE_DEGREE * lane_abs(camber), x = f / a[4];
    lane stiffness = a[3] * (2 * x / (1 + x * x)) * (1 - a[5] * lean);
    return tyre_curve_of(TYRE_DEGREE * stiffness, a[0], (a[1] * f + a[2]) * f, a[6] * f + a[7]);
}

LANE_INLINE tyre_shift tyre_lateral_shift(const lane *a, lane load, lane camber)
{
    lane f = (real)1e-3 * load, lean = TYRE_DEGREE * camber;
    return (tyre_shift){(1 / TYRE_DEGREE) * (a[8] * lean + a[9] * f + a[10]),
                        (a[11] * lean + a[12]) * f + a[13]};
}

LANE_INLINE tyre_curve tyre_aligning(const lane *c, lane load, lane camber)
{
    lane f = (real)1e-3 * load, lean = TYRE_DEGREE * lane_abs(camber);
    lane stiffness = (c[3] * f + c[4]) * f * (1 - c[6] * lean) * lane_quick_exp(-c[5] * f);
    lane e = ((c[7] * f + c[8]) * f + c[9]) * (1 - c[10] * lean);
    return tyre_curve_of(TYRE_DEGREE * stiffness, c[0], (c[1] * f + c[2]) * f, e);
}

LANE_INLINE tyre_shift tyre_aligning_shift(const lane *c, lane load, lane camber)
{
    lane f = (real)1e-3 * load, lean = TYRE_DEGREE * camber;
    return (tyre_shift){(1 / TYRE_DEGREE) * (c[11] * lean + c[12] * f + c[13]),
                        ((c[14] * f + c[15]) * lean + c[16]) * f + c[17]};
}

/* sin(C atan(...)) at a slip [1 or rad]. */
LANE_INLINE lane tyre_shape(const tyre_curve *by, lane slip)
{
    const lane one = lane_of(1);
    lane x = by->b * slip, sine, cosine;
    lane bent = x - by->e * (x - lane_quick_atan2(x, one));
    lane_sincos(by->c * lane_quick_atan2(bent, one), &sine, &cosine);
    return sine;
}

/* A force of the tyre, and how much less it is than that of the slip stiffness. */
typedef struct tyre_grip {
    lane along, across;           /* N: forward, to the right */
    lane along_bend, across_bend; /* 1: force over stiffness times slip, 1 at small slips */
    lane slip_angle;              /* rad: the equivalent one, 0 to 90 deg */
} tyre_grip;

/* Under the slips s_x and tan a, on a road with the friction m. */
LANE_INLINE tyre_grip tyre_combined(const tyre_curve *x, const tyre_curve *y, lane along, lane across,
                                    lane friction)
{
    lane unit_x = x->b * x->c, unit_y = y->b * y->c, inverse = 1 / friction;
    lane rx = inverse * unit_x * along, ry = inverse * unit_y * across;
    lane r = lane_sqrt(rx * rx + ry * ry + TYRE_TINY), per_r = 1 / r;
    lane angle = lane_quick_atan2(r, unit_y);
    lane slip = lane_min(lane_of(TYRE_SLIP_LIMIT), r / unit_x);
    lane bend_x = per_r * tyre_shape(x, slip), bend_y = per_r * tyre_shape(y, angle);
    return (tyre_grip){.along = friction * x->d * bend_x * rx,
                       .across = friction * y->d * bend_y * ry,
                       .along_bend = bend_x,
                       .across_bend = bend_y,
                       .slip_angle = angle};
}

#endif

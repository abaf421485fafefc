/* SPDX-License-Identifier: BSD-3-Clause */
/* Sine, cosine and the arc functions of lanes, without libm and without branches.
 *
 *     lane_sincos(x, &s, &c)   sine and cosine                  x in rad
 *     lane_small_sincos(x, &s, &c)   the same, of angles that are mostly small
 *     lane_atan2(y, x)         angle of (x, y) in [-pi, pi]     any length of (x, y)
 *     lane_quick_atan2(y, x)   the same with a shorter latency, for results on which everything else waits
 *     lane_asin(x)             arc sine in [-pi/2, pi/2]        x is clamped to [-1, 1]
 *     wrap_angle(x)            x modulo 2 pi, in (-pi, pi]
 *
 * Maximum error found, in units in the last place of the exact result, with and without fused multiply-add
 * (float64: 2e7 points, many of them next to the edges of quadrants, against 113-bit arithmetic; float32: every
 * float up to TRIG_EXACT for sine and cosine and 2e7 points for the others, against float64):
 *
 *                       float64   float32   where
 *     sine, cosine      1.51      1.53      |x| <= TRIG_EXACT, next to the zeros of the function too
 *     atan2             1.73      1.55      everywhere
 *     quick atan2       2.5       2.3       everywhere
 *     asin              2.37      2.50      everywhere
 *     wrap_angle        1.39      1.21      |x| <= TRIG_EXACT
 *
 * From TRIG_EXACT to TRIG_LIMIT the result is that of an angle within one unit in the last place of x; above
 * TRIG_LIMIT x counts as 0.  NaN and infinity give NaN.  Odd functions are odd to the last bit, -0 included;
 * atan2 follows [@c17 F.10.1.4] for zeros and infinities.
 *
 * Method.  Argument reduction after [@cody-waite chapter 8]: x - k pi/2, with pi/2 as a sum of four parts.
 * Every product but the last is exact, so fusing it into the subtraction changes nothing.  Of all numbers
 * below TRIG_EXACT the nearest to a multiple of pi/2 is 2^-60.5 from 29 pi/2 (float32: 2^-27.8 from 161
 * pi/2), and the sum of the parts is within 2^-145 of pi/2 (float32: 2^-63).  Then minimax polynomials.
 * tests/c/fit_trig.py computes the parts and coefficients below. */
#ifndef RF_MATH_TRIG_H
#define RF_MATH_TRIG_H

#include "math/elementary.h"

#define TRIG_PI          ((real)3.14159265358979323846)
#define TRIG_TWO_OVER_PI ((real)0.63661977236758134308)
#define TRIG_NEAR        ((real)0.41421356237309504880) /* tan(pi/8) */
#define TRIG_SMALL       ((real)0.78)                   /* rad, less than pi/4 */

/* clang-format off */
#if LANE_PRECISION == 64
#define TRIG_EXACT 4.1e5          /* rad; 2^18 quarter turns */
#define TRIG_LIMIT 1073741824.0   /* rad, 2^30 */
#define TRIG_PI_REST 3.8981718325193755e-17  /* (pi - TRIG_PI) / TRIG_PI */
#define TRIG_HALF_PI {1.5707963267923333, 2.5632829192545614e-12, 6.123233995707727e-17, 2.9038559739793605e-28}
/* relative errors of the function: 2^-57.9, 2^-63.9, 2^-57.0, 2^-59.4 */
#define TRIG_SIN {-0.1666666666666663, 0.00833333333332184, -0.0001984126982935855, 2.7557313538529235e-06, \
                  -2.5050734392660124e-08, 1.5895433541477892e-10}
#define TRIG_COS {0.041666666666666595, -0.001388888888887334, 2.4801587288999762e-05,                      \
                  -2.7557314216158815e-07, 2.0875705253673553e-09, -1.1358740898023596e-11}
#define TRIG_ATAN {-0.3333333333333307, 0.19999999999951745, -0.14285714282587905, 0.11111111007339067,     \
                   -0.09090907007778512, 0.07692279888917196, -0.06666404424512005, 0.05880529818584164,    \
                   -0.0525352683259656, 0.047223485192676745, -0.042192438561484566, 0.03664316093586008,   \
                   -0.029905737459405467, 0.02198704458067577, -0.013902517134114133,                       \
                   0.007197811953475672, -0.00288554985947404, 0.0008315281610204201,                       \
                   -0.00015220139965029048, 1.322864802692942e-05}
#define TRIG_ATAN_NEAR {-0.333333333333332, 0.19999999999953663, -0.1428571428019826, 0.1111111078342122,        \
                        -0.0909089775534613, 0.07692060170116653, -0.06663103625808939, 0.058478872485299385,    \
                        -0.05039300964573613, 0.038064618260455284, -0.017907445456341854}
#define TRIG_SHORT_SIN {-0.16666666666665914, 0.008333333333315521, -0.00019841269839691094, \
                        2.7557319151501217e-06, -2.5052106416821392e-08, 1.6059010085410246e-10, \
                        -7.64678801153363e-13, 2.8087423675685744e-15, -8.097366317340949e-18, \
                        1.6347930197866823e-20}
#else
#define TRIG_EXACT 3.2e3f         /* rad; 2^11 quarter turns */
#define TRIG_LIMIT 65536.0f       /* rad */
#define TRIG_PI_REST -2.7827534e-08f
#define TRIG_HALF_PI {1.5705566f, 0.00023967028f, 1.5890691e-08f, 2.563344e-12f}
/* relative errors of the function: 2^-27.9, 2^-33.0, 2^-27.6, 2^-30.4 */
#define TRIG_SIN {-0.16666655f, 0.008332189f, -0.00019518287f}
#define TRIG_COS {0.041666646f, -0.001388731f, 2.4432327e-05f}
#define TRIG_ATAN {-0.333333f, 0.1999853f, -0.14264017f, 0.109509096f, -0.083994724f, 0.057885624f, \
                   -0.031103006f, 0.010873464f, -0.0017844313f}
#define TRIG_ATAN_NEAR {-0.33333316f, 0.19998528f, -0.14244391f, 0.105991684f, -0.060900524f}
#define TRIG_SHORT_SIN {-0.16666651f, 0.008333175f, -0.00019835653f, 2.7461397e-06f, \
                        -2.4196169e-08f, 1.2156134e-10f}
#endif
/* clang-format on */


/* x within TRIG_LIMIT, else 0; NaN where x is NaN or infinite. */
LANE_INLINE lane trig_in_range(lane x)
{
    return lane_select(lane_abs(x) <= TRIG_LIMIT, x, x * 0);
}

/* x - k pi/2 for integer k near 2 x / pi, |k| <= 2^18 (float32 2^11). */
LANE_INLINE lane trig_reduce(lane x, lane k)
{
    static const real half_pi[] = TRIG_HALF_PI;
    lane rest = (x - k * half_pi[0]) - k * half_pi[1]; /* exact where k is the nearest */
    lane high = rest - k * half_pi[2];
    lane low = (rest - high) - k * half_pi[2]; /* rounding error of high */
    return high - (k * half_pi[3] - low);
}

/* Sine and cosine of |r| <= pi / 4 [rad]. */
LANE_INLINE void trig_sincos_within(lane r, lane *sine, lane *cosine)
{
    static const real sin_terms[] = TRIG_SIN, cos_terms[] = TRIG_COS;
    lane z = r * r;
    *sine = r + (r * z) * polynomial(z, sin_terms, TERMS_OF(sin_terms));
    *cosine = 1 - z * ((real)0.5 - z * polynomial(z, cos_terms, TERMS_OF(cos_terms)));
}

/* Sine and cosine of x [rad]. */
LANE_INLINE void lane_sincos(lane x, lane *sine, lane *cosine)
{
    lane angle = lane_abs(trig_in_range(x)), s, c;
    lane shifted = angle * TRIG_TWO_OVER_PI + LANE_ROUND;
    mask quadrant = lane_bits(shifted);
    trig_sincos_within(trig_reduce(angle, shifted - LANE_ROUND), &s, &c);

    /* odd quadrants swap them; sin changes sign in quadrants 2, 3, cos in 1, 2 */
    mask swap = words_have(quadrant, 1), lower = words_have(quadrant, 2);
    lane of_magnitude = lane_negate_where(lower, lane_select(swap, c, s));
    *sine = lane_from_bits(lane_bits(of_magnitude) ^ lane_sign(x));
    *cosine = lane_negate_where(swap != lower, lane_select(swap, s, c));
}

/* lane_sincos with less work, and the same bits, where no |x| is beyond TRIG_SMALL. */
LANE_INLINE void lane_small_sincos(lane x, lane *sine, lane *cosine)
{
    const lane angle = lane_abs(x);
    if (mask_any(mask_not(angle <= TRIG_SMALL))) {
        lane_sincos(x, sine, cosine);
        return;
    }
    trig_sincos_within(angle, sine, cosine);
    *sine = lane_from_bits(lane_bits(*sine) ^ lane_sign(x));
}

/* Angle of the vector (x, y) from the x axis towards the y axis [rad]. */
LANE_INLINE lane lane_atan2(lane y, lane x)
{
    static const real terms[] = TRIG_ATAN;
    lane abs_x = lane_abs(x), abs_y = lane_abs(y);
    mask steep = abs_y > abs_x;
    mask negative = lane_bits(x) < 0;

    /* the smaller over the larger, where 0/0 is 0 and inf/inf is 1; NaN stays NaN */
    lane small = lane_select(steep, abs_x, abs_y), large = lane_select(steep, abs_y, abs_x);
    lane diagonal = lane_select(large == 0, lane_of(0), lane_of(1));
    lane q = lane_select(small == large, diagonal, small / large);

    lane z = q * q;
    lane angle = q + (q * z) * polynomial(z, terms, TERMS_OF(terms));

    /* from the nearest half axis to the positive x axis */
    lane axis = lane_select(steep, lane_of(TRIG_PI / 2), lane_select(negative, lane_of(TRIG_PI), lane_of(0)));
    angle = lane_negate_where(steep != negative, angle);
    angle = axis + (axis * TRIG_PI_REST + angle);
    return lane_from_bits(lane_bits(angle) | lane_sign(y));
}

/* arctan(y / x) of |y| <= TRIG_NEAR x, with a short latency. */
LANE_INLINE lane trig_near_atan(lane y, lane x)
{
    static const real terms[] = TRIG_ATAN_NEAR;
    lane q = y / x, z = q * q;
    return q + (q * z) * polynomial_quick(z, terms, TERMS_OF(terms));
}

/* Angle of a vector of the first quadrant, which is turned back by 45 or 90 deg where it is more than 22.5 deg from the x
 * axis; 0/0 has the angle 0, inf/inf 45 deg. */
LANE_INLINE lane trig_turned_atan(lane y, lane x)
{
    const lane zero = lane_of(0), right = lane_of(TRIG_PI / 2);
    mask near = (y < TRIG_NEAR * x) | (y == 0), steep = x < TRIG_NEAR * y;
    lane by = lane_select(near, zero, lane_select(steep, right, right / 2));
    lane across = lane_select(near, y, lane_select(steep, -x, lane_select(x == y, zero, y - x)));
    lane along = lane_select(near, lane_select(x == 0, lane_of(1), x), lane_select(steep, y, x + y));
    return by + (by * TRIG_PI_REST + trig_near_atan(across, along));
}

/* lane_atan2 with a shorter latency, and less work where all vectors are within 22.5 deg of the x axis. */
LANE_INLINE lane lane_quick_atan2(lane y, lane x)
{
    const lane half_turn = lane_of(TRIG_PI);
    lane abs_x = lane_abs(x), abs_y = lane_abs(y), angle;
    mask negative = lane_bits(x) < 0;
    if (mask_any(mask_not(abs_y < TRIG_NEAR * abs_x))) {
        angle = trig_turned_atan(abs_y, abs_x);
    } else {
        angle = trig_near_atan(abs_y, abs_x);
    }
    if (mask_any(negative)) {
        angle = lane_select(negative, half_turn + (half_turn * TRIG_PI_REST - angle), angle);
    }
    return lane_from_bits(lane_bits(angle) | lane_sign(y));
}

/* Arc sine [rad] of x clamped to [-1, 1]; NaN stays NaN. */
LANE_INLINE lane lane_asin(lane x)
{
    x = lane_limit(x, lane_of(1));
    return lane_atan2(x, lane_sqrt((1 - x) * (1 + x)));
}

/* x modulo 2 pi [rad], unchanged within (-pi, pi], where pi is the rounded value. */
LANE_INLINE lane wrap_angle(lane x)
{
    const lane pi = lane_of(TRIG_PI);
    lane angle = trig_in_range(x);
    lane turns = (angle * (TRIG_TWO_OVER_PI / 4) + LANE_ROUND) - LANE_ROUND;
    lane rest = trig_reduce(angle, 4 * turns);

    /* near an odd multiple of pi `turns` may be rounded either way: correct by one turn */
    lane turn = lane_select(rest > pi, 2 * pi, lane_select(rest < -pi, -2 * pi, lane_of(0)));
    rest = (rest - turn) - turn * TRIG_PI_REST;

    rest = lane_select(lane_abs(x) <= pi, x, lane_min(pi, rest));
    return lane_select(rest <= -pi, pi, rest);
}

#endif

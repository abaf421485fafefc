/* SPDX-License-Identifier: BSD-3-Clause */
/* Control allocation: collective thrust and moments to the thrust of each rotor, and thrust to throttle.
 *
 *     T_i = c_i C + s (r_i Mx + p_i My) + k y_i Mz,      Tmin_i <= T_i <= Tmax_i      [N]
 *
 * c, r, p, y are the columns of the mixer, the pseudo-inverse of the effectiveness matrix
 * (pyrfly/vehicles/multirotor/allocation.py).  On saturation the demands are reduced in this order:
 *
 *     yaw          k is reduced from 1 to 0;
 *     collective   C is raised or lowered until roll and pitch fit;
 *     roll, pitch  s is reduced below 1 only if no collective thrust fits.
 *
 * With b_i = (r_i Mx + p_i My) / c_i, L the maximum of Tmin_i / c_i and H the minimum of Tmax_i / c_i,
 *     s = min(1, (H - L) / (max b - min b)),   L - s min b <= C <= H - s max b,
 * which is exact if rotors of equal c_i have equal limits, and conservative otherwise.  Rotors with c_i = 0 are not
 * counted there; a rotor without coefficients is absent.
 *
 * Thrust to throttle inverts models/rotor.h and models/motor.h in steady state. */
#ifndef RF_CONTROL_ALLOCATION_H
#define RF_CONTROL_ALLOCATION_H

#include "base/limits.h"
#include "models/motor.h"
#include "models/rotor.h"

#define ALLOCATION_FAR  ((real)1e15)  /* N, beyond any limit */
#define ALLOCATION_TINY ((real)1e-15) /* N, below any thrust */

/* Where the moments were allocated in full: roll and pitch, yaw. */
typedef struct allocation_result {
    mask tilt_allocated, yaw_allocated;
} allocation_result;

/* Range of collective thrust within the limits of every single rotor, and the range of b_i. */
typedef struct allocation_span {
    lane low, high, b_minimum, b_maximum;
} allocation_span;

/* Thrust of rotor i for the roll and pitch moments. */
LANE_INLINE lane allocation_tilt_thrust(const lane *mixer, int rotors, int i, vec3 moment)
{
    return mixer[rotors + i] * moment.x + mixer[2 * rotors + i] * moment.y;
}

LANE_INLINE allocation_span allocation_span_of(const lane *mixer, int rotors, vec3 moment,
                                               const lane *minimum, const lane *maximum)
{
    allocation_span span = {lane_of(0), lane_of(ALLOCATION_FAR), lane_of(0), lane_of(0)};
#pragma GCC unroll 16
    for (int i = 0; i < rotors; i++) {
        mask present = mixer[i] > (real)1e-6;
        lane inverse = lane_select(present, 1 / mixer[i], lane_of(0));
        lane b = inverse * allocation_tilt_thrust(mixer, rotors, i, moment);
        span.low = lane_max(span.low, inverse * minimum[i]);
        span.high = lane_min(span.high, lane_select(present, inverse * maximum[i], lane_of(ALLOCATION_FAR)));
        span.b_maximum = lane_max(span.b_maximum, b);
        span.b_minimum = lane_min(span.b_minimum, b);
    }
    return span;
}

/* Fraction k of the yaw thrusts within the limits: the minimum of margin / |yaw| over the rotors, at most 1.  Fractions
 * are compared by cross-multiplication, which takes one division. */
LANE_INLINE lane allocation_yaw_fraction(const lane *yaw, int rotors, const lane *minimum,
                                         const lane *maximum, const lane *thrust)
{
    lane numerator = lane_of(1), denominator = lane_of(1);
#pragma GCC unroll 16
    for (int i = 0; i < rotors; i++) {
        lane size = lane_abs(yaw[i]);
        lane margin =
            lane_max(lane_select(yaw[i] > 0, maximum[i] - thrust[i], thrust[i] - minimum[i]), lane_of(0));
        mask smaller = margin * denominator < numerator * size;
        numerator = lane_select(smaller, margin, numerator);
        denominator = lane_select(smaller, size, denominator);
    }
    return numerator / denominator;
}

/* Computes the thrust of each rotor; mixer holds 4 * rotors lanes: all c, all r, all p, all y. */
LANE_INLINE allocation_result allocate(const lane *mixer, int rotors, lane collective, vec3 moment,
                                       const lane *minimum, const lane *maximum, lane *thrust)
{
    allocation_span span = allocation_span_of(mixer, rotors, moment, minimum, maximum);
    lane width = lane_max(span.high - span.low, lane_of(0));
    lane spread = span.b_maximum - span.b_minimum;
    lane s = lane_select(spread > width, width / spread, lane_of(1));
    lane c = lane_clamp(collective, span.low - s * span.b_minimum, span.high - s * span.b_maximum);

    lane yaw[16];
#pragma GCC unroll 16
    for (int i = 0; i < rotors; i++) {
        thrust[i] = mixer[i] * c + s * allocation_tilt_thrust(mixer, rotors, i, moment);
        yaw[i] = mixer[3 * rotors + i] * moment.z;
    }
    lane k = allocation_yaw_fraction(yaw, rotors, minimum, maximum, thrust);
#pragma GCC unroll 16
    for (int i = 0; i < rotors; i++) {
        /* In this order a NaN becomes the minimum. */
        thrust[i] = lane_min(lane_max(thrust[i] + k * yaw[i], minimum[i]), maximum[i]);
    }
    return (allocation_result){s >= 1, k >= 1};
}

/* Rotor speed for a thrust: the larger root of k1 w + k2 w^2 = T, in a form without division by zero at k2 = 0 and
 * without cancellation at k1 < 0. */
LANE_INLINE lane rotor_speed_of_thrust(lane k1, lane k2, lane thrust)
{
    lane root = lane_sqrt(lane_max(k1 * k1 + 4 * k2 * thrust, lane_of(0)));
    mask negative = k1 < 0;
    lane numerator = lane_select(negative, root - k1, 2 * thrust);
    lane denominator = lane_select(negative, 2 * k2, root + k1);
    return numerator / lane_max(denominator, lane_of(ALLOCATION_TINY));
}

/* Steady speed of the motor model, without the dead zone. */
LANE_INLINE lane motor_curve_speed(const lane curve[4], lane u)
{
    return curve[0] + u * (curve[1] + u * (curve[2] + u * curve[3]));
}

/* Replaces rotor speeds by the throttles in [minimum, maximum] that hold them.  The first guess is on the chord of the
 * curve, exact for a linear motor; Newton iterations follow, in which a Newton step also updates 1 / slope and saves the
 * division.  The slope is bounded below by a fraction of that of the chord, because identified curves flatten at full
 * throttle; there the error is within 1e-3 of the maximum speed. */
#define THROTTLE_ITERATIONS      4
#define THROTTLE_MINIMUM_SLOPE   ((real)0.15) /* of that of the chord */
#define THROTTLE_MINIMUM_INVERSE ((real)0.25) /* of that of the chord; keeps 1 / slope positive */

LANE_INLINE void motor_throttle_of_speed(const lane curve[4], lane minimum, lane maximum, lane *speed,
                                         int rotors)
{
    lane rise = lane_max(motor_curve_speed(curve, maximum) - curve[0], lane_of(ALLOCATION_TINY));
    lane per_speed = maximum / rise, minimum_slope = (THROTTLE_MINIMUM_SLOPE / maximum) * rise;
#pragma GCC unroll 16
    for (int i = 0; i < rotors; i++) {
        lane target = speed[i], inverse = per_speed;
        lane u = lane_clamp((target - curve[0]) * per_speed, lane_of(0), maximum);
#pragma GCC unroll 4
        for (int step = 0; step < THROTTLE_ITERATIONS; step++) {
            lane slope = lane_max(curve[1] + u * (2 * curve[2] + 3 * u * curve[3]), minimum_slope);
            inverse = lane_max(inverse * (2 - slope * inverse), THROTTLE_MINIMUM_INVERSE * per_speed);
            u = lane_clamp(u - inverse * (motor_curve_speed(curve, u) - target), lane_of(0), maximum);
        }
        speed[i] = lane_min(lane_max(u, minimum), maximum);
    }
}

#endif

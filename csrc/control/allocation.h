/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocation: collective thrust and moments to the thrust of each rotor, and that to throttle.
 *
 *     T_i = c_i C + s (r_i Mx + p_i My) + k y_i Mz,      least_i <= T_i <= most_i      [N]
 *
 * c, r, p, y are the columns of the mixer, the pseudo-inverse of the effectiveness (pyrfly/allocation.py).  What
 * does not fit is given up in this order:
 *
 *     yaw         k goes from 1 to 0 first;
 *     collective  C moves, up or down, until roll and pitch fit;
 *     roll, pitch s goes below 1 only when no collective can carry them.
 *
 * With b_i = (r_i Mx + p_i My) / c_i and L, H the largest least_i / c_i and the smallest most_i / c_i,
 *     s = min(1, (H - L) / (max b - min b)),   L - s min b <= C <= H - s max b,
 * which is exact when rotors of equal share c_i have equal limits, and otherwise on the safe side.  A rotor with
 * c_i = 0 does not count there, and one without coefficients is absent.
 *
 * Thrust to throttle inverts models/rotor.h and models/motor.h in their steady state. */
#ifndef RF_CONTROL_ALLOCATION_H
#define RF_CONTROL_ALLOCATION_H

#include "base/limits.h"
#include "models/motor.h"
#include "models/rotor.h"

#define ALLOCATION_FAR  ((real)1e15)  /* N, beyond any limit */
#define ALLOCATION_TINY ((real)1e-15) /* N, below any thrust */

/* Which of the demands were met. */
typedef struct allocation_result {
    mask tilt_given, yaw_given;
} allocation_result;

/* Range of collective thrust that suits every rotor alone, and the largest and least b_i. */
typedef struct allocation_span {
    lane low, high, most_b, least_b;
} allocation_span;

LANE_INLINE lane allocation_tilt_part(const lane *mixer, int rotors, int i, vec3 moment)
{
    return mixer[rotors + i] * moment.x + mixer[2 * rotors + i] * moment.y;
}

LANE_INLINE allocation_span allocation_span_of(const lane *mixer, int rotors, vec3 moment, const lane *least,
                                               const lane *most)
{
    allocation_span span = {lane_of(0), lane_of(ALLOCATION_FAR), lane_of(0), lane_of(0)};
#pragma GCC unroll 16
    for (int i = 0; i < rotors; i++) {
        mask present = mixer[i] > (real)1e-6;
        lane inverse = lane_select(present, 1 / mixer[i], lane_of(0));
        lane b = inverse * allocation_tilt_part(mixer, rotors, i, moment);
        span.low = lane_max(span.low, inverse * least[i]);
        span.high = lane_min(span.high, lane_select(present, inverse * most[i], lane_of(ALLOCATION_FAR)));
        span.most_b = lane_max(span.most_b, b);
        span.least_b = lane_min(span.least_b, b);
    }
    return span;
}

/* Share of the yaw part that fits on top of the thrusts: the least room / |yaw|, but 1 at most.  Fractions are
 * compared crosswise, so that there is one division. */
LANE_INLINE lane allocation_yaw_share(const lane *yaw, int rotors, const lane *least, const lane *most,
                                      const lane *thrust)
{
    lane above = lane_of(1), below = lane_of(1);
#pragma GCC unroll 16
    for (int i = 0; i < rotors; i++) {
        lane size = lane_abs(yaw[i]);
        lane room = lane_max(lane_select(yaw[i] > 0, most[i] - thrust[i], thrust[i] - least[i]), lane_of(0));
        mask tighter = room * below < above * size;
        above = lane_select(tighter, room, above);
        below = lane_select(tighter, size, below);
    }
    return above / below;
}

/* Thrust of each rotor; mixer holds 4 * rotors lanes: all c, all r, all p, all y. */
LANE_INLINE allocation_result allocate(const lane *mixer, int rotors, lane collective, vec3 moment,
                                       const lane *least, const lane *most, lane *thrust)
{
    allocation_span span = allocation_span_of(mixer, rotors, moment, least, most);
    lane width = lane_max(span.high - span.low, lane_of(0));
    lane spread = span.most_b - span.least_b;
    lane s = lane_select(spread > width, width / spread, lane_of(1));
    lane c = lane_clamp(collective, span.low - s * span.least_b, span.high - s * span.most_b);

    lane yaw[16];
#pragma GCC unroll 16
    for (int i = 0; i < rotors; i++) {
        thrust[i] = mixer[i] * c + s * allocation_tilt_part(mixer, rotors, i, moment);
        yaw[i] = mixer[3 * rotors + i] * moment.z;
    }
    lane k = allocation_yaw_share(yaw, rotors, least, most, thrust);
#pragma GCC unroll 16
    for (int i = 0; i < rotors; i++) {
        /* In this order a NaN becomes the least. */
        thrust[i] = lane_min(lane_max(thrust[i] + k * yaw[i], least[i]), most[i]);
    }
    return (allocation_result){s >= 1, k >= 1};
}

/* Speed of a rotor at a thrust: the larger root of k1 w + k2 w^2 = T, written so that neither k2 = 0 nor
 * k1 < 0 cancels. */
LANE_INLINE lane rotor_speed_of_thrust(lane k1, lane k2, lane thrust)
{
    lane root = lane_sqrt(lane_max(k1 * k1 + 4 * k2 * thrust, lane_of(0)));
    mask falling = k1 < 0;
    lane above = lane_select(falling, root - k1, 2 * thrust);
    lane below = lane_select(falling, 2 * k2, root + k1);
    return above / lane_max(below, lane_of(ALLOCATION_TINY));
}

/* Steady speed as the motor model has it, without the dead zone. */
LANE_INLINE lane motor_curve_speed(const lane curve[4], lane u)
{
    return curve[0] + u * (curve[1] + u * (curve[2] + u * curve[3]));
}

/* Throttles in [least, most] that hold rotor speeds; in place.  Starts on the chord of the curve, which is the answer
 * for a linear motor; then Newton's steps, whose 1 / slope is itself improved by a Newton step each time instead of
 * dividing.  The slope is kept above a share of the chord's, because identified curves flatten out at full
 * throttle; there the speed is met to 1e-3 of the highest. */
#define THROTTLE_STEPS       4
#define THROTTLE_LEAST_SLOPE ((real)0.15)
#define THROTTLE_LEAST_PACE  ((real)0.25) /* keeps 1 / slope positive where it starts too large */

LANE_INLINE void motor_throttle_of_speed(const lane curve[4], lane least, lane most, lane *speed, int rotors)
{
    lane rise = lane_max(motor_curve_speed(curve, most) - curve[0], lane_of(ALLOCATION_TINY));
    lane per_speed = most / rise, flattest = (THROTTLE_LEAST_SLOPE / most) * rise;
#pragma GCC unroll 16
    for (int i = 0; i < rotors; i++) {
        lane wanted = speed[i], inverse = per_speed;
        lane u = lane_clamp((wanted - curve[0]) * per_speed, lane_of(0), most);
#pragma GCC unroll 4
        for (int step = 0; step < THROTTLE_STEPS; step++) {
            lane slope = lane_max(curve[1] + u * (2 * curve[2] + 3 * u * curve[3]), flattest);
            inverse = lane_max(inverse * (2 - slope * inverse), THROTTLE_LEAST_PACE * per_speed);
            u = lane_clamp(u - inverse * (motor_curve_speed(curve, u) - wanted), lane_of(0), most);
        }
        speed[i] = lane_min(lane_max(u, least), most);
    }
}

#endif

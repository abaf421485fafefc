/* SPDX-License-Identifier: BSD-3-Clause */
/* Air at rest gives a body no energy.  Coefficients of angles, rates and deflections are fits: a moment by the angle of
 * attack, say, turns the body without the drag that pays for it.  Within their range the drag of the whole pays for all
 * of them; where it does not, at the velocity v through the air and the angular velocity w,
 *
 *     P = F . v + M . w > 0:   F - c m v,  M - c J w,   c = P / (m v^2 + w . J w)         [W, N, N m, 1/s]
 *
 * takes the excess back from all motion alike, mostly by drag, so that P = 0.  Continuous in F and M.  FRD.
 * Leaves out: what pays in truth, the tilt of the lift of parts that move. */
#ifndef RF_MODELS_STILL_AIR_H
#define RF_MODELS_STILL_AIR_H

#include "models/rigid_body.h"

LANE_INLINE wrench still_air_limited(wrench w, lane mass, sym3 inertia, vec3 velocity, vec3 rate)
{
    lane power = dot(w.force, velocity) + dot(w.moment, rate);
    mask gains = power > 0;
    if (!mask_any(gains)) return w;
    vec3 spin = sym3_mul(inertia, rate);
    lane square = mass * norm2(velocity) + dot(rate, spin);
    lane c = power / lane_select(gains & (square > 0), square, lane_of(1));
    return (wrench){vec3_select(gains, sub(w.force, scale(c * mass, velocity)), w.force),
                    vec3_select(gains, sub(w.moment, scale(c, spin)), w.moment)};
}

#endif

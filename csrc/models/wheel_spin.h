/* SPDX-License-Identifier: BSD-3-Clause */
/* The spin of a wheel with the inertia J under the torque Q of drive and tyre, and dry friction of brake and rolling of at most
 * Q_f:
 *
 *     J w' = Q - q,      q = Q + J w / T,  at most Q_f
 *
 * so friction that is strong enough brings the wheel to rest with the time constant T, and holds it there.
 *
 * rad/s, N m, kg m^2, s. */
#ifndef RF_MODELS_WHEEL_SPIN_H
#define RF_MODELS_WHEEL_SPIN_H

#include "math/lane.h"

/* w' [rad/s^2]; `settling` is J / T. */
LANE_INLINE lane wheel_accel(lane speed, lane torque, lane friction, lane inverse_inertia, lane settling)
{
    return (torque - lane_limit(torque + settling * speed, friction)) * inverse_inertia;
}

#endif

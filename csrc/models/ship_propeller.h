/* SPDX-License-Identifier: BSD-3-Clause */
/* The propeller of a ship [@mmg]: that of models/thruster.h, in the wake of the hull.  With the drift angle b at
 * midship and r' = r L / U, at the place x_P' L,
 *
 *     b_P     = b - x_P' r'
 *     1 - w   = (1 - w_0) (1 + (1 - exp(-C_1 |b_P|)) (C_2 - 1))             C_2 for b_P > 0 and for b_P < 0
 *     V_a     = (1 - w) u
 *     T       = rho D^4 K_0 n^2 + rho D^3 K_1 n V_a + rho D^2 K_2 V_a |V_a|   n >= 0, by K_T = K_0 + K_1 J + K_2 J^2
 *
 * Of T the hull gets (1 - t_P) T.  Astern T is that of the bollard at all speeds, and the last term: the drag of a propeller
 * that stands.  There are no data of this: it is estimated.
 *
 * N, m/s, rad.  Leaves out: torque by K_Q, the side force of a propeller that reverses, cavitation. */
#ifndef RF_MODELS_SHIP_PROPELLER_H
#define RF_MODELS_SHIP_PROPELLER_H

#include "math/exponential.h"
#include "math/trig.h"
#include "models/thruster.h"

/* Drift of a ship at midship. */
typedef struct ship_drift {
    lane speed, angle, turning; /* m/s: U; rad: b; m/s: r L */
} ship_drift;

/* For the velocity of midship through the water.  Astern the angle is that of a drift to the side. */
LANE_INLINE ship_drift ship_drift_of(lane u, lane v, lane turning)
{
    lane ahead = lane_max(u, lane_of((real)1e-6));
    return (ship_drift){lane_sqrt(u * u + v * v), lane_atan2(-v, ahead), turning};
}

/* 1 - w, for w_0, C_1 and both C_2. */
LANE_INLINE lane ship_propeller_wake(const lane *wake, lane place, const ship_drift *d)
{
    lane at = d->angle - place * d->turning / lane_max(d->speed, lane_of((real)1e-3));
    lane grows = 1 - lane_exp(-(wake[1] * lane_abs(at)));
    return (1 - wake[0]) * (1 + grows * (lane_select(at < 0, wake[3], wake[2]) - 1));
}

/* T for V_a, with the drag coefficient -rho D^2 K_2 [N s^2/m^2]. */
LANE_INLINE lane ship_propeller_thrust(const thruster_law *law, lane drag, lane speed, lane advance)
{
    return thruster_thrust(law, speed, advance) - drag * lane_abs(advance) * advance;
}

#endif

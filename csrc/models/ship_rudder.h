/* SPDX-License-Identifier: BSD-3-Clause */
/* The flow that meets the rudder of a ship [@mmg]; its force is that of models/fin.h.  For the speed V_a at the
 * propeller (models/ship_propeller.h) of thrust T and diameter D, and U, b, r' of its drift:
 *
 *     V_r = sqrt(V_a^2 + 8 T / (pi rho D^2))                                far in the race
 *     u_R = e sqrt(h (V_a + k (V_r - V_a))^2 + (1 - h) V_a^2)               e: wake over that at the propeller; h: share in the race
 *     v_R = U g (b - l_R' r')                                               g for either sign of it
 *
 * Astern, V_a is 0 in the race and beside it, and its own is added: the race of a propeller that pushes ahead is left.
 *
 * m/s, rad.  Leaves out: stall, the rudder's own drag. */
#ifndef RF_MODELS_SHIP_RUDDER_H
#define RF_MODELS_SHIP_RUDDER_H

#include "models/ship_propeller.h"

typedef struct ship_rudder {
    const lane *flow;          /* 1: e, k, h, l_R' */
    const lane *straightening; /* 1: g for b - l_R' r' below and above 0 */
} ship_rudder;

/* u_R, and -v_R: the velocity of the rudder across the ship.  `race` is 8 T / (pi rho D^2) [m^2/s^2]. */
LANE_INLINE vec3 ship_rudder_velocity(const ship_rudder *r, const ship_drift *d, lane advance, lane race)
{
    const lane zero = lane_of(0);
    lane in = lane_max(zero, advance);
    lane far = lane_sqrt(lane_max(zero, in * in + race));
    lane raced = in + r->flow[1] * (far - in), share = r->flow[2];
    lane through = lane_sqrt(share * raced * raced + (1 - share) * in * in) + lane_min(zero, advance);
    lane across = d->speed * d->angle - r->flow[3] * d->turning;
    across *= lane_select(across < 0, r->straightening[0], r->straightening[1]);
    return vec3_of(r->flow[0] * through, -across, zero);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* RflySim's rules for collisions [@rfly-collision 3.1], of a block of vehicles, at every step.
 *
 * The inputs u, numbered from 1, come from a 3D view; they count where |u1 - 12345| < 1, for `rebound_hold`.  v, m are the
 * velocity [NED] and mass of the vehicle, r are uniform numbers from 0 to 1, drawn anew at each update and for each use.
 *
 *     hit        u2 > 0.5, once per message: J = m (v' - v), v' = (m v + m_o v_o) / (m + m_o) with m_o = m u3^2 and
 *                v_o = u7..9 where u3 > 0, a thing that moves; else v' = -v / 10.  u2 is what was hit
 *     rebound    for 0.05 s: force J_i (0.7 + 0.3 r) / 0.05 along each axis of the body, moment m (r, r, r)
 *     walls      on one axis of NED, by the overlap z < 0 of u10 north, u11 south, u12 west, u13 east, u14 up; the later one
 *                of two on an axis counts
 *                    -10 v                    -0.01 < z
 *                    +-200 z - 20 v           -0.04 < z <= -0.01
 *                    +-500 z - 50 v           z <= -0.04
 *     damage     from the first hit on: commands 1 and 2 are r/2 and r/5, command 3 is r/10 and 0.9 of it
 *     ground     u2 < 0.5 and u15 <= 99: at u6 + u15
 *
 * The published program evaluates the hit at every step while its input stands, and forces at 0.05 s itself, too; here a
 * message acts once, and its forces last 0.05 s for any step, so that on average 0.85 of J is delivered.  A wall takes at most the
 * whole velocity away in a step, which the published law leaves to light vehicles to go beyond. */
#ifndef RF_PARTS_REBOUND_UPDATE_H
#define RF_PARTS_REBOUND_UPDATE_H

#include "base/sets.h"
#include "parts/rebound/held.h"

/* Takes inputs in and computes what is held until the next step, with the mass [kg] and the column `terrain`.  One copy
 * serves all families. */
void RF_SET_NAME(rf_rebound_update)(const block *b, lane mass, real *terrain);

/* Changes the first three of some actuator commands where a vehicle has crashed. */
void RF_SET_NAME(rf_rebound_damage)(const block *b, int count, lane *command);

LANE_INLINE void rebound_change_commands(const block *b, int count, lane *command)
{
    if (part_enabled(b, RF_PART_rebound)) RF_SET_NAME(rf_rebound_damage)(b, count, command);
}

#endif

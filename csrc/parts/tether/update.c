/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sets.h"

SET_BEGIN
#include "parts/tether/update.h"

#include "models/tether.h"

/* The cable of which the columns begin at tether_length. */
_Static_assert(offsetof(tether, tether_anchor) == sizeof(tether_cable),
               "tether: expected the columns of a cable first");

/* Without a step in time only vehicles that were asked for change. */
void RF_SET_NAME(rf_tether_update)(const block *b, const tether_truth *truth)
{
    tether p;
    rows_load((lane *)&p, ROWS_OF(tether), part_columns(b, RF_PART_tether), b->stride);
    const mask has = p.tether_length > 0;
    const vec3 arm = to_ned(truth->att, p.tether_place);
    const vec3 chord = sub(p.tether_anchor, add(truth->centre, arm));
    const vec3 vel = add(truth->vel, to_ned(truth->att, cross(truth->rate, p.tether_place)));
    const water w = water_at_rest(b);
    const lane middle = p.tether_anchor.z - (real)0.5 * chord.z;
    const tether_motion moves = {vel, p.tether_anchor_vel, water_velocity(&w, middle - w.height)};
    const vec3 pull = tether_pull((const tether_cable *)&p, chord, moves, truth->density);
    const vec3 none = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    p.tether_force = vec3_select(has, pull, none);
    p.tether_torque = cross(p.tether_place, to_body(truth->att, p.tether_force));
    p.tether_tension = lane_sqrt(norm2(p.tether_force));
    const mask whose = b->refreshed == NULL ? mask_true() : words_load(b->refreshed) != 0;
    rows_store_where(whose, (const lane *)&p.tether_force, 7, TETHER_COLUMN(b, tether_force), b->stride);
}
SET_END

/* SPDX-License-Identifier: BSD-3-Clause */
/* What guidance knows of a vehicle of a type, and the set-points that it gives; a template, included after
 * vehicles/control.h. */
#include "parts/collision/held.h"
#include "parts/ground_plane/held.h"
#include "parts/navigator/navigator.h"

/* The vehicle as it is known, `standing` above the ground when it stands; its limits are those of its family. */
LANE_INLINE navigator_vehicle TYPED(known_vehicle)(const block *b, lane standing)
{
    TYPED(state) s;
    TYPED(input) in;
    const lane shift = TYPED(load_known_state)(&s, b);
    TYPED(load_input)(&in, b);
    const ground_plane below = ground_plane_below(b);
    return (navigator_vehicle){.pos = s.pos,
                               .vel = s.vel,
                               .att = s.att,
                               .rate = s.rate,
                               .terrain = TYPED(ground_below)(&s, &in) + shift - standing,
                               .terrain_rate = ground_plane_rate(&below, s.vel),
                               .terrain_normal = ground_normal(&below),
                               .supported = collision_supports(b),
                               .wind = environment_wind(b, in.wind)};
}

/* Writes the set-points that the type has, and their mask, where `active` is true. */
LANE_INLINE void TYPED(store_target)(const navigator_target *t, mask active, const block *b)
{
    if (!mask_any(active)) return;
#define TARGET_OF(type, name, unit, frame, doc) sp.name = t->name;
    TYPED(setpoint) sp;
    TYPE_LIST(SETPOINT)
    (TARGET_OF)
#undef TARGET_OF
        TYPED(store_setpoint)(&sp, t->bits, active, b);
}

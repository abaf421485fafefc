/* SPDX-License-Identifier: BSD-3-Clause */
/* Guidance of all that fly by wings alone, which guide.c defines; the second part is a template, included after vehicles/guide.h. */
#ifndef RF_VEHICLES_WINGED_GUIDE_H
#define RF_VEHICLES_WINGED_GUIDE_H

#include "base/sets.h"
#include "parts/navigator/block.h"

#define WINGED_SUPPORTED                                                                                     \
    (SIL_OFFBOARD_POSITION | SIL_OFFBOARD_VELOCITY | SIL_OFFBOARD_YAW | SIL_OFFBOARD_YAW_RATE |              \
     SIL_OFFBOARD_ATTITUDE | SIL_RATES | SIL_OFFBOARD_THRUST | SIL_OFFBOARD_FRD | SIL_OFFBOARD_LOCAL |       \
     SIL_OFFBOARD_FULL | SIL_OFFBOARD_NED | SIL_OFFBOARD_GLOBAL | SIL_OFFBOARD_INTEGER_POSITION)

#define WINGED_CLIMB_GRAVITY ((real)9.81) /* m/s^2, of the bank angle */

/* Accepts commands and gives set-points, see parts/navigator/run.h; one copy serves all types. */
mask RF_SET_NAME(rf_winged_guide)(const block *b, mask of, const navigator_vehicle *v, int accept_only,
                                  navigator_target *target);

#endif

#ifdef TYPE
/* Of the vehicles `of`, which stand `standing` above the ground and leave it at an airspeed that is `lift_off_airspeed` at sea level. */
LANE_INLINE void TYPED(navigate_winged)(const block *b, mask of, const winged_gain *g, lane standing,
                                        lane lift_off_airspeed, int accept_only)
{
    const lane thin = 1 / lane_sqrt(environment_density_ratio(b));
    const winged_turn turn = winged_narrowest(g, lane_of(WINGED_CLIMB_GRAVITY));
    navigator_vehicle v = TYPED(known_vehicle)(b, standing);
    v.speed = g->cruise_airspeed;
    v.fastest = g->speed_limit;
    v.sink = g->gliding_sink;
    v.climb = g->climb_limit;
    v.lift_off_airspeed = lift_off_airspeed * thin;
    v.yaw_rate = g->rate_limit[1];
    v.airspeed = lane_sqrt(norm2(sub(v.vel, v.wind)));
    v.radius = winged_own_radius(g, &turn, g->cruise_airspeed, g->minimum_airspeed * thin,
                                 lane_sqrt(v.wind.x * v.wind.x + v.wind.y * v.wind.y));
    navigator_target t;
    mask active = RF_SET_NAME(rf_winged_guide)(b, of, &v, accept_only, &t);
    TYPED(store_target)(&t, active, b);
}
#endif

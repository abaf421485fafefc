/* SPDX-License-Identifier: BSD-3-Clause */
/* Guidance of vehicles that drive on a plane, which guide.c defines; the second part is a template, included after vehicles/guide.h. */
#ifndef RF_VEHICLES_DRIVING_GUIDE_H
#define RF_VEHICLES_DRIVING_GUIDE_H

#include "base/sets.h"
#include "parts/ground_plane/held.h"
#include "parts/navigator/block.h"
#include "parts/water/held.h"

#define DRIVING_SUPPORTED                                                                                    \
    (SIL_OFFBOARD_POSITION | SIL_OFFBOARD_VELOCITY | SIL_OFFBOARD_YAW | SIL_OFFBOARD_YAW_RATE |              \
     SIL_OFFBOARD_FRD | SIL_OFFBOARD_LOCAL | SIL_OFFBOARD_FULL | SIL_OFFBOARD_NED | SIL_OFFBOARD_GLOBAL |    \
     SIL_OFFBOARD_INTEGER_POSITION)
#define DRIVING_ATTITUDE (SIL_OFFBOARD_ATTITUDE | SIL_OFFBOARD_THRUST) /* of those that dive */
#if defined(TYPE) && !defined(TYPE_DIVES)
#define NAVIGATOR_SUPPORTED DRIVING_SUPPORTED
#else
#define NAVIGATOR_SUPPORTED (DRIVING_SUPPORTED | DRIVING_ATTITUDE)
#endif

/* Accepts commands and gives set-points, see parts/navigator/run.h; one copy serves all types. */
mask RF_SET_NAME(rf_driving_guide)(const block *b, mask of, const navigator_vehicle *v, int accept_only,
                                   navigator_target *target);

#endif

#ifdef TYPE
LANE_INLINE void TYPED(navigate)(const block *b, int accept_only)
{
    TYPED(gain) g;
    TYPED(controller) c;
    TYPED(load_gain)(&g, b);
    TYPED(load_controller)(&c, b);
    navigator_vehicle v = TYPED(known_vehicle)(b, lane_of(0));
    v.speed = g.speed_limit;
    v.yaw_rate = g.yaw_rate_limit;
#ifdef TYPE_DIVES
    v.climb = g.climb_limit;
    v.descent = g.descent_limit;
    v.depth = lane_select(g.descent_limit > 0, v.pos.z - water_at_rest(b).height, lane_of(0));
    v.circle = lane_select(g.descent_limit > 0, driving_round(g.turning_radius), lane_of(0));
#endif
    v.reach = driving_reach(g.turning_radius, g.arrival_radius);
    v.ground_vel = ground_plane_below(b).velocity;
    v.wanted_speed = c.speed_reference;
    v.wanted_yaw_rate = c.yaw_rate_reference;
    navigator_target t;
    mask active = RF_SET_NAME(rf_driving_guide)(b, mask_true(), &v, accept_only, &t);
    TYPED(store_target)(&t, active, b);
}
#endif

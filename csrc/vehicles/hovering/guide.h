/* SPDX-License-Identifier: BSD-3-Clause */
/* Guidance of vehicles that hover, which guide.c defines; the second part is a template, included after vehicles/guide.h. */
#ifndef RF_VEHICLES_HOVERING_GUIDE_H
#define RF_VEHICLES_HOVERING_GUIDE_H

#include "base/sets.h"
#include "math/dither.h"
#include "parts/contact/held.h"
#include "parts/navigator/block.h"

#define NAVIGATOR_SUPPORTED SIL_OFFBOARD_KNOWN

/* Accepts commands and gives set-points, see parts/navigator/run.h; one copy serves all types. */
mask RF_SET_NAME(rf_hovering_guide)(const block *b, mask of, const navigator_vehicle *v, int accept_only,
                                    navigator_target *target);

#endif

#ifdef TYPE
/* Of the vehicles `of`. */
LANE_INLINE void TYPED(navigate_hovering)(const block *b, mask of, int accept_only)
{
    TYPED(gain) g;
    TYPED(load_gain)(&g, b);
    navigator_vehicle v = TYPED(known_vehicle)(b, contact_height_of(b));
    v.speed = g.speed_limit;
    v.climb = g.climb_limit;
    v.descent = g.descent_limit;
    v.yaw_rate = g.rate_limit[1];
    const packed zero = {0};
    v.dither = dither_of(zero + b->update);
    navigator_target t;
    mask active = RF_SET_NAME(rf_hovering_guide)(b, of, &v, accept_only, &t);
    TYPED(store_target)(&t, active, b);
}

#ifndef HOVERING_OWN_NAVIGATE /* a family that defines it itself */
LANE_INLINE void TYPED(navigate)(const block *b, int accept_only)
{
    TYPED(navigate_hovering)(b, mask_true(), accept_only);
}
#endif
#endif

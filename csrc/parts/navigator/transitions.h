/* SPDX-License-Identifier: BSD-3-Clause */
/* Transitions common to all families: home, disarming by others, the end of a task. */
#ifndef RF_PARTS_NAVIGATOR_TRANSITIONS_H
#define RF_PARTS_NAVIGATOR_TRANSITIONS_H

#include "parts/navigator/navigator.h"

/* Sets home to the position at the first update. */
LANE_INLINE void navigator_set_home(navigator *n, navigator_words *w, const navigator_vehicle *v)
{
    mask unset = mask_not(words_have(w->navigator_flags, NAVIGATOR_HAS_HOME));
    n->home = vec3_select(unset, v->pos, n->home);
    navigator_flag_set(w, NAVIGATOR_HAS_HOME, unset, unset);
}

/* Enters STANDBY where the vehicle was disarmed since the last update; returns where it was armed then. */
LANE_INLINE mask navigator_standby_disarmed(navigator_words *w, mask armed)
{
    mask was = words_have(w->navigator_flags, NAVIGATOR_WAS_ARMED);
    mask disarmed = was & mask_not(armed) & mask_not(navigator_is(w, NAVIGATOR_NONE));
    navigator_enter(w, disarmed, NAVIGATOR_STANDBY);
    navigator_drop_set_points(w, disarmed);
    return was;
}

/* Enters STANDBY and disarms where a task is over. */
LANE_INLINE void navigator_finish(navigator_words *w, mask over, mask *armed)
{
    navigator_enter(w, over, NAVIGATOR_STANDBY);
    navigator_drop_set_points(w, over);
    *armed = *armed & mask_not(over);
}

/* Replaces the set-points by those of a task. */
LANE_INLINE void navigator_override(navigator_target *t, mask where, lane_int bits, vec3 pos, vec3 vel)
{
    t->pos_sp = vec3_select(where, pos, t->pos_sp);
    t->vel_sp = vec3_select(where, vel, t->vel_sp);
    t->bits = words_select(where, words_of(where, bits), t->bits);
}

#endif

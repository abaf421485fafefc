/* SPDX-License-Identifier: BSD-3-Clause */
/* What a navigator does by itself for every family: home, a vehicle that somebody disarmed, the end of a task. */
#ifndef RF_PARTS_NAVIGATOR_TRANSITIONS_H
#define RF_PARTS_NAVIGATOR_TRANSITIONS_H

#include "parts/navigator/navigator.h"

/* Home is where the vehicle is when the navigator first knows its position. */
LANE_INLINE void navigator_find_home(navigator *n, navigator_words *w, const navigator_vehicle *v)
{
    mask homeless = mask_not(words_have(w->navigator_flags, NAVIGATOR_HAS_HOME));
    n->home = vec3_select(homeless, v->pos, n->home);
    navigator_flag_set(w, NAVIGATOR_HAS_HOME, homeless, homeless);
}

/* Back to STANDBY where somebody disarmed the vehicle since the last update; returns where it was armed then. */
LANE_INLINE mask navigator_stop_disarmed(navigator_words *w, mask armed)
{
    mask was = words_have(w->navigator_flags, NAVIGATOR_WAS_ARMED);
    mask stopped = was & mask_not(armed) & mask_not(navigator_is(w, NAVIGATOR_NONE));
    navigator_enter(w, stopped, NAVIGATOR_STANDBY);
    navigator_drop_set_points(w, stopped);
    return was;
}

/* STANDBY and disarmed where a task is over. */
LANE_INLINE void navigator_finish(navigator_words *w, mask over, mask *armed)
{
    navigator_enter(w, over, NAVIGATOR_STANDBY);
    navigator_drop_set_points(w, over);
    *armed = *armed & mask_not(over);
}

/* Replaces the set-points where a task has its own. */
LANE_INLINE void navigator_aim(navigator_target *t, mask where, lane_int bits, vec3 pos, vec3 vel)
{
    t->pos = vec3_select(where, pos, t->pos);
    t->vel = vec3_select(where, vel, t->vel);
    t->bits = words_select(where, words_of(where, bits), t->bits);
}

#endif

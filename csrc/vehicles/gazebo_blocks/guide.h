/* SPDX-License-Identifier: BSD-3-Clause */
/* Guidance of vehicles of blocks: those that hover have that of vehicles that hover, those that fly by wings alone that of
 * all of these; a hand or a catapult launches them, for they have no wheels.  Others obey no command, and count it as
 * refused.  A transition is no command of the navigator (transition.h). */

#define HOVERING_OWN_NAVIGATE 1
#include "vehicles/hovering/guide.h"
#include "vehicles/winged/guide.h"

/* Removes and counts the commands of vehicles that neither hover nor fly. */
LANE_INLINE void blocks_refuse(const block *b, mask able)
{
    uint32_t *words = NAVIGATOR_WORD(b, sil_ints[SIL_INT_COMMAND]), *count = NAVIGATOR_WORD(b, sil_refused);
    mask command = words_load(words);
    mask refused = words_have(command, SIL_COMMAND_ENABLE) & mask_not(able);
    words_store(words, words_select(refused, command & ~(lane_int)SIL_COMMAND_ENABLE, command));
    words_store(count, words_load(count) + words_of(refused, 1));
}

static __attribute__((noinline)) void blocks_navigate_winged(const block *b, const blocks_gain *g, mask of,
                                                             int accept_only)
{
    const lane nan = lane_of((real)__builtin_nan(""));
    blocks_state s;
    blocks_input in;
    winged_gain wing;
    const lane shift = blocks_load_known_state(&s, b);
    blocks_load_input(&in, b);
    rows_copy((lane *)&wing, (const lane *)&g->wing_speed_limit, ROWS_OF(winged_gain));
    vec3 wind = environment_enabled(b) ? environment_wind(b, in.wind) : in.wind;
    const ground_plane below = ground_plane_below(b);
    const lane thin = environment_enabled(b) ? 1 / lane_sqrt(environment_density_ratio(b)) : lane_of(1);
    const winged_motion motion = {s.pos, s.vel, rotation_from_quat(s.att), s.rate};
    const lane terrain = blocks_ground_below(&s, &in) + shift - contact_height_of(b);
    const lane leaves = g->launch_airspeed * thin;
    const navigator_vehicle v = winged_vehicle(&motion, s.att, &wing, terrain, &below, wind, leaves);
    uint32_t *armed_words = block_flag(b, RF_FLAG_ARMED);
    mask armed = words_load(armed_words) != 0;
    navigator_target t;
    mask active = winged_run(b, of, &v, accept_only, &armed, &t);
    words_store(armed_words, words_of(armed, 1));
    if (!mask_any(active)) return;
    const blocks_setpoint setpoint = {.pos_sp = t.pos,
                                      .vel_sp = t.vel,
                                      .att_sp = t.att,
                                      .rate_sp = t.rate,
                                      .thrust_sp = t.thrust,
                                      .yaw_sp = t.yaw,
                                      .yaw_rate_sp = t.yaw_rate,
                                      .airspeed_sp = nan,
                                      .radius_sp = nan};
    blocks_store_setpoint(&setpoint, t.bits, active, b);
}

LANE_INLINE void blocks_navigate(const block *b, int accept_only)
{
    blocks_gain g;
    blocks_load_gain(&g, b);
    mask hovers = g.control_mass > 0, flies = mask_not(hovers) & (g.wing_cruise_airspeed > 0);
    blocks_refuse(b, hovers | flies);
    if (mask_any(flies)) blocks_navigate_winged(b, &g, flies, accept_only);
    if (mask_any(mask_not(flies))) blocks_navigate_hovering(b, mask_not(flies), accept_only);
}

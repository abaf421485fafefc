/* SPDX-License-Identifier: BSD-3-Clause */
/* Guidance of planes: that of all that fly by wings alone (vehicles/winged/guide.h), with a catapult or a hand for those
 * that have no wheels. */
#include "vehicles/winged/guide.h"

#define NAVIGATOR_SUPPORTED WINGED_SUPPORTED

LANE_INLINE void plane_navigate(const block *b, int accept_only)
{
    const lane nan = lane_of((real)__builtin_nan(""));
    plane_state s;
    plane_input in;
    plane_gain g;
    winged_gain shared;
    const lane shift = plane_load_known_state(&s, b);
    plane_load_input(&in, b);
    plane_load_gain(&g, b);
    rows_copy((lane *)&shared, (const lane *)&g, ROWS_OF(winged_gain));
    vec3 wind = environment_enabled(b) ? environment_wind(b, in.wind) : in.wind;
    const ground_plane below = ground_plane_below(b);
    const lane thin = environment_enabled(b) ? 1 / lane_sqrt(environment_density_ratio(b)) : lane_of(1);
    const winged_motion motion = {s.pos, s.vel, rotation_from_quat(s.att), s.rate};
    const lane terrain = plane_ground_below(&s, &in) + shift;
    const navigator_vehicle v =
        winged_vehicle(&motion, s.att, &shared, terrain, &below, wind, g.rotation_airspeed * thin);
    uint32_t *armed_words = block_flag(b, RF_FLAG_ARMED);
    mask armed = words_load(armed_words) != 0;
    navigator_target t;
    mask active = winged_run(b, mask_true(), &v, accept_only, &armed, &t);
    words_store(armed_words, words_of(armed, 1));
    if (!mask_any(active)) return;
    const plane_setpoint setpoint = {.pos_sp = t.pos,
                                     .vel_sp = t.vel,
                                     .att_sp = t.att,
                                     .rate_sp = t.rate,
                                     .thrust_sp = t.thrust,
                                     .yaw_sp = t.yaw,
                                     .yaw_rate_sp = t.yaw_rate,
                                     .airspeed_sp = nan,
                                     .radius_sp = nan};
    plane_store_setpoint(&setpoint, t.bits, active, b);
}

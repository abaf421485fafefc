/* SPDX-License-Identifier: BSD-3-Clause */
/* The set-points of the ports inSILInts and inSILFloats, as set-points of the controllers.
 *
 * Frames of a position: the map, home, an offset in the body frame from where the vehicle is when the offset changes,
 * or latitude, longitude and height (map_frame.h).  What leaves the place of the vehicle free, such as a heading
 * alone, leaves it to the sticks of the remote control, and those to the goal. */
#ifndef RF_PARTS_NAVIGATOR_INPUTS_H
#define RF_PARTS_NAVIGATOR_INPUTS_H

#include "math/map_frame.h"
#include "parts/navigator/navigator.h"
#include "math/euler.h"

/* Latitude and longitude of the port, as degrees or integers, and height, as a position.  A degree that is not
 * finite is none in the integers either.  Without a position, for a height alone, it is the origin's. */
LANE_INLINE vec3 navigator_global_place(const navigator *n, const navigator_words *w,
                                        const map_origin *origin)
{
    const lane zero = lane_of(0);
    vec3 raw = navigator_floats(n, SIL_POSITION);
    mask bits = w->sil_ints[SIL_INT_OFFBOARD], placed = words_have(bits, SIL_OFFBOARD_POSITION);
    mask whole = words_have(bits, SIL_OFFBOARD_INTEGER_PLACE),
         above_home = words_have(bits, SIL_OFFBOARD_LOCAL);
    lane north = map_degrees(raw.x, origin->lat), east = map_degrees(raw.y, origin->lon);
    lane whole_north = map_whole(w->sil_ints[SIL_INT_LATITUDE], origin->lat);
    lane whole_east = map_whole(w->sil_ints[SIL_INT_LONGITUDE], origin->lon);
    north = lane_select(whole & lane_finite(raw.x), whole_north, north);
    east = lane_select(whole & lane_finite(raw.y), whole_east, east);
    vec3 place =
        map_position(origin, lane_select(placed, north, zero), lane_select(placed, east, zero), raw.z);
    place.z = lane_select(above_home, n->home.z - raw.z, place.z);
    return place;
}

/* The position of the port in the frame of the map; NaN and infinity stay.  Offsets in the body frame are not
 * positions: navigator_anchor. */
LANE_INLINE vec3 navigator_place(const navigator *n, const navigator_words *w, const map_origin *origin)
{
    vec3 raw = navigator_floats(n, SIL_POSITION);
    mask bits = w->sil_ints[SIL_INT_OFFBOARD];
    mask local = words_have(bits, SIL_OFFBOARD_LOCAL), global = words_have(bits, SIL_OFFBOARD_GLOBAL);
    vec3 place = vec3_select(local, add(n->home, raw), raw); /* with GLOBAL, LOCAL is of the height alone */
    if (mask_any(global)) {
        place = vec3_select(global, navigator_global_place(n, w, origin), place);
    }
    return navigator_bounded(place, (real)RF_MAX_DISTANCE);
}

/* An offset in the body frame becomes a goal once, where the vehicle is when the offset changes. */
LANE_INLINE void navigator_anchor(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                  direction heading, mask obeying)
{
    mask bits = w->sil_ints[SIL_INT_OFFBOARD];
    mask offset = obeying & words_have(bits, SIL_OFFBOARD_POSITION) & words_have(bits, SIL_OFFBOARD_FRD) &
                  mask_not(words_have(bits, SIL_OFFBOARD_GLOBAL));
    vec3 raw = vec3_zero_unless_finite(navigator_floats(n, SIL_POSITION));
    raw = navigator_bounded(raw, (real)RF_MAX_DISTANCE);
    vec3 held = n->navigator_offset;
    mask same = (raw.x == held.x) & (raw.y == held.y) & (raw.z == held.z);
    mask fresh = offset & mask_not(same & words_have(w->navigator_flags, NAVIGATOR_ANCHORED));
    n->navigator_goal = vec3_select(fresh, add(v->pos, heading_to_ned(heading, raw)), n->navigator_goal);
    n->navigator_offset = vec3_select(fresh, raw, held);
    navigator_flag_set(w, NAVIGATOR_ANCHORED, mask_true(), offset);
}

/* A stick of the remote control, -1 to 1; what is no pulse is centred. */
LANE_INLINE lane navigator_stick(lane pulse)
{
    lane share = (pulse - NAVIGATOR_STICK_CENTRE) / NAVIGATOR_STICK_THROW;
    mask pulses = (pulse >= (real)800) & (pulse <= (real)2200) & (lane_abs(share) > NAVIGATOR_STICK_DEAD);
    return lane_select(pulses, lane_clamp(share, lane_of(-1), lane_of(1)), lane_of(0));
}

/* Forward and right [m/s] and turning [rad/s] that the sticks ask for. */
LANE_INLINE vec3 navigator_sticks(const navigator *n, const navigator_vehicle *v)
{
    const lane *pulse = &n->sil_floats[SIL_VELOCITY];
    return vec3_of(v->speed * navigator_stick(pulse[0]), v->speed * navigator_stick(pulse[1]),
                   v->turn * navigator_stick(pulse[2]));
}

/* The set-points of the ports. */
LANE_INLINE navigator_target navigator_ported(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                              const map_origin *origin)
{
    const lane_int same = NAVIGATOR_MOVES | NAVIGATOR_HEADS | SIL_OFFBOARD_ATTITUDE | SIL_OFFBOARD_THRUST;
    mask bits = w->sil_ints[SIL_INT_OFFBOARD];
    vec3 place = navigator_place(n, w, origin);
    mask anchored = words_have(w->navigator_flags, NAVIGATOR_ANCHORED);
    place = vec3_select(anchored, n->navigator_goal, place);
    vec3 angles = navigator_floats(n, SIL_ATTITUDE), rate = navigator_floats(n, SIL_BODY_RATE);
    navigator_target t = {
        .pos = vec3_or_else(place, v->pos),
        .vel =
            navigator_bounded(vec3_zero_unless_finite(navigator_floats(n, SIL_VELOCITY)), (real)RF_MAX_SPEED),
        .acc = navigator_bounded(vec3_zero_unless_finite(navigator_floats(n, SIL_ACCELERATION)),
                                 (real)RF_MAX_SPEED),
        .rate = navigator_bounded(vec3_zero_unless_finite(rate), (real)RF_MAX_RATE),
        .att = {lane_of(1), lane_of(0), lane_of(0), lane_of(0)},
        .thrust = lane_min(lane_max(n->sil_floats[SIL_THRUST], lane_of(0)), lane_of(1)), /* NaN becomes 0 */
        .yaw = angles.z,
        .bits = bits & same,
    };
    if (mask_any(words_have(bits, SIL_OFFBOARD_ATTITUDE))) {
        angles = vec3_zero_unless_finite(angles);
        quat q = quat_from_euler((euler){angles.x, angles.y, angles.z});
        t.att = quat_select(words_have(bits, SIL_OFFBOARD_ATTITUDE), q, t.att);
    }
    t.yaw_rate = t.rate.z;
    t.rate.z = lane_select(words_have(bits, SIL_OFFBOARD_YAW_RATE), t.rate.z, lane_of(0));
    t.bits |= words_of(words_have(bits, SIL_RATES), RF_SETPOINT_BODY_RATE);
    t.bits |= words_of(words_have(bits, SIL_OFFBOARD_FRD), RF_SETPOINT_HEADING_FRAME);
    mask no_yaw = mask_not(lane_finite(t.yaw));
    t.bits = words_select(no_yaw, t.bits & ~(lane_int)RF_SETPOINT_YAW, t.bits);
    t.yaw = zero_unless_finite(t.yaw);
    return t;
}

#endif

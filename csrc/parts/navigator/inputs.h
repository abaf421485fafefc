/* SPDX-License-Identifier: BSD-3-Clause */
/* Set-points of the inputs inSILInts and inSILFloats, as set-points of the controllers.
 *
 * A position is relative to the origin of the map or to home, an offset in the body frame from the position of the
 * vehicle when the offset changes, or latitude, longitude and height (map_frame.h).  Set-points that do not control the
 * position, such as a heading alone, leave it to manual control by the sticks, or to position hold at the goal.
 *
 * Position, velocity and acceleration may be set per axis, as with PX4: a non-finite component is not controlled.  The
 * controllers know whole vectors only, so a component that must not act gets the present value of the vehicle, which
 * has no error. */
#ifndef RF_PARTS_NAVIGATOR_INPUTS_H
#define RF_PARTS_NAVIGATOR_INPUTS_H

#include "math/map_frame.h"
#include "parts/navigator/navigator.h"
#include "math/euler.h"

/* Position [m, NED] from latitude and longitude, in degrees or as integers, and height.  An integer is used only where
 * the value in degrees is finite.  Without SIL_OFFBOARD_POSITION only the height is used: north and east are 0. */
LANE_INLINE vec3 navigator_global_position(const navigator *n, const navigator_words *w,
                                           const map_origin *origin)
{
    const lane zero = lane_of(0);
    vec3 raw = navigator_floats(n, SIL_POSITION);
    mask bits = w->sil_ints[SIL_INT_OFFBOARD], horizontal = words_have(bits, SIL_OFFBOARD_POSITION);
    mask integer = words_have(bits, SIL_OFFBOARD_INTEGER_POSITION),
         above_home = words_have(bits, SIL_OFFBOARD_LOCAL);
    lane north = map_degrees(raw.x, origin->lat), east = map_degrees(raw.y, origin->lon);
    lane integer_north = map_whole(w->sil_ints[SIL_INT_LATITUDE], origin->lat);
    lane integer_east = map_whole(w->sil_ints[SIL_INT_LONGITUDE], origin->lon);
    north = lane_select(integer & lane_finite(raw.x), integer_north, north);
    east = lane_select(integer & lane_finite(raw.y), integer_east, east);
    vec3 pos = map_position(origin, lane_select(horizontal, north, zero), lane_select(horizontal, east, zero),
                            raw.z);
    pos.z = lane_select(above_home, n->home.z - raw.z, pos.z);
    return pos;
}

/* Position set-point [m, NED of the map]; non-finite values are kept.  For an offset in the body frame see
 * navigator_fix_offset. */
LANE_INLINE vec3 navigator_input_position(const navigator *n, const navigator_words *w,
                                          const map_origin *origin)
{
    vec3 raw = navigator_floats(n, SIL_POSITION);
    mask bits = w->sil_ints[SIL_INT_OFFBOARD];
    mask local = words_have(bits, SIL_OFFBOARD_LOCAL), global = words_have(bits, SIL_OFFBOARD_GLOBAL);
    vec3 pos = vec3_select(local, add(n->home, raw), raw); /* with GLOBAL, LOCAL applies to the height only */
    if (mask_any(global)) {
        pos = vec3_select(global, navigator_global_position(n, w, origin), pos);
    }
    return navigator_clamp(pos, (real)RF_MAX_DISTANCE);
}

/* Converts an offset in the body frame to a goal, once per change of the offset. */
LANE_INLINE void navigator_fix_offset(navigator *n, navigator_words *w, const navigator_vehicle *v)
{
    mask bits = w->sil_ints[SIL_INT_OFFBOARD], active = navigator_is(w, NAVIGATOR_POSITION);
    mask offset = active & words_have(bits, SIL_OFFBOARD_POSITION) & words_have(bits, SIL_OFFBOARD_FRD) &
                  mask_not(words_have(bits, SIL_OFFBOARD_GLOBAL));
    direction heading = navigator_heading(v);
    vec3 raw = vec3_zero_unless_finite(navigator_floats(n, SIL_POSITION));
    raw = navigator_clamp(raw, (real)RF_MAX_DISTANCE);
    vec3 last = n->navigator_offset;
    mask same = (raw.x == last.x) & (raw.y == last.y) & (raw.z == last.z);
    mask changed = offset & mask_not(same & words_have(w->navigator_flags, NAVIGATOR_OFFSET_FIXED));
    n->navigator_goal = vec3_select(changed, add(v->pos, heading_to_ned(heading, raw)), n->navigator_goal);
    n->navigator_offset = vec3_select(changed, raw, last);
    navigator_flag_set(w, NAVIGATOR_OFFSET_FIXED, mask_true(), offset);
}

/* Deflection of a stick, -1 to 1, from its pulse width [us]; 0 for a value that is not a pulse width. */
LANE_INLINE lane navigator_stick(lane pulse)
{
    lane deflection = (pulse - NAVIGATOR_STICK_CENTRE) / NAVIGATOR_STICK_RANGE;
    mask valid =
        (pulse >= (real)800) & (pulse <= (real)2200) & (lane_abs(deflection) > NAVIGATOR_STICK_DEADBAND);
    return lane_select(valid, lane_clamp(deflection, lane_of(-1), lane_of(1)), lane_of(0));
}

/* Forward and right velocity [m/s] and yaw rate [rad/s] commanded by the sticks. */
LANE_INLINE vec3 navigator_sticks(const navigator *n, const navigator_vehicle *v)
{
    const lane *pulse = &n->sil_floats[SIL_VELOCITY];
    return vec3_of(v->speed * navigator_stick(pulse[0]), v->speed * navigator_stick(pulse[1]),
                   v->yaw_rate * navigator_stick(pulse[2]));
}

/* North, east, down to forward, right, down of the heading. */
LANE_INLINE vec3 navigator_ned_to_heading(direction heading, vec3 v)
{
    return heading_to_ned((direction){heading.north, -heading.east}, v);
}

/* True where a vector of the inputs is set along an axis. */
LANE_INLINE mask navigator_sets(const navigator *n, mask bits, lane_int bit, int index)
{
    return words_have(bits, bit) & lane_finite(n->sil_floats[index]);
}

/* Velocity set-point of an axis: the present one where only an acceleration is set, 0 where nothing is; sets VELOCITY
 * where the controllers need it. */
LANE_INLINE lane navigator_axis_velocity(const navigator *n, int axis, mask bits, lane present,
                                         navigator_target *t)
{
    const lane_int closed_loop = SIL_OFFBOARD_POSITION | SIL_OFFBOARD_VELOCITY;
    mask other = navigator_sets(n, bits, SIL_OFFBOARD_POSITION, SIL_POSITION + axis) |
                 navigator_sets(n, bits, SIL_OFFBOARD_VELOCITY, SIL_VELOCITY + axis);
    mask accelerates = navigator_sets(n, bits, SIL_OFFBOARD_ACCELERATION, SIL_ACCELERATION + axis);
    mask open = accelerates & mask_not(other) & words_have(bits, closed_loop);
    t->bits |= words_of(open, RF_SETPOINT_VELOCITY);
    lane given =
        lane_select(words_have(bits, SIL_OFFBOARD_VELOCITY), n->sil_floats[SIL_VELOCITY + axis], lane_of(0));
    return lane_select(open, present, zero_unless_finite(given));
}

/* Velocity set-point [m/s], NED, or with FRD forward, right, down of the heading. */
LANE_INLINE vec3 navigator_velocity(const navigator *n, mask bits, const navigator_vehicle *v,
                                    navigator_target *t)
{
    vec3 turned = navigator_ned_to_heading(navigator_heading(v), v->vel);
    vec3 present = vec3_select(words_have(bits, SIL_OFFBOARD_FRD), turned, v->vel);
    vec3 vel = vec3_of(navigator_axis_velocity(n, 0, bits, present.x, t),
                       navigator_axis_velocity(n, 1, bits, present.y, t),
                       navigator_axis_velocity(n, 2, bits, present.z, t));
    return navigator_clamp(vel, (real)RF_MAX_SPEED);
}

/* Position of a goal that was computed from an offset, and the vehicle's own along the axes of the heading where a
 * velocity or an acceleration is set instead of an offset. */
LANE_INLINE vec3 navigator_offset_position(const navigator *n, mask bits, const navigator_vehicle *v)
{
    direction heading = navigator_heading(v);
    vec3 error = navigator_ned_to_heading(heading, sub(n->navigator_goal, v->pos));
    lane *e[3] = {&error.x, &error.y, &error.z};
    for (int i = 0; i < 3; i++) {
        mask moves = navigator_sets(n, bits, SIL_OFFBOARD_VELOCITY, SIL_VELOCITY + i) |
                     navigator_sets(n, bits, SIL_OFFBOARD_ACCELERATION, SIL_ACCELERATION + i);
        mask open = moves & mask_not(lane_finite(n->sil_floats[SIL_POSITION + i]));
        *e[i] = lane_select(open, lane_of(0), *e[i]);
    }
    mask whole = mask_not(words_have(bits, SIL_OFFBOARD_VELOCITY | SIL_OFFBOARD_ACCELERATION));
    return vec3_select(whole, n->navigator_goal, add(v->pos, heading_to_ned(heading, error)));
}

/* Set-points of the inputs. */
LANE_INLINE navigator_target navigator_setpoints_from_inputs(navigator *n, navigator_words *w,
                                                             const navigator_vehicle *v,
                                                             const map_origin *origin)
{
    const lane_int common =
        NAVIGATOR_TRANSLATION | NAVIGATOR_HEADING | SIL_OFFBOARD_ATTITUDE | SIL_OFFBOARD_THRUST;
    mask bits = w->sil_ints[SIL_INT_OFFBOARD];
    navigator_fix_offset(n, w, v);
    vec3 pos = navigator_input_position(n, w, origin);
    mask offset = words_have(w->navigator_flags, NAVIGATOR_OFFSET_FIXED);
    pos = vec3_select(offset, navigator_offset_position(n, bits, v), pos);
    vec3 angles = navigator_floats(n, SIL_ATTITUDE), rate = navigator_floats(n, SIL_BODY_RATE);
    navigator_target t = {
        .pos_sp = vec3_finite_or(pos, v->pos),
        .acc_sp = navigator_clamp(vec3_zero_unless_finite(navigator_floats(n, SIL_ACCELERATION)),
                                  (real)RF_MAX_SPEED),
        .rate_sp = navigator_clamp(vec3_zero_unless_finite(rate), (real)RF_MAX_RATE),
        .att_sp = {lane_of(1), lane_of(0), lane_of(0), lane_of(0)},
        .thrust_sp =
            lane_min(lane_max(n->sil_floats[SIL_THRUST], lane_of(0)), lane_of(1)), /* NaN becomes 0 */
        .yaw_sp = angles.z,
        .bits = bits & common,
    };
    if (mask_any(words_have(bits, SIL_OFFBOARD_ATTITUDE))) {
        angles = vec3_zero_unless_finite(angles);
        quat q = quat_from_euler((euler){angles.x, angles.y, angles.z});
        t.att_sp = quat_select(words_have(bits, SIL_OFFBOARD_ATTITUDE), q, t.att_sp);
    }
    t.vel_sp = navigator_velocity(n, bits, v, &t);
    t.yaw_rate_sp = t.rate_sp.z;
    t.rate_sp.z = lane_select(words_have(bits, SIL_OFFBOARD_YAW_RATE), t.rate_sp.z, lane_of(0));
    t.bits |= words_of(words_have(bits, SIL_RATES), RF_SETPOINT_BODY_RATE);
    t.bits |= words_of(words_have(bits, SIL_OFFBOARD_FRD), RF_SETPOINT_HEADING_FRAME);
    mask no_yaw = mask_not(lane_finite(t.yaw_sp));
    t.bits = words_select(no_yaw, t.bits & ~(lane_int)RF_SETPOINT_YAW, t.bits);
    t.yaw_sp = zero_unless_finite(t.yaw_sp);
    return t;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Navigator: turns commands (take off, return, land, and set-points in any frame) into set-points of the
 * controllers (seed 000 section 9.2.1.2; bits in base/sil.h; the states and transitions are drawn in
 * docs/protocol.md).
 *
 *     navigator_accept   takes in a command word, once
 *     navigator_guide    carries on with what the vehicle is doing; every update
 *
 *     STANDBY --(set-points, or in the air)--> POSITION        <--(height reached)-- TAKEOFF
 *     any     --(command)--> TAKEOFF < RETURN < APPROACH -(above the place)-> DESCEND -(touched down)-> STANDBY
 *
 * Where a command names several of the last three, landing comes before return, and that before take-off.  A climb
 * or a descent is a set-point that moves along z at takeoff_speed or landing_speed, and never faster than
 * NAVIGATOR_LIMIT_SHARE of what the velocity loop may ask, so that the vehicle can catch up.  With nothing
 * commanded the sticks of the remote control count (1500 us: zero), and with the sticks centred the vehicle holds
 * the place where it comes to rest.
 *
 * Positions in m, NED of the map; times in s.  Values that are not finite ask for nothing; all others are bounded by
 * the envelope of base/status.h, so no set-point can do more than be far away.
 *
 * Leaves out: obstacles, geofences, battery and link failsafes. */
#ifndef RF_CONTROL_NAVIGATOR_H
#define RF_CONTROL_NAVIGATOR_H

#include "base/setpoint.h"
#include "base/sil.h"
#include "base/status.h"
#include "control/attitude.h"
#include "control/map_frame.h"
#include "control/navigator_columns.h"
#include "math/euler.h"

#define NAVIGATOR_ARRIVAL ((real)0.5) /* m from a goal, where it counts as reached */
#define NAVIGATOR_CLEARANCE                                                                                  \
    ((real)0.5) /* m above the ground from which a take-off may move sideways and turn */
#define NAVIGATOR_UNSET        ((real)1)   /* m: a height within this of zero was not given (seed) */
#define NAVIGATOR_PRESS        ((real)0.5) /* m below the ground where a landing set-point ends */
#define NAVIGATOR_LIMIT_SHARE  ((real)0.9) /* of the speed limits that a moving set-point uses */
#define NAVIGATOR_TOUCH_HEIGHT ((real)0.1) /* m */
#define NAVIGATOR_TOUCH_SPEED  ((real)0.1) /* m/s */
#define NAVIGATOR_TOUCH_TIME   ((real)0.5) /* s, with height and speed below those: landed */
#define NAVIGATOR_SLOW         ((real)0.3) /* m/s below which a vehicle that brakes takes its place as goal */
#define NAVIGATOR_STICK_CENTRE ((real)1500) /* us */
#define NAVIGATOR_STICK_THROW  ((real)500)  /* us from the centre to the end */
#define NAVIGATOR_STICK_DEAD   ((real)0.05) /* share of the throw without effect */

enum navigator_mode {
    NAVIGATOR_NONE,     /* leaves the set-points alone */
    NAVIGATOR_STANDBY,  /* disarmed, or rotors idle on the ground */
    NAVIGATOR_TAKEOFF,  /* climbs; while disarmed it waits */
    NAVIGATOR_POSITION, /* obeys the set-points of the ports, or holds a place */
    NAVIGATOR_RETURN,   /* flies home and stays above it */
    NAVIGATOR_APPROACH, /* flies above the landing place */
    NAVIGATOR_DESCEND   /* sinks until the ground is met */
};

enum navigator_flag {
    NAVIGATOR_WAS_ARMED = 1 << 0, /* at the last update */
    NAVIGATOR_HAS_HOME = 1 << 1,
    NAVIGATOR_EXTERNAL = 1 << 2, /* throttle comes from outside */
    NAVIGATOR_BRAKING = 1 << 3,  /* the goal follows the vehicle until it is slow */
    NAVIGATOR_ANCHORED = 1 << 4  /* the goal is navigator_offset from where the vehicle was */
};

enum {
    /* a place or a speed is set; heading alone is not */
    NAVIGATOR_MOVES = SIL_OFFBOARD_POSITION | SIL_OFFBOARD_VELOCITY | SIL_OFFBOARD_ACCELERATION,
    NAVIGATOR_RATES = SIL_OFFBOARD_ROLL_RATE | SIL_OFFBOARD_PITCH_RATE,
    NAVIGATOR_BY_HAND = SIL_OFFBOARD_ATTITUDE | NAVIGATOR_RATES,
    NAVIGATOR_HEADS = SIL_OFFBOARD_YAW | SIL_OFFBOARD_YAW_RATE,
    NAVIGATOR_ASKS = NAVIGATOR_MOVES | NAVIGATOR_BY_HAND | NAVIGATOR_HEADS,
    NAVIGATOR_TASKS = SIL_COMMAND_TAKEOFF | SIL_COMMAND_RETURN | SIL_COMMAND_LAND
};

typedef lane sil_float_port[SIL_FLOATS];
typedef mask sil_int_port[SIL_INTS];
typedef mask word;

#define NAVIGATOR_MEMBER(type, name, unit, frame, doc) type name;

typedef struct navigator {
    NAVIGATOR_MEMORY(NAVIGATOR_MEMBER)
} navigator;

typedef struct navigator_words {
    NAVIGATOR_WORDS(NAVIGATOR_MEMBER)
} navigator_words;

/* What the navigator knows of its vehicle. */
typedef struct navigator_vehicle {
    vec3 pos, vel; /* m, m/s, NED */
    quat att;
    lane terrain;                     /* m, z of the ground */
    lane speed, climb, descend, turn; /* limits: m/s, m/s, m/s, rad/s */
} navigator_vehicle;

/* Set-points for the controllers; bits as in base/setpoint.h. */
typedef struct navigator_target {
    vec3 pos, vel, acc;
    quat att;
    vec3 rate;
    lane thrust, yaw, yaw_rate;
    mask bits;
} navigator_target;

/* ---- small things ---- */

LANE_INLINE mask navigator_is(const navigator_words *w, lane_int mode)
{
    return w->navigator_mode == mode;
}

LANE_INLINE void navigator_enter(navigator_words *w, mask where, lane_int mode)
{
    w->navigator_mode = words_select(where, words_of(where, mode), w->navigator_mode);
}

LANE_INLINE void navigator_flag_set(navigator_words *w, lane_int flag, mask where, mask on)
{
    mask with = w->navigator_flags | flag, without = w->navigator_flags & ~flag;
    w->navigator_flags = words_select(where, words_select(on, with, without), w->navigator_flags);
}

LANE_INLINE mask navigator_low(const navigator_vehicle *v)
{
    return v->terrain - v->pos.z < NAVIGATOR_TOUCH_HEIGHT;
}

/* x within `most`; what is not finite stays so. */
LANE_INLINE lane navigator_bounded_lane(lane x, real most)
{
    return lane_select(lane_finite(x), lane_clamp(x, lane_of(-most), lane_of(most)), x);
}

LANE_INLINE vec3 navigator_bounded(vec3 v, real most)
{
    return vec3_of(navigator_bounded_lane(v.x, most), navigator_bounded_lane(v.y, most),
                   navigator_bounded_lane(v.z, most));
}

/* Words where m is true, else 0. */
LANE_INLINE mask navigator_words_where(mask m, mask words)
{
    return words & words_of(m, -1);
}

LANE_INLINE vec3 navigator_floats(const navigator *n, int first)
{
    return vec3_of(n->sil_floats[first], n->sil_floats[first + 1], n->sil_floats[first + 2]);
}

LANE_INLINE vec3 vec3_or_else(vec3 v, vec3 otherwise)
{
    return vec3_of(lane_select(lane_finite(v.x), v.x, otherwise.x),
                   lane_select(lane_finite(v.y), v.y, otherwise.y),
                   lane_select(lane_finite(v.z), v.z, otherwise.z));
}

LANE_INLINE quat quat_select(mask m, quat a, quat b)
{
    return (quat){lane_select(m, a.w, b.w), lane_select(m, a.x, b.x), lane_select(m, a.y, b.y),
                  lane_select(m, a.z, b.z)};
}

/* ---- where a position set-point is ---- */

/* The position of the port in the frame of the map; NaN and infinity stay.  Offsets in the body frame are not
 * positions: navigator_anchor. */
LANE_INLINE vec3 navigator_place(const navigator *n, const navigator_words *w, const map_origin *origin)
{
    vec3 raw = navigator_floats(n, SIL_POSITION);
    mask bits = w->sil_ints[SIL_INT_OFFBOARD];
    mask local = words_have(bits, SIL_OFFBOARD_LOCAL), global = words_have(bits, SIL_OFFBOARD_GLOBAL);
    vec3 place = vec3_select(local, add(n->home, raw), raw);
    if (mask_any(global)) {
        mask whole = words_have(bits, SIL_OFFBOARD_INTEGER_PLACE);
        lane north = map_degrees(raw.x, origin->lat), east = map_degrees(raw.y, origin->lon);
        north = lane_select(whole, map_whole(w->sil_ints[SIL_INT_LATITUDE], origin->lat), north);
        east = lane_select(whole, map_whole(w->sil_ints[SIL_INT_LONGITUDE], origin->lon), east);
        place = vec3_select(global, map_position(origin, north, east, raw.z), place);
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

/* ---- taking in a command ---- */

/* How many of the vehicles' words and values are not as they should be, for the counters. */
LANE_INLINE void navigator_count(const navigator *n, navigator_words *w, mask given)
{
    mask bits = w->sil_ints[SIL_INT_OFFBOARD], frame = w->sil_ints[SIL_INT_FRAME];
    mask unknown = words_have(w->sil_ints[SIL_INT_COMMAND], ~(lane_int)SIL_COMMAND_KNOWN) |
                   words_have(bits, ~(lane_int)SIL_OFFBOARD_KNOWN) |
                   words_have(frame, ~(lane_int)SIL_FRAME_KNOWN) | ((frame & (frame - 1)) != 0);
    const struct {
        lane_int bits;
        int first, count;
    } used[] = {{SIL_OFFBOARD_POSITION, SIL_POSITION, 3},
                {SIL_OFFBOARD_VELOCITY, SIL_VELOCITY, 3},
                {SIL_OFFBOARD_ACCELERATION, SIL_ACCELERATION, 3},
                {SIL_OFFBOARD_YAW, SIL_ATTITUDE + 2, 1},
                {SIL_OFFBOARD_YAW_RATE, SIL_BODY_RATE + 2, 1},
                {SIL_OFFBOARD_ATTITUDE, SIL_ATTITUDE, 3},
                {NAVIGATOR_RATES, SIL_BODY_RATE, 3},
                {SIL_OFFBOARD_THRUST, SIL_THRUST, 1}};
    mask bad = words_have(w->sil_ints[SIL_INT_COMMAND], NAVIGATOR_TASKS) &
               mask_not(lane_finite(n->sil_floats[SIL_POSITION + 2]));
    for (size_t i = 0; i < sizeof used / sizeof used[0]; i++) {
        for (int j = 0; j < used[i].count; j++) {
            mask wrong = mask_not(lane_finite(n->sil_floats[used[i].first + j]));
            bad = bad | (words_have(bits, used[i].bits) & wrong);
        }
    }
    w->sil_unknown += words_of(given & unknown, 1);
    w->sil_bad += words_of(given & bad, 1);
}

/* The place that a task's command gives: where it says nothing, the vehicle's own. */
LANE_INLINE vec3 navigator_task_place(const navigator *n, const navigator_words *w,
                                      const navigator_vehicle *v, const map_origin *origin)
{
    vec3 place = navigator_place(n, w, origin);
    mask given = words_have(w->sil_ints[SIL_INT_OFFBOARD], SIL_OFFBOARD_POSITION);
    return vec3_of(lane_select(given & lane_finite(place.x), place.x, v->pos.x),
                   lane_select(given & lane_finite(place.y), place.y, v->pos.y), place.z);
}

/* A new goal, for vehicles that do not have it already: a command that is repeated, as clients do for fear of loss,
 * changes nothing. */
LANE_INLINE void navigator_begin(navigator *n, navigator_words *w, const navigator_vehicle *v, mask where,
                                 lane_int mode, vec3 goal)
{
    navigator_enter(w, where, mode);
    n->navigator_goal = vec3_select(where, goal, n->navigator_goal);
    n->navigator_start[0] = lane_select(where, v->pos.x, n->navigator_start[0]);
    n->navigator_start[1] = lane_select(where, v->pos.y, n->navigator_start[1]);
    n->navigator_ramp = lane_select(where, v->pos.z, n->navigator_ramp);
    n->navigator_touched = lane_select(where, lane_of(0), n->navigator_touched);
    navigator_flag_set(w, NAVIGATOR_BRAKING | NAVIGATOR_ANCHORED, where, mask_not(mask_true()));
}

LANE_INLINE void navigator_accept_takeoff(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                          vec3 place, mask where)
{
    mask bits = w->sil_ints[SIL_INT_OFFBOARD], named = words_have(bits, SIL_OFFBOARD_POSITION);
    lane lowest = n->home.z - NAVIGATOR_UNSET;
    lane z = lane_select(place.z <= lowest, place.z, n->home.z - n->takeoff_height);
    vec3 held = n->navigator_goal;
    mask on_it = (navigator_is(w, NAVIGATOR_TAKEOFF) | navigator_is(w, NAVIGATOR_POSITION)) & (z == held.z) &
                 (mask_not(named) | ((place.x == held.x) & (place.y == held.y)));
    mask fresh = where & mask_not(on_it);
    navigator_begin(n, w, v, fresh, NAVIGATOR_TAKEOFF, vec3_of(place.x, place.y, z));
    lane yaw = lane_select(words_have(bits, SIL_OFFBOARD_YAW), n->sil_floats[SIL_ATTITUDE + 2],
                           lane_of((real)__builtin_nan("")));
    n->navigator_yaw = lane_select(fresh, yaw, n->navigator_yaw);
}

LANE_INLINE void navigator_accept_return(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                         vec3 place, mask where)
{
    mask named = lane_abs(n->sil_floats[SIL_POSITION + 2]) > NAVIGATOR_UNSET;
    lane z = lane_select(named & lane_finite(place.z), place.z, v->pos.z);
    mask on_it = navigator_is(w, NAVIGATOR_RETURN) & (mask_not(named) | (z == n->navigator_goal.z));
    navigator_begin(n, w, v, where & mask_not(on_it), NAVIGATOR_RETURN, vec3_of(n->home.x, n->home.y, z));
}

LANE_INLINE void navigator_accept_landing(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                          vec3 place, mask where)
{
    mask named = words_have(w->sil_ints[SIL_INT_OFFBOARD], SIL_OFFBOARD_POSITION);
    mask height = lane_abs(n->sil_floats[SIL_POSITION + 2]) > NAVIGATOR_UNSET;
    lane end = lane_select(height & lane_finite(place.z), place.z, lane_of((real)RF_MAX_DISTANCE));
    vec3 held = n->navigator_goal;
    mask landing = navigator_is(w, NAVIGATOR_APPROACH) | navigator_is(w, NAVIGATOR_DESCEND);
    mask on_it = landing & (end == held.z) & (mask_not(named) | ((place.x == held.x) & (place.y == held.y)));
    mask fresh = where & mask_not(on_it), low = navigator_low(v);
    vec3 goal = vec3_of(lane_select(low, v->pos.x, place.x), lane_select(low, v->pos.y, place.y), end);
    navigator_begin(n, w, v, fresh & low, NAVIGATOR_DESCEND, goal);
    navigator_begin(n, w, v, fresh & mask_not(low), NAVIGATOR_APPROACH, goal);
}

/* Takes in the command words that ask for it; `armed` is where the motors may turn. */
LANE_INLINE void navigator_accept(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                  const map_origin *origin, mask *armed)
{
    mask command = w->sil_ints[SIL_INT_COMMAND], before = *armed;
    mask given = words_have(command, SIL_COMMAND_ENABLE);
    navigator_count(n, w, given);

    mask land = given & words_have(command, SIL_COMMAND_LAND);
    mask back = given & words_have(command, SIL_COMMAND_RETURN) & mask_not(land);
    mask climb = given & words_have(command, SIL_COMMAND_TAKEOFF) & mask_not(land | back);
    mask plain = given & mask_not(land | back | climb);
    mask asked = words_have(command, SIL_COMMAND_ARMED) & (before | mask_not(land | back));
    mask after = (given & asked) | (mask_not(given) & before);

    mask ends = navigator_is(w, NAVIGATOR_NONE) | navigator_is(w, NAVIGATOR_RETURN) |
                navigator_is(w, NAVIGATOR_APPROACH) | navigator_is(w, NAVIGATOR_DESCEND);
    mask waits = climb & mask_not(before); /* for arming */
    navigator_enter(w, (plain & ends) | (given & mask_not(after | waits)), NAVIGATOR_STANDBY);

    vec3 place = navigator_task_place(n, w, v, origin);
    navigator_accept_takeoff(n, w, v, place, climb & (after | waits));
    navigator_accept_return(n, w, v, place, back & after);
    navigator_accept_landing(n, w, v, place, land & after);

    mask frame = w->sil_ints[SIL_INT_FRAME];
    mask single = (frame != 0) & ((frame & (frame - 1)) == 0) & words_have(frame, SIL_FRAME_KNOWN);
    w->sil_frame = words_select(given & single, frame, w->sil_frame);

    mask task = land | back | climb;
    mask offboard = w->sil_ints[SIL_INT_OFFBOARD];
    w->sil_ints[SIL_INT_OFFBOARD] = navigator_words_where(mask_not(task), offboard);
    w->sil_ints[SIL_INT_COMMAND] = command & ~(lane_int)SIL_COMMAND_ENABLE;
    navigator_flag_set(w, NAVIGATOR_EXTERNAL, given, mask_not(words_have(command, SIL_COMMAND_SIL)));
    *armed = after;
}

/* ---- carrying on ---- */

/* Moves the ramp towards `end`; returns its velocity. */
LANE_INLINE lane navigator_climb(navigator *n, const navigator_vehicle *v, lane end, lane speed, mask where,
                                 lane dt)
{
    lane way = end - n->navigator_ramp;
    lane limit = NAVIGATOR_LIMIT_SHARE * lane_select(way < 0, v->climb, v->descend);
    lane most = dt * lane_min(lane_max(speed, lane_of(0)), limit);
    lane moved = lane_clamp(way, -most, most);
    n->navigator_ramp = lane_select(where, n->navigator_ramp + moved, n->navigator_ramp);
    return lane_select(lane_abs(way) > most, moved / dt, lane_of(0));
}

/* What changes by itself: disarming, first fix, arrival, touch-down. */
LANE_INLINE void navigator_transitions(navigator *n, navigator_words *w, const navigator_vehicle *v, lane dt,
                                       mask *armed)
{
    mask was = words_have(w->navigator_flags, NAVIGATOR_WAS_ARMED), low = navigator_low(v);
    mask none = navigator_is(w, NAVIGATOR_NONE);
    mask stopped = was & mask_not(*armed) & mask_not(none);
    navigator_enter(w, stopped, NAVIGATOR_STANDBY);

    mask homeless = mask_not(words_have(w->navigator_flags, NAVIGATOR_HAS_HOME));
    n->home = vec3_select(homeless, v->pos, n->home);
    navigator_flag_set(w, NAVIGATOR_HAS_HOME, homeless, homeless);

    mask asks = words_have(w->sil_ints[SIL_INT_OFFBOARD], NAVIGATOR_ASKS);
    mask rise = *armed & navigator_is(w, NAVIGATOR_STANDBY) & (asks | mask_not(low));
    navigator_enter(w, rise, NAVIGATOR_POSITION);
    n->navigator_goal = vec3_select(rise, v->pos, n->navigator_goal);
    navigator_flag_set(w, NAVIGATOR_BRAKING, rise, rise);

    /* a take-off that waited begins where the vehicle is now */
    mask climbing = navigator_is(w, NAVIGATOR_TAKEOFF), waited = climbing & mask_not(was);
    n->navigator_ramp = lane_select(waited, v->pos.z, n->navigator_ramp);
    n->navigator_start[0] = lane_select(waited, v->pos.x, n->navigator_start[0]);
    n->navigator_start[1] = lane_select(waited, v->pos.y, n->navigator_start[1]);

    vec3 way = sub(n->navigator_goal, v->pos);
    mask reached = climbing & *armed & (lane_abs(way.z) < NAVIGATOR_ARRIVAL);
    navigator_enter(w, reached, NAVIGATOR_POSITION);

    const real near = NAVIGATOR_ARRIVAL * NAVIGATOR_ARRIVAL;
    mask above = navigator_is(w, NAVIGATOR_APPROACH) & (way.x * way.x + way.y * way.y < near);
    navigator_enter(w, above, NAVIGATOR_DESCEND);

    mask still = navigator_is(w, NAVIGATOR_DESCEND) & low & (lane_abs(v->vel.z) < NAVIGATOR_TOUCH_SPEED);
    n->navigator_touched = lane_select(still & *armed, n->navigator_touched + dt, lane_of(0));
    mask landed = n->navigator_touched > NAVIGATOR_TOUCH_TIME - (real)0.5 * dt;
    navigator_enter(w, landed, NAVIGATOR_STANDBY);
    *armed = *armed & mask_not(landed);

    mask offboard = w->sil_ints[SIL_INT_OFFBOARD];
    w->sil_ints[SIL_INT_OFFBOARD] = navigator_words_where(mask_not(landed | stopped), offboard);
    navigator_flag_set(w, NAVIGATOR_WAS_ARMED, mask_true(), *armed);
}

/* A stick of the remote control, -1 to 1; what is no pulse is centred. */
LANE_INLINE lane navigator_stick(lane pulse)
{
    lane share = (pulse - NAVIGATOR_STICK_CENTRE) / NAVIGATOR_STICK_THROW;
    mask pulses = (pulse >= (real)800) & (pulse <= (real)2200) & (lane_abs(share) > NAVIGATOR_STICK_DEAD);
    return lane_select(pulses, lane_clamp(share, lane_of(-1), lane_of(1)), lane_of(0));
}

/* Holds the goal where the set-points leave position free; the sticks move it. */
LANE_INLINE void navigator_hold(navigator *n, navigator_words *w, const navigator_vehicle *v, mask obeying,
                                navigator_target *t)
{
    mask bits = w->sil_ints[SIL_INT_OFFBOARD];
    mask by_hand = words_have(bits, NAVIGATOR_BY_HAND);
    mask moves = words_have(bits, NAVIGATOR_MOVES) | (by_hand & words_have(bits, SIL_OFFBOARD_THRUST));
    mask holds = obeying & mask_not(moves);
    mask driven = holds & mask_not(by_hand);
    vec3 stick = scale(v->speed, vec3_of(navigator_stick(n->sil_floats[SIL_VELOCITY]),
                                         navigator_stick(n->sil_floats[SIL_VELOCITY + 1]), lane_of(0)));
    lane turn = v->turn * navigator_stick(n->sil_floats[SIL_VELOCITY + 2]);
    mask deflected = driven & ((stick.x != 0) | (stick.y != 0));

    mask braking = holds & words_have(w->navigator_flags, NAVIGATOR_BRAKING);
    const real slow = NAVIGATOR_SLOW;
    mask sliding = braking & (v->vel.x * v->vel.x + v->vel.y * v->vel.y > slow * slow);
    mask rising = braking & (lane_abs(v->vel.z) > slow);
    navigator_flag_set(w, NAVIGATOR_BRAKING, obeying, moves | deflected | sliding | rising);

    mask free = mask_not(words_have(w->navigator_flags, NAVIGATOR_ANCHORED));
    mask across = free & ((obeying & moves) | deflected | sliding | (holds & by_hand));
    vec3 goal = n->navigator_goal;
    goal.x = lane_select(across, v->pos.x, goal.x);
    goal.y = lane_select(across, v->pos.y, goal.y);
    goal.z = lane_select(free & ((obeying & moves) | rising), v->pos.z, goal.z);
    n->navigator_goal = goal;

    t->pos = vec3_select(holds, goal, t->pos);
    t->bits |= words_of(holds, RF_SETPOINT_POSITION);
    t->vel = vec3_select(deflected, stick, t->vel);
    t->bits |= words_of(deflected, RF_SETPOINT_VELOCITY | RF_SETPOINT_HEADING_FRAME);
    mask turns = driven & mask_not(words_have(bits, NAVIGATOR_HEADS)) & (turn != 0);
    t->yaw_rate = lane_select(turns, turn, t->yaw_rate);
    t->bits |= words_of(turns, RF_SETPOINT_YAW_RATE);
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
    t.bits |= words_of(words_have(bits, NAVIGATOR_RATES), RF_SETPOINT_BODY_RATE);
    t.bits |= words_of(words_have(bits, SIL_OFFBOARD_FRD), RF_SETPOINT_HEADING_FRAME);
    mask no_yaw = mask_not(lane_finite(t.yaw));
    t.bits = words_select(no_yaw, t.bits & ~(lane_int)RF_SETPOINT_YAW, t.bits);
    t.yaw = zero_unless_finite(t.yaw);
    return t;
}

LANE_INLINE void navigator_aim(navigator_target *t, mask where, lane_int bits, vec3 pos, vec3 vel)
{
    t->pos = vec3_select(where, pos, t->pos);
    t->vel = vec3_select(where, vel, t->vel);
    t->bits = words_select(where, words_of(where, bits), t->bits);
}

/* Carries on, and returns the set-points until the next update, dt later. */
LANE_INLINE navigator_target navigator_guide(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                             const map_origin *origin, lane dt, mask *armed)
{
    const lane zero = lane_of(0);
    const vec3 rest = vec3_of(zero, zero, zero);
    navigator_transitions(n, w, v, dt, armed);
    mask obeying = navigator_is(w, NAVIGATOR_POSITION), climbing = navigator_is(w, NAVIGATOR_TAKEOFF);
    mask sinking = navigator_is(w, NAVIGATOR_DESCEND), idle = navigator_is(w, NAVIGATOR_STANDBY);

    direction north = {lane_of(1), zero};
    navigator_anchor(n, w, v, heading_of(rotation_from_quat(v->att), north), obeying);
    navigator_target t = navigator_ported(n, w, v, origin);
    navigator_hold(n, w, v, obeying, &t);

    vec3 goal = n->navigator_goal;
    mask clear = v->terrain - v->pos.z > NAVIGATOR_CLEARANCE;
    lane rate = navigator_climb(n, v, goal.z, n->takeoff_speed, climbing & *armed, dt);
    vec3 way = vec3_of(lane_select(clear, goal.x, n->navigator_start[0]),
                       lane_select(clear, goal.y, n->navigator_start[1]), n->navigator_ramp);
    navigator_aim(&t, climbing, RF_SETPOINT_POSITION | RF_SETPOINT_VELOCITY, way, vec3_of(zero, zero, rate));
    mask turning = climbing & clear & lane_finite(n->navigator_yaw);
    t.yaw = lane_select(turning, n->navigator_yaw, t.yaw);
    t.bits |= words_of(turning, RF_SETPOINT_YAW);

    lane end = lane_min(goal.z, v->terrain + NAVIGATOR_PRESS);
    rate = navigator_climb(n, v, end, n->landing_speed, sinking, dt);
    way = vec3_of(goal.x, goal.y, n->navigator_ramp);
    navigator_aim(&t, sinking, RF_SETPOINT_POSITION | RF_SETPOINT_VELOCITY, way, vec3_of(zero, zero, rate));
    navigator_aim(&t, navigator_is(w, NAVIGATOR_APPROACH), RF_SETPOINT_POSITION, way, rest);
    navigator_aim(&t, navigator_is(w, NAVIGATOR_RETURN), RF_SETPOINT_POSITION, goal, rest);

    navigator_aim(&t, idle, RF_SETPOINT_BODY_RATE | RF_SETPOINT_THRUST, v->pos, rest);
    t.rate = vec3_select(idle, rest, t.rate);
    t.thrust = lane_select(idle, zero, t.thrust);
    return t;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Navigator: turns commands (take off, return, land, and set-points in any frame) into set-points of the
 * controllers ([@rfly-model-api 9.2.1.2]; bits in base/sil.h; the states and transitions are drawn
 * in docs/protocol.md).
 *
 *     navigator_accept   takes in a command word, once                             run.h
 *     navigator_guide    carries on with what the vehicle is doing; every update   vehicles/<family>/guide.h
 *     navigator_ported   what the set-points of the ports ask for                  inputs.h
 *
 *     STANDBY --(set-points, or in the air)--> POSITION        <--(height reached)-- TAKEOFF
 *     any     --(command)--> TAKEOFF < RETURN < APPROACH -(above the place)-> DESCEND -(touched down)-> STANDBY
 *
 * Where a command names several of the last three, landing comes before return, and that before take-off.  What each
 * of them means is the family's.  With nothing commanded the sticks of the remote control count (1500 us: zero), and
 * with the sticks centred the vehicle holds the place where it comes to rest.
 *
 * Positions in m, NED of the map; times in s.  Values that are not finite ask for nothing; all others are bounded by
 * the envelope of base/status.h, so no set-point can do more than be far away.
 *
 * Leaves out: obstacles, geofences, battery and link failsafes. */
#ifndef RF_PARTS_NAVIGATOR_NAVIGATOR_H
#define RF_PARTS_NAVIGATOR_NAVIGATOR_H

#include "base/column.h"
#include "base/setpoint.h"
#include "base/sil.h"
#include "base/status.h"
#include "control/attitude.h"
#include "parts/navigator/columns.h"
#include "parts/navigator/modes.h"

#define NAVIGATOR_ARRIVAL      ((real)0.5) /* m from a goal, where it counts as reached */
#define NAVIGATOR_UNSET        ((real)1)   /* m: a height nearer to zero than this was not given (seed) */
#define NAVIGATOR_STUCK_TIME   ((real)10)  /* s without getting anywhere: disarmed (COM_DISARM_PRFLT) */
#define NAVIGATOR_SLOW         ((real)0.3) /* m/s below which a vehicle that brakes takes its place as goal */
#define NAVIGATOR_STICK_CENTRE ((real)1500) /* us */
#define NAVIGATOR_STICK_THROW  ((real)500)  /* us from the centre to the end */
#define NAVIGATOR_STICK_DEAD   ((real)0.05) /* share of the throw without effect */

enum {
    /* a place or a speed is set; heading alone is not */
    NAVIGATOR_MOVES = SIL_OFFBOARD_POSITION | SIL_OFFBOARD_VELOCITY | SIL_OFFBOARD_ACCELERATION,
    NAVIGATOR_BY_HAND = SIL_ATTITUDE_CLASS,
    NAVIGATOR_HEADS = SIL_OFFBOARD_YAW | SIL_OFFBOARD_YAW_RATE,
    NAVIGATOR_ASKS = NAVIGATOR_MOVES | NAVIGATOR_BY_HAND | NAVIGATOR_HEADS
};

typedef lane sil_float_port[SIL_FLOATS];
typedef mask sil_int_port[SIL_INTS];
typedef mask word;

typedef struct navigator {
    NAVIGATOR_PART(COLUMN_MEMBER)
} navigator;

typedef struct navigator_words {
    NAVIGATOR_PART_WORD(COLUMN_MEMBER)
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

LANE_INLINE void navigator_drop_set_points(navigator_words *w, mask where)
{
    w->sil_ints[SIL_INT_OFFBOARD] &= words_of(mask_not(where), -1);
}

LANE_INLINE vec3 navigator_floats(const navigator *n, int first)
{
    return vec3_of(n->sil_floats[first], n->sil_floats[first + 1], n->sil_floats[first + 2]);
}

LANE_INLINE direction navigator_heading(const navigator_vehicle *v)
{
    return heading_of(rotation_from_quat(v->att), (direction){lane_of(1), lane_of(0)});
}

LANE_INLINE vec3 vec3_or_else(vec3 v, vec3 otherwise)
{
    return vec3_of(lane_select(lane_finite(v.x), v.x, otherwise.x),
                   lane_select(lane_finite(v.y), v.y, otherwise.y),
                   lane_select(lane_finite(v.z), v.z, otherwise.z));
}

#endif

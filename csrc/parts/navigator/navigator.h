/* SPDX-License-Identifier: BSD-3-Clause */
/* Navigator: turns commands (take off, return, land, and set-points in any frame) into set-points of the
 * controllers ([@rfly-model-api 9.2.1.2]; bits in base/sil.h; modes and transitions in docs/protocol.md).
 *
 *     navigator_accept                  accepts a command, once                  run.h
 *     navigator_guide                   updates mode and set-points              vehicles/<room>/guide.c
 *     navigator_setpoints_from_inputs   set-points of inSILInts, inSILFloats     inputs.h
 *
 *     STANDBY --(set-points, or in the air)--> POSITION        <--(height reached)-- TAKEOFF
 *     any     --(command)--> TAKEOFF < RETURN < APPROACH -(position reached)-> DESCEND -(touchdown)-> STANDBY
 *
 * Landing has priority over return, and return over take-off.  The family defines these tasks.  Without set-points the
 * sticks of the remote control are in effect (1500 us: centre); with the sticks centred the vehicle holds the position
 * where it comes to rest.
 *
 * Positions in m, NED of the map; times in s.  Non-finite values count as not given; all others are limited to the
 * flight envelope of base/status.h.
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

#define NAVIGATOR_ACCEPTANCE_RADIUS ((real)0.5) /* m, distance to a goal that counts as reached */
#define NAVIGATOR_MIN_HEIGHT        ((real)1) /* m: a smaller height counts as not given [@rfly-model-api 9.2.1.2] */
#define NAVIGATOR_STUCK_TIME        ((real)10)   /* s without progress: disarmed (COM_DISARM_PRFLT) */
#define NAVIGATOR_SLOW              ((real)0.3)  /* m/s: below, a braking vehicle keeps its goal */
#define NAVIGATOR_STICK_CENTRE      ((real)1500) /* us */
#define NAVIGATOR_STICK_RANGE       ((real)500)  /* us, from the centre to the end */
#define NAVIGATOR_STICK_DEADBAND    ((real)0.05) /* fraction of the range */

enum {
    /* position, velocity or acceleration is set */
    NAVIGATOR_TRANSLATION = SIL_OFFBOARD_POSITION | SIL_OFFBOARD_VELOCITY | SIL_OFFBOARD_ACCELERATION,
    NAVIGATOR_ATTITUDE = SIL_ATTITUDE_CLASS,
    NAVIGATOR_HEADING = SIL_OFFBOARD_YAW | SIL_OFFBOARD_YAW_RATE,
    NAVIGATOR_ANY = NAVIGATOR_TRANSLATION | NAVIGATOR_ATTITUDE | NAVIGATOR_HEADING
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

/* State and limits of a vehicle, as the navigator needs them. */
typedef struct navigator_vehicle {
    vec3 pos, vel; /* m, m/s, NED */
    quat att;
    vec3 rate;                            /* rad/s, FRD */
    lane terrain;                         /* m, z where the vehicle stands on the ground below */
    lane terrain_rate;                    /* m/s, of the ground below: by its slope and its motion */
    vec3 terrain_normal;                  /* unit normal of the ground, down, NED */
    mask supported;                       /* contacts carry it: it is on a roof */
    lane speed, climb, descent, yaw_rate; /* limits: m/s, m/s, m/s, rad/s */
    vec3 wind;                          /* m/s, NED, of those that fly by wings; and their airspeed [m/s], */
    lane airspeed, radius;              /* and the radius of their circles [m], above 0 clockwise, */
    lane fastest, sink;                 /* and the limit of their airspeed, their sink rate without power, */
    lane lift_off_airspeed;             /* and the airspeed at which they leave the ground [m/s] */
    lane dither;                        /* of the ramps of those that hover: math/dither.h */
    lane reach;                         /* m, of those that drive: they may stop so far beside a position; */
    lane depth, circle;                 /* m, of those that dive: below the surface; that far, some circle */
    vec3 ground_vel;                    /* m/s, NED, of the ground; and what their loops want at present: */
    lane wanted_speed, wanted_yaw_rate; /* m/s, rad/s */
} navigator_vehicle;

/* Set-points of the controllers, named as their columns, of which every family has some; bits as in base/setpoint.h. */
typedef struct navigator_target {
    vec3 pos_sp, vel_sp, acc_sp;
    quat att_sp;
    vec3 rate_sp;
    lane thrust_sp, yaw_sp, yaw_rate_sp, airspeed_sp, radius_sp;
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

/* v limited along its horizontal direction, and vertically; non-finite values are kept. */
LANE_INLINE vec3 navigator_clamp(vec3 v, real maximum)
{
    vec3 bounded = setpoint_bounded(vec3_zero_unless_finite(v), maximum);
    return vec3_of(lane_select(lane_finite(v.x), bounded.x, v.x),
                   lane_select(lane_finite(v.y), bounded.y, v.y),
                   lane_select(lane_finite(v.z), bounded.z, v.z));
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

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Transitions between hover and winged flight, as a state machine with the numbers of MAV_VTOL_STATE [@mavlink]:
 *
 *     MC --(commanded, in the air)--> TO_FW --(V >= V_t)--> FW --(commanded)--> TO_MC --(slow)--> MC
 *                                     TO_FW --(too late, counted)--> TO_MC
 *                                     TO_FW, FW --(quadchute)--> TO_MC
 *
 * V is the airspeed forward, V_b and V_t the airspeeds `transition_airspeed`, w = (V - V_b) / (V_t - V_b), 0 to 1.
 *
 *     TO_FW      the motors for hover keep height, heading and level attitude, with at most 1 - w of their thrust and of
 *                their moments; the motors forward accelerate, the surfaces have w of the moments, the pitch angle is w of
 *                that of the winged loops.  A tailsitter pitches over instead, its motors keep the height.
 *     TO_MC      faster than V_k, `braking_airspeed`, the pitch angle is that at which the wings carry
 *
 *                    n = c + k_h (h - height gained) - k_c climb rate                                    [weights]
 *
 *                so that speed becomes the height h.  Slower, the wings brake beyond their stall,
 *
 *                    pitch angle = tilt_limit + k_g climb rate / airspeed, at most VTOL_STEEPEST
 *
 *                which keeps the angle of attack while their greatest lift throws it up.  Meanwhile the motors for hover
 *                have the least thrust; more would keep it up.  Slower than VTOL_STALLED V_k, where even the greatest lift
 *                is less than the weight, and not thrown up any more, the motors for hover brake with what tilt_limit and
 *                transition_braking allow, and return to the height.
 *
 *                A tailsitter pitches up as the hovering loops say, by its joints first, and with the moment against the
 *                damping of the air: slower, the lift on the way to hover, and the thrust for moments, would throw it up.
 *
 * An angle of attack that the wings carry its weight with brakes by 0.14 g, one beyond the stall by 0.7 g and more.  On the
 * way there lift turns the path by g V / V_p^2 at most, with the airspeed V_p of the stall; V_k is what the pitch rate can
 * outrun (pyrfly/vehicles/gazebo_blocks/tuning.py).  Transitions keep the height of their beginning.  A vehicle that
 * lands or takes off hovers; a landing from winged flight begins the transition when it is near.
 *
 * Quadchute: winged flight ends by itself below a height, after a loss of height, or beyond angles of pitch and roll
 * [@px4 v1.16.1 vtol_type.cpp], with its reasons; a limit of 0 is none.  A loss of height counts from the greatest height
 * that is not above the set-point.  The least height is above the ground, PX4's above its origin.  Leaves out: its maximum
 * height; the least height and the angles in transitions. */

#include "base/vtol_state.h"

/* PX4's QuadchuteReason; without those of commands. */
enum {
    QUADCHUTE_TIMEOUT = 1,
    QUADCHUTE_HEIGHT = 3,
    QUADCHUTE_DESCENT = 4,
    QUADCHUTE_TRANSITION = 5,
    QUADCHUTE_PITCH = 6,
    QUADCHUTE_ROLL = 7
};

#define VTOL_CARRIED    ((real)0.7) /* c, as the rotors keep the rest */
#define VTOL_ZOOM       ((real)2)   /* m: h */
#define VTOL_PER_HEIGHT ((real)0.5) /* 1/m, s/m: k_h, k_c */
#define VTOL_PER_CLIMB  ((real)0.36)
#define VTOL_MOST       ((real)1.8) /* n at most */
#define VTOL_PER_PATH   ((real)2)   /* k_g */
#define VTOL_STEEPEST   ((real)1.2) /* rad */
#define VTOL_STALLED    ((real)0.6) /* of V_k */
#define VTOL_RISES      ((real)1) /* m/s: a climb rate at which it is thrown up, down to half of that airspeed */
#define VTOL_SLOW       ((real)2)  /* m/s over ground, */
#define VTOL_LEVEL      ((real)1)  /* m from its height: the transition to hover is over */
#define VTOL_LONGEST    ((real)20) /* s: so it is after this time */
#define VTOL_SPOOL      ((real)1)  /* s: the throttle of a transition rises so long */
#define VTOL_PITCH_RATE                                                                                      \
    ((real)0.29) /* rad/s: at which a tailsitter pitches over, up to the angle of level flight */
#define VTOL_NEAR    ((real)1.3) /* of the loiter radius: a landing begins the transition to hover */
#define VTOL_SETTLES ((real)5) /* s after a transition to winged flight: its loss of height counts as long */

/* Body axes of a tailsitter turned to those in which it flies forward, and back. */
LANE_INLINE vec3 vtol_forward(vec3 v, mask turned)
{
    return vec3_of(lane_select(turned, -v.z, v.x), v.y, lane_select(turned, v.x, v.z));
}

LANE_INLINE vec3 vtol_body(vec3 v, mask turned)
{
    return vec3_of(lane_select(turned, v.z, v.x), v.y, lane_select(turned, -v.x, v.z));
}

/* What the navigator wants: a vehicle that takes off or lands hovers. */
LANE_INLINE mask vtol_lands(const block *b, vec3 to_target, lane radius)
{
    if (!part_enabled(b, RF_PART_navigator)) return mask_not(mask_true());
    mask mode = words_load(NAVIGATOR_WORD(b, navigator_mode));
    lane distance = lane_sqrt(to_target.x * to_target.x + to_target.y * to_target.y);
    mask near = mask_not(distance > VTOL_NEAR * lane_abs(radius));
    return (mode == NAVIGATOR_TAKEOFF) | (mode == NAVIGATOR_DESCEND) | ((mode == NAVIGATOR_APPROACH) & near);
}

/* What decides on transitions. */
typedef struct vtol_motion {
    mask able, armed, touches, lands; /* it can do both; ... */
    lane airspeed;                    /* m/s: V */
    lane speed;                       /* m/s over ground */
    lane z, heading;                  /* m, rad */
} vtol_motion;

/* Updates the state, dt later. */
LANE_INLINE void vtol_update(const vtol_motion *at, const blocks_gain *g, lane dt, blocks_controller *c)
{
    c->vtol_command = lane_select(at->able & at->lands, lane_of(VTOL_MC), c->vtol_command);
    mask resets = (c->vtol_state == 0) | mask_not(at->armed);
    lane state = lane_select(resets, lane_of(VTOL_MC), c->vtol_state);
    mask to_fly = at->armed & (c->vtol_command == VTOL_FW);
    mask hovers = (state == VTOL_MC) | (state == VTOL_TRANSITION_TO_MC),
         accelerates = state == VTOL_TRANSITION_TO_FW;
    mask arrived = accelerates & (at->airspeed >= g->transition_airspeed[1]);
    mask late = accelerates & mask_not(arrived) & (c->vtol_time > g->transition_timeout);
    mask stands = (at->speed < VTOL_SLOW) & (lane_abs(at->z - c->vtol_z) < VTOL_LEVEL);
    mask slow = (state == VTOL_TRANSITION_TO_MC) & (stands | (c->vtol_time > VTOL_LONGEST));
    c->vtol_timeouts += lane_select(at->able & late, lane_of(1), lane_of(0));
    c->vtol_command = lane_select(late, lane_of(VTOL_MC), c->vtol_command);

    mask to_wings = hovers & to_fly & mask_not(at->touches);
    mask to_hover = mask_not(hovers) & (late | mask_not(to_fly)), begins = to_wings | to_hover;
    lane next = lane_select(arrived, lane_of(VTOL_FW), lane_select(slow, lane_of(VTOL_MC), state));
    next = lane_select(to_hover, lane_of(VTOL_TRANSITION_TO_MC), next);
    next = lane_select(to_wings, lane_of(VTOL_TRANSITION_TO_FW), next);
    c->vtol_time = lane_select(begins | arrived | slow, lane_of(0), c->vtol_time + dt);
    c->quadchute = lane_select(to_wings, lane_of(0), c->quadchute);
    c->quadchute = lane_select(at->able & late, lane_of(QUADCHUTE_TIMEOUT), c->quadchute);
    mask keeps = late | mask_not(begins);
    c->vtol_z = lane_select(keeps, c->vtol_z, at->z);
    c->vtol_heading = lane_select(keeps, c->vtol_heading, at->heading);
    c->vtol_state = lane_select(at->able, next, lane_of(0));
}

/* w: the share of the wings. */
LANE_INLINE lane vtol_share(lane state, lane airspeed, const blocks_gain *g)
{
    lane span = lane_max(g->transition_airspeed[1] - g->transition_airspeed[0], lane_of((real)0.1));
    lane share = lane_clamp((airspeed - g->transition_airspeed[0]) / span, lane_of(0), lane_of(1));
    share = lane_select(state == VTOL_TRANSITION_TO_FW, share, lane_of(0));
    return lane_select(state == VTOL_FW, lane_of(1), share);
}

/* What the quadchute looks at. */
typedef struct vtol_flight {
    mask flies, keeps; /* armed in the air; with a commanded height */
    lane z, z_sp;      /* m, NED */
    lane height;       /* m above the ground */
    lane pitch, roll;  /* rad, in the frame that flies forward */
} vtol_flight;

LANE_INLINE mask vtol_exceeds(lane value, lane limit)
{
    return (limit > 0) & (value > limit);
}

/* Ends winged flight, or the transition to it, that goes wrong, and says why. */
LANE_INLINE void vtol_quadchute(const vtol_flight *at, const blocks_gain *g, blocks_controller *c)
{
    mask winged = c->vtol_state == VTOL_FW, begins = c->vtol_state == VTOL_TRANSITION_TO_FW;
    mask early = begins | (winged & (c->vtol_time < VTOL_SETTLES)), low = winged & (g->quadchute_height > 0);
    mask below = winged & at->keeps & (at->z > at->z_sp);
    lane best = lane_max(lane_min(c->vtol_best_z, at->z), at->z_sp);
    best = lane_select(below, best, at->z);
    c->vtol_best_z = lane_select(winged | begins, best, c->vtol_best_z);

    /* of several reasons PX4 tells the first: height, descent, transition, pitch, roll */
    mask rolls = winged & vtol_exceeds(lane_abs(at->roll), g->quadchute_tilt[1]);
    lane reason = lane_select(rolls, lane_of(QUADCHUTE_ROLL), lane_of(0));
    mask pitches = winged & vtol_exceeds(lane_abs(at->pitch), g->quadchute_tilt[0]);
    reason = lane_select(pitches, lane_of(QUADCHUTE_PITCH), reason);
    mask fails = early & at->keeps & vtol_exceeds(at->z - c->vtol_z, g->quadchute_loss[1]);
    reason = lane_select(fails, lane_of(QUADCHUTE_TRANSITION), reason);
    mask sinks = winged & vtol_exceeds(at->z - c->vtol_best_z, g->quadchute_loss[0]);
    reason = lane_select(sinks, lane_of(QUADCHUTE_DESCENT), reason);
    reason = lane_select(low & (at->height < g->quadchute_height), lane_of(QUADCHUTE_HEIGHT), reason);

    mask ends = at->flies & (reason != 0);
    c->quadchute = lane_select(ends, reason, c->quadchute);
    c->vtol_command = lane_select(ends, lane_of(VTOL_MC), c->vtol_command);
}

/* Where it brakes by its wings: as long as they can carry it, or have thrown it up. */
LANE_INLINE mask vtol_glides(const blocks_gain *g, lane airspeed, lane climb)
{
    lane least = VTOL_STALLED * g->braking_airspeed;
    return (airspeed > least) | ((climb > VTOL_RISES) & (airspeed > (real)0.5 * least));
}

/* The pitch angle [rad] while the wings brake: beyond their stall, or, faster, the one with which they carry a part of the
 * weight that gains height; `lift` is theirs per angle of attack [N/rad]. */
LANE_INLINE lane vtol_pitch(const blocks_gain *g, lane weight, lane lift, lane height, lane climb,
                            lane airspeed)
{
    lane carried = VTOL_CARRIED + VTOL_PER_HEIGHT * (VTOL_ZOOM - height) - VTOL_PER_CLIMB * climb;
    carried = lane_clamp(carried, lane_of(0), lane_of(VTOL_MOST)) * weight;
    lane path = climb / lane_max(airspeed, lane_of(1)); /* pitch less angle of attack */
    lane attached = carried / lane_max(lift, lane_of((real)1e-3)) + path - g->wing_lift[1];
    attached = lane_clamp(attached, -g->tilt_limit, g->tilt_limit);
    lane stalled = lane_clamp(g->tilt_limit + VTOL_PER_PATH * path, lane_of(0), lane_of(VTOL_STEEPEST));
    return lane_select(airspeed < g->braking_airspeed, stalled, attached);
}

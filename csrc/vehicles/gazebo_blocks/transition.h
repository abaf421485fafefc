/* SPDX-License-Identifier: BSD-3-Clause */
/* Transitions between hover and winged flight, as a state machine with the numbers of MAV_VTOL_STATE [@mavlink]:
 *
 *     HOVER --(commanded, in the air)--> TO_WINGS --(V >= V_t)--> WINGS --(commanded)--> TO_HOVER --(slow)--> HOVER
 *                                        TO_WINGS --(too late, counted)--> TO_HOVER
 *
 * V is the airspeed forward, V_b and V_t the airspeeds `transition_airspeed`, w = (V - V_b) / (V_t - V_b), 0 to 1.
 *
 *     TO_WINGS   the motors for hover keep height, heading and level attitude, with at most 1 - w of their thrust and of
 *                their moments; the motors forward accelerate, the surfaces have w of the moments, the pitch angle is w of
 *                that of the winged loops.  A tailsitter pitches over instead, its motors keep the height.
 *     TO_HOVER   the motors for hover keep the height and brake, with a pitch angle up to that at which the wings carry
 *                what the motors leave, which grows as it becomes slow; some height is gained from its speed.
 *
 * Transitions keep the height of their beginning.  A vehicle that lands or takes off hovers; a landing from winged flight
 * begins the transition when it is near.  Leaves out: quadchute, gains for a loss of airspeed in winged flight. */

enum { VTOL_TO_WINGS = 1, VTOL_TO_HOVER = 2, VTOL_HOVER = 3, VTOL_WINGS = 4 };

#define VTOL_CARRIED    ((real)0.7) /* of the weight by the wings, as the rotors keep the rest; more to climb: */
#define VTOL_ZOOM       ((real)3)   /* m: so much height may be gained while braking, */
#define VTOL_PER_HEIGHT ((real)0.1) /* 1/m, s/m: weights per height and per climb rate */
#define VTOL_PER_CLIMB  ((real)0.15)
#define VTOL_LEAST_TILT ((real)0.01) /* rad */
#define VTOL_SLOW       ((real)2)    /* m/s over ground: the transition to hover is over */
#define VTOL_LONGEST    ((real)20)   /* s: so it is after this time */
#define VTOL_SPOOL      ((real)1)    /* s: the throttle of a transition rises so long */
#define VTOL_PITCH_RATE ((real)0.29) /* rad/s: at which a tailsitter pitches over, up to the angle of level flight */
#define VTOL_NEAR       ((real)1.3)  /* of the loiter radius: a landing begins the transition to hover */

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
    c->vtol_command = lane_select(at->able & at->lands, lane_of(VTOL_HOVER), c->vtol_command);
    mask resets = (c->vtol_state == 0) | mask_not(at->armed);
    lane state = lane_select(resets, lane_of(VTOL_HOVER), c->vtol_state);
    mask by_wings = at->armed & (c->vtol_command == VTOL_WINGS);
    mask hovers = (state == VTOL_HOVER) | (state == VTOL_TO_HOVER), accelerates = state == VTOL_TO_WINGS;
    mask arrived = accelerates & (at->airspeed >= g->transition_airspeed[1]);
    mask late = accelerates & mask_not(arrived) & (c->vtol_time > g->transition_timeout);
    mask slow = (state == VTOL_TO_HOVER) & ((at->speed < VTOL_SLOW) | (c->vtol_time > VTOL_LONGEST));
    c->vtol_timeouts += lane_select(at->able & late, lane_of(1), lane_of(0));
    c->vtol_command = lane_select(late, lane_of(VTOL_HOVER), c->vtol_command);

    mask to_wings = hovers & by_wings & mask_not(at->touches);
    mask to_hover = mask_not(hovers) & (late | mask_not(by_wings)), begins = to_wings | to_hover;
    lane next = lane_select(arrived, lane_of(VTOL_WINGS), lane_select(slow, lane_of(VTOL_HOVER), state));
    next = lane_select(to_hover, lane_of(VTOL_TO_HOVER), next);
    next = lane_select(to_wings, lane_of(VTOL_TO_WINGS), next);
    c->vtol_time = lane_select(begins, lane_of(0), c->vtol_time + dt);
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
    share = lane_select(state == VTOL_TO_WINGS, share, lane_of(0));
    return lane_select(state == VTOL_WINGS, lane_of(1), share);
}

/* The limit of the tilt [rad] while it brakes: the angle of attack at which the wings carry so much; `lift` is that per angle of
 * attack [N/rad].  `share` is the part of the weight that they then carry. */
LANE_INLINE lane vtol_tilt(const blocks_gain *g, lane weight, lane lift, lane height, lane climb,
                           lane airspeed, lane *share)
{
    lane carried = VTOL_CARRIED + VTOL_PER_HEIGHT * (VTOL_ZOOM - height) - VTOL_PER_CLIMB * climb;
    carried = lane_clamp(carried, lane_of((real)0.3), lane_of(1)) * weight;
    lift = lane_max(lift, lane_of((real)1e-3));
    lane path = climb / lane_max(airspeed, lane_of(1)) - g->wing_lift[1]; /* tilt less angle of attack */
    lane tilt = lane_clamp(carried / lift + path, lane_of(VTOL_LEAST_TILT), g->tilt_limit);
    *share = lane_clamp(lift * (tilt - path) / weight, lane_of(0), lane_of(VTOL_CARRIED));
    return tilt;
}

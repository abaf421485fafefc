/* SPDX-License-Identifier: BSD-3-Clause */
/* Total energy control: height and airspeed to throttle and pitch angle [@lambregts-1983], [@rfly-model-api 9.2.2].
 *
 * Energies per weight, in metres, are h and V^2 / (2 g); their rates are climb rates [m/s].  The throttle controls their
 * sum, which it alone can change, and the pitch angle what is exchanged between them:
 *
 *     h'_sp = limit(h'_ff + k_h (h_sp - h)),    V'_sp = limit(k_V (V_sp - V))
 *     total    E_sp = h'_sp + V V'_sp / g,              E = h' + V V' / g
 *     balance  B_sp = a h'_sp - b V V'_sp / g,          B = a h' - b V V' / g
 *     throttle = ff(E_sp + n) + s (k_d (E_sp - E) + I_E),   I_E' = k_i (E_sp - E),   s = (u_1 - u_0) / (E_1 + E_0)
 *     pitch    = trim + (c + k_d (B_sp - B) + I_B) / V,     I_B' = k_i (B_sp - B),   c = a h'_sp - (1 - a) V V'_sp / g
 *
 * c is the climb rate that comes of it where the throttle does its part, or of a dive for speed alone.
 * ff is linear from u_0 at -E_0 (sink without power) over the trim throttle at 0 to u_1 at E_1 (climb at full power).  n is
 * the drag of a turn as a climb rate: energy that is spent, and so not a part of E_sp.
 *
 * The weights (a, b) are (1, 1); of an aircraft below its minimum airspeed they go to (0, 1), and the throttle to its
 * maximum: it dives to its airspeed and climbs when it has it.  Where `powerless` the throttle is another's and the pitch
 * angle controls the height alone, (1, 0); where it also `glides`, the airspeed alone, (0, 1), and c has -E_0.  h'_sp is
 * limited to what the limits of the pitch angle give, and of -E_0 and E_1 to what V'_sp leaves: a descent is as steep as a
 * glide at V_sp.  Integrators stand where the output is at a limit and they would go on.
 *
 * V' is that of the motion over ground, as PX4 has it [@px4 v1.16.1 tecs/TECS.cpp]: of a gust, which no throttle can meet, V
 * alone counts.
 *
 * m, m/s, rad; throttle 0 to 1.  Leaves out: filters of noisy airspeeds. */
#ifndef RF_CONTROL_TECS_H
#define RF_CONTROL_TECS_H

#include "math/lane.h"

#define TECS_MINIMUM_SPEED ((real)1)   /* m/s: divisor */
#define TECS_SLOW_SHARE    ((real)0.1) /* of the minimum airspeed, below it: then only the speed counts */

typedef struct tecs_gains {
    lane height_p, airspeed_p; /* 1/s */
    lane integral, damping;    /* 1/s, 1: k_i, k_d */
    lane trim_throttle;        /* of level flight */
    lane throttle[2];          /* minimum, maximum */
    lane trim_pitch;           /* rad, of level flight */
    lane pitch[2];             /* rad: minimum, maximum */
    lane climb, sink, descent; /* m/s: E_1, E_0, and the limit of -h'_sp */
    lane minimum_airspeed;     /* m/s */
    lane gravity;              /* m/s^2 */
} tecs_gains;

typedef struct tecs_motion {
    lane height, climb;   /* m, m/s */
    lane airspeed, accel; /* m/s, m/s^2: V, V' */
} tecs_motion;

typedef struct tecs_demand {
    lane height, climb; /* m, m/s: h_sp, h'_ff */
    lane airspeed;      /* m/s */
    lane turn_drag;     /* m/s: n */
    mask climbs;        /* only the climb rate is controlled */
    mask powerless, glides;
} tecs_demand;

typedef struct tecs_state {
    lane throttle_integral, pitch_integral; /* m/s: I_E, I_B */
} tecs_state;

typedef struct tecs_command {
    lane throttle, pitch;
} tecs_command;

LANE_INLINE lane tecs_feed_forward(lane total, const tecs_gains *g)
{
    lane up = (g->throttle[1] - g->trim_throttle) / g->climb,
         down = (g->trim_throttle - g->throttle[0]) / g->sink;
    return g->trim_throttle + total * lane_select(total > 0, up, down);
}

/* Next integral, which stands where it would drive `output` further beyond its limits. */
LANE_INLINE lane tecs_integral(lane integral, lane change, lane output, const lane limits[2])
{
    mask stuck = ((output >= limits[1]) & (change > 0)) | ((output <= limits[0]) & (change < 0));
    return integral + lane_select(stuck, lane_of(0), change);
}

/* Throttle and pitch angle [rad]; updates the integrators, dt later. */
LANE_INLINE tecs_command tecs_update(const tecs_gains *g, const tecs_motion *at, const tecs_demand *to,
                                     tecs_state *s, lane dt)
{
    const lane zero = lane_of(0), one = lane_of(1);
    lane speed = lane_max(at->airspeed, lane_of(TECS_MINIMUM_SPEED)), kinetic = speed / g->gravity;
    lane slow = (g->minimum_airspeed - at->airspeed) / (TECS_SLOW_SHARE * g->minimum_airspeed);
    slow = lane_select(to->powerless, zero, lane_clamp(slow, zero, one));
    slow = lane_select(to->glides, one, slow);
    mask exchanges = to->glides | mask_not(to->powerless);
    lane potential = 1 - slow, moving = lane_select(exchanges, kinetic, zero);

    lane wanted = to->climb + lane_select(to->climbs, zero, g->height_p * (to->height - at->height));
    lane accel =
        lane_clamp(g->airspeed_p * (to->airspeed - at->airspeed), -g->sink / kinetic, g->climb / kinetic);
    lane climb = lane_clamp(wanted, lane_max(-g->descent, speed * (g->pitch[0] - g->trim_pitch)),
                            lane_min(g->climb, speed * (g->pitch[1] - g->trim_pitch)));
    lane spent = moving * accel, least = lane_select(to->powerless, -g->descent, -g->sink - spent);
    climb = lane_clamp(climb, least, g->climb - spent);
    lane total = climb + spent, error = total - (at->climb + kinetic * at->accel);

    lane share = (g->throttle[1] - g->throttle[0]) / (g->climb + g->sink);
    lane throttle =
        tecs_feed_forward(total + to->turn_drag, g) + share * (g->damping * error + s->throttle_integral);
    throttle = lane_max(throttle, g->throttle[0] + slow * (g->throttle[1] - g->throttle[0]));
    lane active = lane_select(to->powerless, zero, dt);
    s->throttle_integral =
        tecs_integral(s->throttle_integral, active * g->integral * error, throttle, g->throttle);

    lane balance = potential * climb - spent;
    lane lack = balance - (potential * at->climb - moving * at->accel);
    lane expected = potential * climb - slow * spent - lane_select(to->glides, g->sink, zero);
    lane pitch = g->trim_pitch + (expected + g->damping * lack + s->pitch_integral) / speed;
    s->pitch_integral = tecs_integral(s->pitch_integral, dt * g->integral * lack, pitch, g->pitch);
    return (tecs_command){lane_clamp(throttle, g->throttle[0], g->throttle[1]),
                          lane_clamp(pitch, g->pitch[0], g->pitch[1])};
}

#endif

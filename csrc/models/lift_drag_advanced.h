/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole aircraft by Gazebo's advanced lift-drag plug-in [@gz-classic src/liftdrag_plugin/advanced_liftdrag_plugin.cpp],
 * whose coefficients are those of the program AVL.
 *
 * Axes x forward, z = -upward, y = z x x, fixed to the body.  With the velocity (u, v, w) of the reference point relative
 * to the air in these axes, V = sqrt(u^2 + w^2), span b = sqrt(S A), chord c, rates p, q, r about these axes:
 *
 *     alpha = atan2(w, u)    beta = atan2(v, u)    Q = rho V^2 / 2
 *     s     = 1 - (1 - s1)(1 - s2),  s1 = 1 / (1 + e^(-M (alpha - a_s))),  s2 = 1 / (1 + e^(M (alpha + a_s)))
 *     C_L   = (1 - s)(C_L0 + C_La alpha) + s 2 sign(alpha) sin^2 alpha cos alpha + C_Lb beta + controls
 *     C_D   = (1 - s)(C_D0 + C_L^2 / (pi A e)) + s C_fp sin^2 alpha + controls,  C_fp = 2 / (1 + e^(k1 + k2 max(A, 1/A)))
 *     C_Y, C_l, C_n = C_a alpha + C_b beta + controls
 *     C_m   = C_m0 + C_ma alpha' + C_ms (alpha - alpha') + C_mb beta + controls,  alpha' = alpha within +-a_s
 *
 * Each C gets C_p p b / 2V + C_q q c / 2V + C_r r b / 2V.  Lift and drag act across and along (u, 0, w), the side force
 * along y, the moments C_l Q S b, C_m Q S c, C_n Q S b about x, y, z [N, N m].  Angles in rad; the control derivatives of
 * the plug-in are per degree, and are given per rad here, with their direction.
 *
 * All vectors are FRD; Gazebo's are FLU (lift_drag.h).  The plug-in takes the rates about the axes of its link even where
 * `forward` is another one, as for a tailsitter; here they are those about x, y, z.
 * The terms of rates and joints are linear and unbounded, and the sideslip is that of flow from ahead: flow from behind,
 * and turns of many radians per second, would take energy from still air; the vehicle bounds that (still_air.h).
 * Leaves out: Reynolds and Mach number, unsteady effects. */
#ifndef RF_MODELS_LIFT_DRAG_ADVANCED_H
#define RF_MODELS_LIFT_DRAG_ADVANCED_H

#include "math/exponential.h"
#include "math/trig.h"
#include "models/rigid_body.h"

/* Drag, side force, lift, roll, pitch and yaw moment: what a control surface adds, per rad or in all. */
enum { CONTROL_DRAG, CONTROL_SIDE, CONTROL_LIFT, CONTROL_ROLL, CONTROL_PITCH, CONTROL_YAW, CONTROL_EFFECTS };

typedef struct lift_drag_advanced {
    vec3 forward, right, down;     /* 1, FRD: x, y, z */
    lane pressure_area;            /* kg/m: rho S / 2 */
    lane span, chord;              /* m: b, c */
    lane stall, blend;             /* rad, 1/rad: a_s, M */
    lane induced, flat_plate;      /* 1: 1 / (pi A e), C_fp */
    lane lift[6];                  /* C_L: 0, alpha, beta, p, q, r */
    lane drag[4];                  /* C_D: 0, p, q, r */
    lane side[5], roll[5], yaw[5]; /* C_Y, C_l, C_n: alpha, beta, p, q, r */
    lane pitch[7];                 /* C_m: 0, alpha, beta, p, q, r, alpha beyond the stall */
} lift_drag_advanced;

/* What a coefficient is made of. */
typedef struct lift_drag_flow {
    lane speed, alpha, beta; /* m/s, rad */
    lane roll, pitch, yaw;   /* m/s: p b / 2, q c / 2, r b / 2 */
} lift_drag_flow;

/* C V, of a coefficient and its derivatives by p, q, r. */
LANE_INLINE lane lift_drag_with_rates(const lift_drag_flow *f, lane coefficient, const lane *by_rates)
{
    return coefficient * f->speed + by_rates[0] * f->roll + by_rates[1] * f->pitch + by_rates[2] * f->yaw;
}

LANE_INLINE lane lift_drag_by_angles(const lift_drag_flow *f, const lane *by_angles, lane controls)
{
    return lift_drag_with_rates(f, by_angles[0] * f->alpha + by_angles[1] * f->beta + controls,
                                by_angles + 2);
}

/* s: 0 well within the stall angles, 1 well beyond. */
LANE_INLINE lane lift_drag_blend(const lift_drag_advanced *a, lane alpha)
{
    lane above = 1 / (1 + lane_exp(-(a->blend * (alpha - a->stall))));
    lane below = 1 / (1 + lane_exp(a->blend * (alpha + a->stall)));
    return above + below - above * below;
}

/* C_fp of an aspect ratio. */
LANE_INLINE lane lift_drag_flat_plate(lane k1, lane k2, lane aspect_ratio)
{
    return 2 / (1 + lane_exp(k1 + k2 * lane_max(aspect_ratio, 1 / aspect_ratio)));
}

LANE_INLINE lane lift_drag_pitch(const lift_drag_advanced *a, const lift_drag_flow *f, lane controls)
{
    lane within = lane_limit(f->alpha, a->stall);
    lane coefficient = a->pitch[0] + a->pitch[1] * within + a->pitch[6] * (f->alpha - within);
    return lift_drag_with_rates(f, coefficient + a->pitch[2] * f->beta + controls, a->pitch + 3);
}

/* Force, and moment about the reference point, for its velocity relative to the air [m/s, FRD], the angular velocity
 * [rad/s, FRD] and the sums of CONTROL_EFFECTS. */
LANE_INLINE wrench lift_drag_advanced_wrench(const lift_drag_advanced *a, vec3 v, vec3 rate,
                                             const lane *controls)
{
    lane u = dot(v, a->forward), side = dot(v, a->right), w = dot(v, a->down);
    lane speed = lane_sqrt(u * u + w * w), inverse = 1 / lane_max(lane_of((real)1e-9), speed);
    lift_drag_flow f = {.speed = speed, .alpha = lane_atan2(w, u), .beta = lane_atan2(side, u)};
    f.roll = (real)0.5 * a->span * dot(rate, a->forward);
    f.pitch = (real)0.5 * a->chord * dot(rate, a->right);
    f.yaw = (real)0.5 * a->span * dot(rate, a->down);

    lane sine = w * inverse, cosine = u * inverse, stalled = lift_drag_blend(a, f.alpha);
    lane plate = 2 * sine * lane_abs(sine) * cosine; /* the sign of alpha is that of its sine */
    lane lift = (1 - stalled) * (a->lift[0] + a->lift[1] * f.alpha) + stalled * plate + a->lift[2] * f.beta +
                controls[CONTROL_LIFT];
    lane drag = (1 - stalled) * (a->drag[0] + a->induced * lift * lift) +
                stalled * a->flat_plate * sine * sine + controls[CONTROL_DRAG];

    lane up = lift_drag_with_rates(&f, lift, a->lift + 3), back = lift_drag_with_rates(&f, drag, a->drag + 1);
    lane k = a->pressure_area, kv = k * speed;
    vec3 force = add(scale(k * (up * w - back * u), a->forward), scale(-(k * (up * u + back * w)), a->down));
    force = add(force, scale(kv * lift_drag_by_angles(&f, a->side, controls[CONTROL_SIDE]), a->right));

    lane roll = lift_drag_by_angles(&f, a->roll, controls[CONTROL_ROLL]) * a->span;
    lane pitch = lift_drag_pitch(a, &f, controls[CONTROL_PITCH]) * a->chord;
    lane yaw = lift_drag_by_angles(&f, a->yaw, controls[CONTROL_YAW]) * a->span;
    vec3 moment = add(scale(roll, a->forward), add(scale(pitch, a->right), scale(yaw, a->down)));
    return (wrench){force, scale(kv, moment)};
}

#endif

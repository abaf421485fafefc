/* SPDX-License-Identifier: BSD-3-Clause */
/* A lifting surface of Gazebo's lift-drag plug-in [@gz-classic src/liftdrag_plugin/liftdrag_plugin.cpp].
 *
 * Forward f, upward u and the span s = f x u are unit vectors fixed to the body.  With the velocity v of the centre of
 * pressure relative to the air, its part w = (v.f) f + (v.u) u in the lift-drag plane, and the deflection x of a control
 * joint:
 *
 *     alpha     = a0 + atan2(-v.u, v.f), folded to +-90 deg                                       [rad]
 *     cos sweep = |w| / |v|
 *     C(k)      = (k alpha) cos sweep                                             |alpha| <= stall
 *                 sign(alpha) (k stall + k_stall (|alpha| - stall)) cos sweep     beyond
 *     c_l       = C(cla), beyond the stall not below 0 (for alpha > 0), + rad_to_cl x
 *     c_d       = |C(cda)|
 *     c_m       = C(cma), beyond the stall not below 0 (for alpha > 0), + cm_delta x
 *     q         = rho |w|^2 / 2                                                                    [Pa]
 *     F         = q S (c_l (s x w) - c_d w) / |w|                   at the centre of pressure       [N]
 *     M         = c_m q S s                                         without a chord               [N m]
 *
 * and nothing where v.f <= 0 or |v| <= 0.01 m/s.  There is no drag at alpha = 0 and none of a deflection; the force is not
 * continuous at v.f = 0.  |a0| below 90 deg, stall 0..90 deg, the coefficients per rad.
 *
 * All vectors are FRD.  Gazebo's are FLU: a half turn about the forward axis, under which dot and cross products keep
 * their form.  Leaves out: radial symmetry, unsteady effects, interference of surfaces. */
#ifndef RF_MODELS_LIFT_DRAG_H
#define RF_MODELS_LIFT_DRAG_H

#include "math/trig.h"
#include "models/rigid_body.h"

#define LIFT_DRAG_SLOWEST ((real)0.01) /* m/s */

typedef struct lift_drag {
    vec3 forward, upward, span; /* 1, FRD: f, u, s */
    lane pressure_area;         /* kg/m: rho S / 2 */
    lane zero_lift, stall;      /* rad: a0, stall */
    lane lift, drag, moment;    /* 1/rad: cla, cda, cma */
    lane lift_stalled, drag_stalled, moment_stalled;
} lift_drag;

/* |C| up to the sweep, signed as for alpha > 0: `within` is min(|alpha|, stall), `beyond` the rest. */
LANE_INLINE lane lift_drag_slope(lane slope, lane stalled, lane within, lane beyond)
{
    return slope * within + stalled * beyond;
}

/* x, or 0 for a negative x beyond the stall. */
LANE_INLINE lane lift_drag_not_negative(lane x, mask stalls)
{
    return lane_select(stalls & (x < 0), lane_of(0), x);
}

/* alpha [rad] for the components of v along f and u. */
LANE_INLINE lane lift_drag_alpha(const lift_drag *s, lane along, lane up)
{
    const real half_turn = TRIG_PI;
    lane alpha = s->zero_lift + lane_atan2(-up, along);
    alpha -= lane_select(alpha > half_turn / 2, lane_of(half_turn), lane_of(0));
    return alpha + lane_select(alpha < -half_turn / 2, lane_of(half_turn), lane_of(0));
}

/* Force, and moment about the centre of pressure, for its velocity relative to the air [m/s, FRD] and what a joint adds to
 * the coefficients. */
LANE_INLINE wrench lift_drag_wrench(const lift_drag *s, vec3 v, lane joint_lift, lane joint_moment)
{
    const vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    lane along = dot(v, s->forward), up = dot(v, s->upward), across = dot(v, s->span);
    lane plane2 = along * along + up * up, speed2 = plane2 + across * across;
    /* true with NaN, which sets a fault flag */
    mask acts = mask_not((along <= 0) | (speed2 <= LIFT_DRAG_SLOWEST * LIFT_DRAG_SLOWEST));
    if (!mask_any(acts)) return (wrench){zero, zero};

    lane alpha = lift_drag_alpha(s, along, up), size = lane_abs(alpha);
    mask stalls = size > s->stall;
    lane within = lane_select(stalls, s->stall, size), beyond = lane_select(stalls, size - s->stall, lane_of(0));
    lane speed = lane_sqrt(plane2), sweep = lane_sqrt(plane2 / speed2);
    lane lift = lift_drag_not_negative(lift_drag_slope(s->lift, s->lift_stalled, within, beyond), stalls);
    lane moment = lift_drag_not_negative(lift_drag_slope(s->moment, s->moment_stalled, within, beyond), stalls);
    lane drag = lane_abs(lift_drag_slope(s->drag, s->drag_stalled, within, beyond)) * sweep;
    lift = lane_select(alpha < 0, -lift, lift) * sweep + joint_lift;
    moment = lane_select(alpha < 0, -moment, moment) * sweep + joint_moment;

    lane size_of_force = s->pressure_area * speed;
    lane forward = size_of_force * (-(lift * up) - drag * along);
    lane upward = size_of_force * (lift * along - drag * up);
    vec3 force = add(scale(forward, s->forward), scale(upward, s->upward));
    vec3 turning = scale(size_of_force * speed * moment, s->span);
    return (wrench){vec3_select(acts, force, zero), vec3_select(acts, turning, zero)};
}

#endif

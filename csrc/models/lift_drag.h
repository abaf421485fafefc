/* SPDX-License-Identifier: BSD-3-Clause */
/* A lifting surface of Gazebo's lift-drag plug-in [@gz-classic src/liftdrag_plugin/liftdrag_plugin.cpp], or of that of
 * gz-sim [@gz-sim src/systems/lift_drag/LiftDrag.cc].
 *
 * Forward f, upward u and the span s = f x u are unit vectors fixed to the body.  With the velocity v of the centre of
 * pressure relative to the air, its part w = (v.f) f + (v.u) u in the lift-drag plane, and the deflection x of a control
 * joint:
 *
 *     alpha     = a0 + atan2(-v.u, v.f), folded to +-90 deg                                       [rad]
 *     cos sweep = |w| / |v|, in gz-sim its square
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
 * continuous at v.f = 0.  cm_delta x is not damped; the vehicle bounds its power (still_air.h).
 * |a0| below 90 deg, stall 0..90 deg, the coefficients per rad.
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
    mask squared; /* gz-sim's sweep */
    int has_moment; /* whether any vehicle has moments of its own: cma, cma_stall, cm_delta; the span is read for them alone */
} lift_drag;

/* The flow in the lift-drag plane. */
typedef struct lift_drag_angle {
    mask negative, stalls; /* alpha < 0, |alpha| > stall */
    lane within, beyond;   /* rad: min(|alpha|, stall) and the rest */
    lane sweep;            /* cos sweep, or its square */
} lift_drag_angle;

/* alpha [rad] for the components of v along f and u. */
LANE_INLINE lane lift_drag_alpha(const lift_drag *s, lane along, lane up)
{
    const lane half_turn = lane_of(TRIG_PI), zero = lane_of(0);
    lane alpha = s->zero_lift + lane_quick_atan2(-up, along);
    if (!mask_any(lane_abs(alpha) > TRIG_PI / 2)) return alpha;
    lane folded = alpha - lane_select(alpha > TRIG_PI / 2, half_turn, zero);
    return folded + lane_select(alpha < -TRIG_PI / 2, half_turn, zero);
}

/* C(k), for alpha > 0 beyond the stall not below 0 where `kept`. */
LANE_INLINE lane lift_drag_coefficient(const lift_drag_angle *a, lane slope, lane stalled, int kept)
{
    lane size = slope * a->within;
    if (mask_any(a->stalls)) {
        size += stalled * a->beyond;
        if (kept) size = lane_select(a->stalls & (size < 0), lane_of(0), size);
    }
    return lane_select(a->negative, -size, size) * a->sweep;
}

/* Force, and moment about the centre of pressure, for its velocity relative to the air [m/s, FRD] and what a joint adds to
 * the coefficients. */
LANE_INLINE wrench lift_drag_wrench(const lift_drag *s, vec3 v, lane joint_lift, lane joint_moment)
{
    const vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    const real slowest = LIFT_DRAG_SLOWEST * LIFT_DRAG_SLOWEST;
    lane along = dot(v, s->forward), up = dot(v, s->upward), speed2 = norm2(v);
    mask acts = mask_not((along <= 0) | (speed2 <= slowest)); /* true with NaN, which sets a fault flag */
    if (!mask_any(acts)) return (wrench){zero, zero};

    lane alpha = lift_drag_alpha(s, along, up), size = lane_abs(alpha), plane2 = along * along + up * up;
    lane square = plane2 / lane_max(lane_of(slowest), speed2);
    mask stalls = size > s->stall;
    const lift_drag_angle a = {.negative = alpha < 0,
                               .stalls = stalls,
                               .within = lane_select(stalls, s->stall, size),
                               .beyond = lane_select(stalls, size - s->stall, lane_of(0)),
                               .sweep = lane_select(s->squared, square, lane_sqrt(square))};
    lane lift = lift_drag_coefficient(&a, s->lift, s->lift_stalled, 1) + joint_lift;
    lane drag = lane_abs(lift_drag_coefficient(&a, s->drag, s->drag_stalled, 0));

    lane speed = lane_sqrt(plane2), k = lane_select(acts, s->pressure_area * speed, lane_of(0));
    vec3 force = add(scale(-(k * (lift * up + drag * along)), s->forward),
                     scale(k * (lift * along - drag * up), s->upward));
    if (!s->has_moment) return (wrench){force, zero};
    lane moment = lift_drag_coefficient(&a, s->moment, s->moment_stalled, 1) + joint_moment;
    return (wrench){force, scale(k * speed * moment, s->span)};
}

#endif

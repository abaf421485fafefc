/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole aircraft by coefficients and their derivatives at any angle of attack and sideslip: the derivatives of
 * lift_drag_advanced.h while the flow is attached [@beard-mclain 4.2], and beyond a drag along each axis of the body, so
 * that a VTOL hovers in wind from any side.
 *
 * Axes x, y, z as there.  With the velocity (u, v, w) of the reference point relative to the air, V its size, half rates
 * (p, q, r)' = (p b, q c, r b) / 2:
 *
 *     alpha = atan2(w, u)    beta = asin(v / V)    k = rho V S / 2    a = (1 - s(alpha)) h(beta)
 *     C_A   = C_L0 + C_La alpha + C_Lb beta
 *     L = k a (C_A V + C_L,p p' + C_L,q q' + C_L,r r') + k u C_L,controls        across (u, 0, w), up
 *     D = k a ((C_D0 + C_A^2 / (pi A e) + |C_D,controls|) V + C_D,p p' + ...)    along (u, 0, w)
 *     Y = k a (C_Ya alpha V + C_Yb beta V + C_Y,p p' + ...) + k u C_Y,controls   along y
 *     M = k a c (C_m0 V + C_ma alpha V + C_mb beta V + ...) + k u c C_m,controls + k c C_m,q q'
 *     and so the moments about x and z, with b, of which C_l,p and C_n,r, as C_m,q, hold in any flow;
 *     F_i = -k (1 - a) C_i v_i                                                   along x, y, z
 *
 * s is the stall of lift_drag_advanced.h; h falls from 1 to 0 between 30 and 60 deg of sideslip, smoothly (estimated).  C_x, C_y, C_z
 * are the drag coefficients in flow along the axes, v_i the velocity of the place where F_i acts: w - x_n q along z, at
 * (x_n, 0, 0), v + x_s r - z_s p along y, at (x_s, 0, z_s), and u along x.  Flow from behind is not attached, and turns
 * the effect of the surfaces around (by u); flow from the side has none.
 *
 * Energy: F_i and the three dampings only take energy from still air, lift gives none.  The attached part takes energy if
 * its numbers do; of the pitching moment they do where C_D >= C_m^2 / (2 |C_m,q|), and so about the other axes.
 *
 * FRD, rad, N, N m.  Leaves out: stall of the surfaces and of one wing before the other, hysteresis, Reynolds and Mach
 * number, the slipstream of rotors over wing and tail. */
#ifndef RF_MODELS_ANY_ANGLE_H
#define RF_MODELS_ANY_ANGLE_H

#include "models/lift_drag_advanced.h"

typedef struct any_angle {
    vec3 across; /* 1: C_x, C_y, C_z */
    vec3 centre; /* m: x_n, x_s, z_s */
    lane other;  /* e^(-2 M a_s) */
} any_angle;

#define ANY_ANGLE_EXPONENT ((real)40) /* limit, with which the square of the power fits into float32 */

/* Sums of coefficients times speeds [m/s], in the axes of the law. */
typedef struct any_angle_sums {
    lane lift, drag, side, roll, pitch, yaw;
} any_angle_sums;

/* 1 - s, of one power z = e^(M (|alpha| - a_s)). */
LANE_INLINE lane any_angle_unstalled(const lift_drag_advanced *a, const any_angle *t, lane alpha)
{
    lane exponent = a->blend * (lane_abs(alpha) - a->stall);
    lane z = lane_quick_exp(lane_limit(exponent, lane_of(ANY_ANGLE_EXPONENT)));
    return z / ((z + (1 + t->other)) * z + t->other);
}

/* h, by the squared cosine of the sideslip, which is 3/4 at 30 deg and 1/4 at 60 deg. */
LANE_INLINE lane any_angle_ahead(lane square)
{
    lane x = lane_clamp(2 * square - (real)0.5, lane_of(0), lane_of(1));
    return x * x * (3 - 2 * x);
}

LANE_INLINE any_angle_sums any_angle_attached(const lift_drag_advanced *a, const lift_drag_flow *f,
                                              const lane *controls)
{
    any_angle_sums s;
    lane lift = a->lift[0] + a->lift[1] * f->alpha + a->lift[2] * f->beta, none = lane_of(0);
    lane drag = a->drag[0] + a->induced * lift * lift + lane_abs(controls[CONTROL_DRAG]);
    lane pitch = a->pitch[0] + a->pitch[1] * f->alpha + a->pitch[2] * f->beta;
    s.lift = lift_drag_with_rates(f, lift, a->lift + 3);
    s.drag = lift_drag_with_rates(f, drag, a->drag + 1);
    s.side = lift_drag_by_angles(f, a->side, none);
    s.roll = lift_drag_by_angles(f, a->roll, none) - a->roll[2] * f->roll;
    s.pitch = lift_drag_with_rates(f, pitch, a->pitch + 3) - a->pitch[4] * f->pitch;
    s.yaw = lift_drag_by_angles(f, a->yaw, none) - a->yaw[4] * f->yaw;
    return s;
}

/* Force, and moment about the reference point, in the axes of the law, of the flow that is not attached; `k` is that of the
 * share 1 - a, (p, q, r) the angular velocity. */
LANE_INLINE wrench any_angle_separated(const any_angle *t, vec3 v, vec3 rate, lane k)
{
    const lane at_n = t->centre.x, at_s = t->centre.y, below = t->centre.z;
    vec3 local = vec3_of(v.x, v.y + at_s * rate.z - below * rate.x, v.z - at_n * rate.y);
    vec3 force = scale(-k, mul(t->across, local));
    return (wrench){force, vec3_of(-(below * force.y), -(at_n * force.z), at_s * force.y)};
}

/* Force, and moment about the reference point, for its velocity relative to the air [m/s, FRD], the angular velocity
 * [rad/s, FRD] and the sums of CONTROL_EFFECTS. */
LANE_INLINE wrench any_angle_wrench(const lift_drag_advanced *a, const any_angle *t, vec3 v, vec3 rate,
                                    const lane *controls)
{
    const lane tiny = lane_of((real)1e-9);
    vec3 flow = vec3_of(dot(v, a->forward), dot(v, a->right), dot(v, a->down));
    vec3 turn = vec3_of(dot(rate, a->forward), dot(rate, a->right), dot(rate, a->down));
    lane plane2 = flow.x * flow.x + flow.z * flow.z, square = plane2 + flow.y * flow.y;
    lane plane = lane_sqrt(plane2), speed = lane_sqrt(square);
    lift_drag_flow f = {.speed = speed, .alpha = lane_quick_atan2(flow.z, flow.x)};
    f.beta = lane_quick_atan2(flow.y, plane);
    f.roll = (real)0.5 * a->span * turn.x;
    f.pitch = (real)0.5 * a->chord * turn.y;
    f.yaw = (real)0.5 * a->span * turn.z;

    lane attached = any_angle_unstalled(a, t, f.alpha) * any_angle_ahead(plane2 / lane_max(square, tiny));
    any_angle_sums s = any_angle_attached(a, &f, controls);
    const lane u = flow.x, k = a->pressure_area * speed, inverse = 1 / lane_max(plane, tiny);
    lane lift = attached * s.lift + u * controls[CONTROL_LIFT], drag = attached * s.drag;
    lane sine = flow.z * inverse, cosine = u * inverse;
    vec3 force = vec3_of(lift * sine - drag * cosine, attached * s.side + u * controls[CONTROL_SIDE],
                         -(lift * cosine + drag * sine));
    vec3 moment =
        vec3_of(a->span * (attached * s.roll + u * controls[CONTROL_ROLL] + a->roll[2] * f.roll),
                a->chord * (attached * s.pitch + u * controls[CONTROL_PITCH] + a->pitch[4] * f.pitch),
                a->span * (attached * s.yaw + u * controls[CONTROL_YAW] + a->yaw[4] * f.yaw));
    wrench w = any_angle_separated(t, flow, turn, k * (1 - attached));
    w = (wrench){add(w.force, scale(k, force)), add(w.moment, scale(k, moment))};
    return (wrench){
        add(add(scale(w.force.x, a->forward), scale(w.force.y, a->right)), scale(w.force.z, a->down)),
        add(add(scale(w.moment.x, a->forward), scale(w.moment.y, a->right)), scale(w.moment.z, a->down))};
}

#endif

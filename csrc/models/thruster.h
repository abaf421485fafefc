/* SPDX-License-Identifier: BSD-3-Clause */
/* A propeller in water, on a motor whose controller holds the speed of the command.
 *
 *     s   = |n| / n_0                                              n [rad/s]: its speed, n_0 the rated one
 *     T   = f_1 s + ... + f_5 s^5 - k V_a |n|       n >= 0         [N] along the axis
 *     T   = -(r_1 s + ... + r_5 s^5)                n < 0
 *     n'  = (u n_max - n) / tau,                    u = 0 for |u| below the dead zone; n_max for ahead and astern
 *     P   = p |T| (V + sqrt(V^2 + a |T|)) / sqrt(a),   a = 2 / (rho A),   V = max(V_a, 0)     [W] at the shaft
 *
 * A quadratic law (T = k n |n|, bollard pull) is f_2 = k n_0^2; an open-water line K_T = K_0 - K_1 J of the diameter D is
 * f_2 = rho D^4 K_0 (n_0 / 2 pi)^2 and k = rho D^3 K_1 (1 - w) / 2 pi, with V_a the speed of the hull through the water along
 * the axis and w the wake fraction [@fossen 9.5]; thrust deduction is in both.  P is that of momentum theory for a disk of the
 * area A, p |T|^1.5 at rest, with p = 1 / (eta sqrt(2 rho A)).  A propeller that comes out of the water loses thrust in proportion over its diameter.
 *
 * N, rad/s, m/s.  Leaves out: the inertia of propeller and water, cavitation, ventilation, the drag of one that stands. */
#ifndef RF_MODELS_THRUSTER_H
#define RF_MODELS_THRUSTER_H

#include "math/vec.h"

#define THRUSTER_TERMS 5
typedef lane thruster_curve[THRUSTER_TERMS];

typedef struct thruster_law {
    const lane *ahead, *astern;  /* N: f, r */
    lane inverse_rated, advance; /* s/rad: 1 / n_0; N s^2/(m rad): k */
} thruster_law;

/* f_1 s + ... + f_5 s^5. */
LANE_INLINE lane thruster_curve_at(const lane *curve, lane s)
{
    lane sum = curve[THRUSTER_TERMS - 1];
    for (int i = THRUSTER_TERMS - 2; i >= 0; i--) sum = sum * s + curve[i];
    return sum * s;
}

/* T. */
LANE_INLINE lane thruster_thrust(const thruster_law *of, lane speed, lane advance_speed)
{
    lane size = lane_abs(speed), s = size * of->inverse_rated;
    lane ahead = thruster_curve_at(of->ahead, s) - of->advance * advance_speed * size;
    if (!mask_any(speed < 0)) return ahead;
    return lane_select(speed < 0, -thruster_curve_at(of->astern, s), ahead);
}

/* P for a thrust, with p and a, and the speed of the water through the disk, against which the thrust is [m/s]. */
LANE_INLINE lane thruster_shaft_power(lane per_thrust, lane disk, lane thrust, lane advance)
{
    lane size = lane_abs(thrust), meets = lane_select(thrust < 0, -advance, advance);
    meets = lane_max(meets, lane_of(0));
    return per_thrust * size * (meets + lane_sqrt(meets * meets + disk * size)) / lane_sqrt(disk);
}

/* The speed that a command is for [rad/s]; a NaN of the command propagates. */
LANE_INLINE lane thruster_target(lane command, lane ahead, lane astern, lane dead_zone)
{
    lane u = lane_limit(command, lane_of(1));
    u = lane_select(lane_abs(u) < dead_zone, lane_of(0), u);
    return u * lane_select(u < 0, astern, ahead);
}

#endif

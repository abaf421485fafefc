/* SPDX-License-Identifier: BSD-3-Clause */
/* A propeller of diameter D in the air of density rho, at the speed w and the airspeed V.  In the range of its data, from
 * J = 0 to J_e [@beard-mclain], [@mavsim]:
 *
 *     T = rho n^2 D^4 C_T(J),   Q = rho n^2 D^5 C_Q(J),       n = w / (2 pi),  J = V / (n D)
 *     C(J) = c_0 + c_1 J + c_2 J^2
 *
 * Beyond it the coefficients stay those of the nearer end, J_h, and the flow that is left meets the blades as plates with
 * the drag area A of the propeller at rest, whose pitch is H = J_e D, about that of zero thrust:
 *
 *     T = rho n^2 D^4 C_T(J_h) - F,   Q = rho n^2 D^5 C_Q(J_h) - F H / (2 pi)
 *     F = rho A / 2 (V |V| - V_h |V_h|),   V_h = J_h n D
 *
 * A force across a blade at the radius r with the slope H / (2 pi r) has the moment F H / (2 pi) about the shaft.  So a
 * stopped propeller has the drag of its blades, about 0.8 of their area [@raymer eq. 12.39]; one that turns freely has C_Q = 0
 * near J_e, and there less drag than a stopped one, the more the more friction it has [@mackenzie-forrester].  What the
 * flow gives to the shaft, F H n, is at most the power F V of the drag.  With w < 0 everything is the other way round.
 *
 * Without a division, x = 2 pi V / D is the advance as a speed, and T = rho D^4 / (4 pi^2) (c_0 w |w| + c_1 |w| x + c_2 x |x|).
 * [@rfly-model-api 7.2] has the static thrust, c_1 = c_2 = 0, less a loss K V / sqrt(T), here at most all of it.
 *
 * N, N m, rad/s, m/s, A m^2; K in N^(3/2) s/m.  V is the airspeed, as the source has it, in flow up to 60 deg from the
 * shaft; beyond twice its component along the shaft, down to -V from behind.
 * Leaves out: other effects of flow at an angle to the shaft, side force, the vortex ring of flow from behind,
 * compressibility. */
#ifndef RF_MODELS_PROPELLER_H
#define RF_MODELS_PROPELLER_H

#include "math/lane.h"

#define PROPELLER_TERMS 3

typedef struct propeller {
    lane thrust[PROPELLER_TERMS],
        torque[PROPELLER_TERMS]; /* N s^2, N m s^2: rho D^4 c_i / (4 pi^2), rho D^5 c_i / (4 pi^2) */
    lane inflow;                 /* rad/m: 2 pi / D */
    lane limit;                  /* J_e */
    lane plate, lead;            /* N s^2, m: rho A / 2 (D / 2 pi)^2, H / (2 pi) */
    lane loss;                   /* N^(3/2) s/m: K */
} propeller;

/* What describes a propeller. */
typedef struct propeller_numbers {
    const lane *thrust, *torque; /* c_0, c_1, c_2 */
    lane diameter, limit;        /* m, 1: D, J_e */
    lane drag_area, loss;        /* m^2, N^(3/2) s/m: A, K */
} propeller_numbers;

LANE_INLINE propeller propeller_of(const propeller_numbers *of, lane density)
{
    const real four_pi2 = (real)39.478417604357434475, two_pi = (real)6.2831853071795864769;
    lane diameter = of->diameter, square = diameter * diameter;
    lane force = density * square * square * (1 / four_pi2);
    propeller by;
    for (int i = 0; i < PROPELLER_TERMS; i++) {
        by.thrust[i] = force * of->thrust[i];
        by.torque[i] = force * diameter * of->torque[i];
    }
    by.inflow = two_pi / diameter;
    by.limit = of->limit;
    by.plate = (real)0.5 * density * of->drag_area * square * (1 / four_pi2);
    by.lead = of->limit * diameter * (1 / two_pi);
    by.loss = of->loss;
    return by;
}

/* Leaves a share of thrust and torque.  The loss is per square root of the thrust, so that it keeps its share. */
LANE_INLINE void propeller_weaken(propeller *by, lane left)
{
    for (int i = 0; i < PROPELLER_TERMS; i++) {
        by->thrust[i] *= left;
        by->torque[i] *= left;
    }
    by->plate *= left;
    by->loss *= left * lane_sqrt(left);
}

/* V for an airspeed and its component along the shaft [m/s]. */
LANE_INLINE lane propeller_advance(lane airspeed, lane along)
{
    return lane_limit(2 * along, airspeed);
}

/* An advance x within the data, from 0 to J_e w. */
LANE_INLINE lane propeller_within(const propeller *by, lane speed, lane x)
{
    lane end = by->limit * speed, zero = lane_of(0);
    return lane_max(lane_min(end, zero), lane_min(lane_max(end, zero), x));
}

LANE_INLINE lane propeller_law(const lane *terms, lane speed, lane x)
{
    lane turning = lane_abs(speed);
    return terms[0] * speed * turning + terms[1] * turning * x + terms[2] * x * lane_abs(x);
}

/* F [N], of the advance x and its part within the data. */
LANE_INLINE lane propeller_plate(const propeller *by, lane x, lane within)
{
    return by->plate * (x * lane_abs(x) - within * lane_abs(within));
}

/* T [N]. */
LANE_INLINE lane propeller_thrust(const propeller *by, lane speed, lane airspeed)
{
    const lane zero = lane_of(0);
    lane x = by->inflow * airspeed, within = propeller_within(by, speed, x);
    lane thrust = propeller_law(by->thrust, speed, within), plate = propeller_plate(by, x, within);
    if (!mask_any(by->loss != 0)) return thrust - plate;
    lane positive = lane_max(thrust, zero);
    lane lost = by->loss * lane_max(airspeed, zero) / lane_sqrt(lane_max(thrust, lane_of((real)1e-6)));
    return thrust - lane_min(lost, positive) - plate;
}

/* Q [N m]. */
LANE_INLINE lane propeller_torque(const propeller *by, lane speed, lane airspeed)
{
    lane x = by->inflow * airspeed, within = propeller_within(by, speed, x);
    return propeller_law(by->torque, speed, within) - by->lead * propeller_plate(by, x, within);
}

#endif

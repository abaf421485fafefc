/* SPDX-License-Identifier: BSD-3-Clause */
/* A propeller of diameter D in the air of density rho, at the speed w and the airspeed V
 * [@beard-mclain], [@mavsim]:
 *
 *     T = rho n^2 D^4 C_T(J),   Q = rho n^2 D^5 C_Q(J),       n = w / (2 pi),  J = V / (n D)
 *     C(J) = c_0 + c_1 J + c_2 J^2
 *
 * which without a division is rho D^4 / (4 pi^2) (c_0 w^2 + c_1 w x + c_2 x |x|), x = 2 pi V / D, and holds for w = 0, too.
 * [@rfly-model-api 7.2] has the static thrust, c_1 = c_2 = 0, less a loss K V / sqrt(T), here at most all of it.
 *
 * N, N m, rad/s, m/s; K in N^(3/2) s/m.  J up to that of about zero thrust, 1 to 1.5 with usual pitches; beyond, the
 * propeller brakes, as measured coefficients have it.
 * V is the airspeed, as the source has it, in flow up to 60 deg from the shaft; beyond twice its component along the shaft,
 * down to -V from behind, so that a propeller at rest never drives what slides or falls.
 * Leaves out: other effects of flow at an angle to the shaft, side force, compressibility. */
#ifndef RF_MODELS_PROPELLER_H
#define RF_MODELS_PROPELLER_H

#include "math/lane.h"

#define PROPELLER_TERMS 3

typedef struct propeller {
    lane thrust[PROPELLER_TERMS],
        torque[PROPELLER_TERMS]; /* N s^2, N m s^2: rho D^4 c_i / (4 pi^2), rho D^5 c_i / (4 pi^2) */
    lane inflow;                 /* rad/m: 2 pi / D */
    lane loss;                   /* N^(3/2) s/m: K */
} propeller;

LANE_INLINE propeller propeller_of(const lane *thrust_coef, const lane *torque_coef, lane diameter,
                                   lane density, lane loss)
{
    const real four_pi2 = (real)39.478417604357434475, two_pi = (real)6.2831853071795864769;
    lane square = diameter * diameter, force = density * square * square * (1 / four_pi2);
    propeller by;
    for (int i = 0; i < PROPELLER_TERMS; i++) {
        by.thrust[i] = force * thrust_coef[i];
        by.torque[i] = force * diameter * torque_coef[i];
    }
    by.inflow = two_pi / diameter;
    by.loss = loss;
    return by;
}

/* Leaves a share of thrust and torque.  The loss is per square root of the thrust, so that it keeps its share. */
LANE_INLINE void propeller_weaken(propeller *by, lane left)
{
    for (int i = 0; i < PROPELLER_TERMS; i++) {
        by->thrust[i] *= left;
        by->torque[i] *= left;
    }
    by->loss *= left * lane_sqrt(left);
}

/* V for an airspeed and its component along the shaft [m/s]. */
LANE_INLINE lane propeller_advance(lane airspeed, lane along)
{
    return lane_max(-airspeed, lane_min(airspeed, 2 * along));
}

LANE_INLINE lane propeller_law(const lane *terms, lane speed, lane inflow)
{
    return terms[0] * speed * speed + inflow * (terms[1] * speed + terms[2] * lane_abs(inflow));
}

/* T [N]. */
LANE_INLINE lane propeller_thrust(const propeller *by, lane speed, lane airspeed)
{
    const lane zero = lane_of(0);
    lane thrust = propeller_law(by->thrust, speed, by->inflow * airspeed);
    if (!mask_any(by->loss != 0)) return thrust;
    lane positive = lane_max(thrust, zero);
    lane lost = by->loss * lane_max(airspeed, zero) / lane_sqrt(lane_max(thrust, lane_of((real)1e-6)));
    return thrust - lane_min(lost, positive);
}

/* Q [N m]. */
LANE_INLINE lane propeller_torque(const propeller *by, lane speed, lane airspeed)
{
    return propeller_law(by->torque, speed, by->inflow * airspeed);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Rotors fixed to the body [@rfly-model-api 7.1.1.1]: for a rotor of speed w with axis a (the unit
 * vector of its thrust), at r, of rotation direction d (+1 clockwise seen from above, so its
 * angular velocity is -d w a),
 *
 *     T = k1 w + k2 w^2                     thrust along a              [N]
 *     Q = m1 w + m2 w^2                     static reaction torque      [N m]
 *     F = T a
 *     M = r x F + d (Q + J w') a - rate x h,   h = -d J w a             [N m, FRD]
 *
 * The d-terms are the reaction torques on the body, opposite to the rotation: of blade drag and of rotor acceleration.
 *
 *   +--------------------------------------------------------------------------------------------------+
 *   | Gyroscopic sign.  Total angular momentum is J_body rate + h, so the moment is -rate x h.  A rotor  |
 *   | that is clockwise seen from above has h = +J w along down; pitching up (rate y = q > 0) gives      |
 *   | -(q e_y) x (J w e_z) = -q J w e_x: the body rolls left.  RflySim's published model has the         |
 *   | opposite sign on both axes, and no J w' [@rfly-safe]: Sim(compatibility="rflysim").                |
 *   +--------------------------------------------------------------------------------------------------+
 *
 * The quadratic terms are c_T and c_M of [@rfly-model-api 7.1.1.1], the linear ones are those of the
 * identified Crazyflies [@drone-models].
 * Leaves out: dependence on air speed (rotor_air.h), ground effect (ground_effect.h), blade flapping. */
#ifndef RF_MODELS_ROTOR_H
#define RF_MODELS_ROTOR_H

#include "models/rigid_body.h"

LANE_INLINE lane rotor_polynomial(lane linear, lane quadratic, lane speed)
{
    return speed * (linear + quadratic * speed);
}

/* -rate x h for a total rotor angular momentum h along the down axis only. */
LANE_INLINE vec3 rotor_gyroscopic_moment_down(vec3 rate, lane momentum)
{
    return vec3_of(-(rate.y * momentum), rate.x * momentum, lane_of(0));
}

LANE_INLINE vec3 rotor_gyroscopic_moment(vec3 rate, vec3 momentum)
{
    return cross(momentum, rate);
}

#endif

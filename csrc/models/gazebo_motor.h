/* SPDX-License-Identifier: BSD-3-Clause */
/* Motor and propeller of Gazebo's motor model plug-in [@gz-classic src/gazebo_motor_model.cpp].  With the rotor speed w,
 * the velocity v of the hub relative to the air, its part p = v.a along the rotor axis a, and the direction d (+1
 * counter-clockwise about a, -1 clockwise):
 *
 *     T = k_T w^2          or, for propellers that push both ways, r k_T w |w|                            [N]
 *     F = T max(0, 1 - |p| l) a - |w| c_d (v - p a)                                                       [N]
 *     M = -d k_M T a - |w| d c_r (v - p a)                               about the hub, on the body     [N m]
 *     w' = (u - w) / tau,  tau = tau_up for u > w, else tau_down;  u at most w_max                    [rad/s^2]
 *
 * gz-sim's motor [@gz-sim src/systems/multicopter_motor_model/MulticopterMotorModel.cc] has the rolling moment without d,
 * which is c_r d here, and no l.  The torque takes the thrust before the loss by air speed, as the plug-in does.  k_T N s^2, k_M m, c_d N s^2/m,
 * c_r N s^2, l = 1 / maxRelativeAirspeed s/m.  r = d in Gazebo Classic (`reversible`), where a clockwise propeller then
 * pushes down.  The plug-in filters exactly, w+ = e^(-h/tau) w + (1 - e^(-h/tau)) u; this is its differential equation.
 *
 * All vectors are FRD.  Gazebo's are FLU: a half turn about the forward axis, under which products keep their form.
 * Leaves out: inertia of the rotor, its gyroscopic moment (Gazebo turns rotors at a tenth of their speed), air density,
 * which Gazebo does not know: k_T, c_d and c_r are scaled with it by the vehicle. */
#ifndef RF_MODELS_GAZEBO_MOTOR_H
#define RF_MODELS_GAZEBO_MOTOR_H

#include "models/rigid_body.h"

typedef struct gazebo_motor {
    vec3 axis;                                     /* 1, FRD: of the thrust */
    lane thrust, moment, direction, drag, rolling; /* k_T, k_M, d, c_d, c_r */
    lane reversible;                               /* r, or 0 for w^2 */
    lane airspeed_loss;                            /* s/m: l */
} gazebo_motor;

/* w' [rad/s^2]. */
LANE_INLINE lane gazebo_motor_derivative(lane speed, lane target, const lane inverse_tau[2])
{
    return (target - speed) * lane_select(target > speed, inverse_tau[0], inverse_tau[1]);
}

/* Share of the thrust that air along the axis leaves. */
LANE_INLINE lane gazebo_motor_share(const gazebo_motor *law, lane along)
{
    return lane_max(lane_of(0), 1 - lane_abs(along) * law->airspeed_loss);
}

/* T [N]. */
LANE_INLINE lane gazebo_motor_thrust(const gazebo_motor *law, lane speed)
{
    lane both = law->reversible * lane_abs(speed);
    return law->thrust * speed * lane_select(law->reversible == 0, speed, both);
}

/* F along the axis [N], for the velocity of the hub relative to the air [m/s, FRD]. */
LANE_INLINE lane gazebo_motor_acting(const gazebo_motor *law, lane speed, vec3 airspeed)
{
    return gazebo_motor_thrust(law, speed) * gazebo_motor_share(law, dot(airspeed, law->axis));
}

/* Force, and moment about the hub, for the velocity of the hub relative to the air [m/s, FRD]. */
LANE_INLINE wrench gazebo_motor_wrench(const gazebo_motor *law, lane speed, vec3 airspeed)
{
    lane turning = lane_abs(speed);
    vec3 across = sub(airspeed, scale(dot(airspeed, law->axis), law->axis));
    lane torque = law->direction * law->moment * gazebo_motor_thrust(law, speed),
         rolling = turning * law->direction * law->rolling;
    vec3 drag = scale(turning * law->drag, across);
    return (wrench){.force = sub(scale(gazebo_motor_acting(law, speed, airspeed), law->axis), drag),
                    .moment = neg(add(scale(torque, law->axis), scale(rolling, across)))};
}

#endif

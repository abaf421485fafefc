/* SPDX-License-Identifier: BSD-3-Clause */
/* Tip-path plane of a rotor, of first order [@walker-tischler], [@ardupilot 01756036 libraries/SITL/SIM_Helicopter.cpp].
 * Relative to the hub it is tilted by b to the right and by a backwards; with the angular velocity p, q of the body, the
 * cyclic controls x (right) and y (backwards), and the rotor at the share n of its nominal speed, 0 to 1,
 *
 *     b' = -n p + (-b + Lfa a + Lfx x + Lfy y) / T
 *     a' = -n q + (-a + Mfb b + Mfx x + Mfy y) / T                 [rad/s]
 *
 * a, b [rad], T [s]; Lf and Mf per control, the coupling Lfa, Mfb of a hub that is stiff.  n = 1 is the identified
 * model; a rotor that stands follows the body.  T is a constant, in fact it grows as a rotor slows down.
 * Leaves out: coning, flapping of second order (nutation), the change of T and gains with forward speed. */
#ifndef RF_MODELS_TIP_PATH_H
#define RF_MODELS_TIP_PATH_H

#include "math/vec.h"

typedef struct tip_path {
    lane inverse_tau; /* 1/s */
    lane coupling[2]; /* Lfa, Mfb */
    lane gain[4];     /* rad: Lfx, Lfy, Mfx, Mfy */
} tip_path;

/* b', a' for the cyclic controls x, y. */
LANE_INLINE void tip_path_derivative(const tip_path *t, const lane *tilt, vec3 rate, lane speed, lane x,
                                     lane y, lane *derivative)
{
    lane right = t->coupling[0] * tilt[1] - tilt[0] + t->gain[0] * x + t->gain[1] * y;
    lane back = t->coupling[1] * tilt[0] - tilt[1] + t->gain[2] * x + t->gain[3] * y;
    derivative[0] = t->inverse_tau * right - speed * rate.x;
    derivative[1] = t->inverse_tau * back - speed * rate.y;
}

/* The cyclic controls with which the plane of a rotor at its nominal speed stays at `tilt`, at a steady rate. */
LANE_INLINE void tip_path_controls(const tip_path *t, const lane *tilt, const lane *rate, lane *control)
{
    lane tau = 1 / t->inverse_tau;
    lane right = tau * rate[0] + tilt[0] - t->coupling[0] * tilt[1];
    lane back = tau * rate[1] + tilt[1] - t->coupling[1] * tilt[0];
    lane per = 1 / (t->gain[0] * t->gain[3] - t->gain[1] * t->gain[2]);
    control[0] = per * (t->gain[3] * right - t->gain[1] * back);
    control[1] = per * (t->gain[0] * back - t->gain[2] * right);
}

#endif

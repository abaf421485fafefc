/* SPDX-License-Identifier: BSD-3-Clause */
/* A fin or rudder in water: the normal force of a plate of small aspect ratio, as of a rudder [@fossen 9.6].
 *
 *     n_d = n cos d - e_x sin d                 normal of the fin at the angle d
 *     F   = -c |V| (V . n_d) n_d                c = rho A C_N / 2 [N s^2/m^2]
 *
 * V is the velocity of the fin through the water: its component along n times a straightening factor, as hull and propeller
 * turn the flow, and forward sqrt(V_x^2 + s 2 T / (rho A_p)) in the race of a propeller of thrust T > 0 and disk area A_p, of which
 * a share s meets the fin [@fossen 9.6].  A positive angle pushes along n while the hull goes ahead.
 *
 * FRD, N, m/s, rad.  Leaves out: stall (a plate has none up to 30 degrees), spans that differ, the drag of d = 0. */
#ifndef RF_MODELS_FIN_H
#define RF_MODELS_FIN_H

#include "math/trig.h"
#include "math/vec.h"

/* F, for a velocity through the water whose forward component includes the race. */
LANE_INLINE vec3 fin_force(lane coef, vec3 normal, lane angle, lane straightening, vec3 vel)
{
    lane sine, cosine;
    lane_small_sincos(angle, &sine, &cosine);
    lane across = straightening * dot(normal, vel);
    lane through = cosine * across - sine * vel.x;
    lane size = lane_sqrt(vel.x * vel.x + across * across);
    vec3 plate = scale(cosine, normal);
    plate.x -= sine;
    return scale(-(coef * size * through), plate);
}

#endif

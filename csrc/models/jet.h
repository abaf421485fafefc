/* SPDX-License-Identifier: BSD-3-Clause */
/* The air below the rotors of a vehicle: one round turbulent jet, mean values.
 *
 * Momentum theory gives the speed at which the wake of disks of area A with thrust T leaves them, twice the induced one
 * [@leishman 2]; T is what the air gets of it: thrust at the air speed of the rotors, less drag.  Below, the jet keeps its
 * momentum, has the profile of a Gauss curve and grows in proportion to the distance, as far below a nozzle [@hussein]:
 *
 *     U = sqrt(2 T / (rho A)),  R = sqrt(A / pi)     initial speed, radius of all disks as one
 *     b(x) = R + k x                                 radius at which the speed is 1/e of that on the axis
 *     u(x, r) = U R / b exp(-(r / b)^2)              x along the axis from the rotors, r across it
 *
 * The integral of rho u^2 over a plane across the axis is T at any x > 0.  k = 0.094 / sqrt(ln 2): the half-width of a
 * round jet grows by 0.094 of the distance [@hussein].
 *
 * Several jets: their momentum fluxes add up, u^2 and not u [@reichardt].
 *
 * It ends where the speed on the axis is a tenth of U, at x = 9 R / k, some 80 R, after a fade from three quarters of
 * that on, and at r = 3 b, where the speed is 1.2e-4 of that on the axis (both estimated).
 * Leaves out: the single rotors' wakes, swirl, and the contraction within some R below them; fluctuations; the time that
 * the air takes; a wind that carries the jet away, and so the flight of its vehicle; the ground. */
#ifndef RF_MODELS_JET_H
#define RF_MODELS_JET_H

#include "math/exponential.h"

#define JET_GROWTH 0.11290551       /* k */
#define JET_LENGTH (9 / JET_GROWTH) /* of R */
#define JET_WIDTH  3.0              /* of b */

/* U [m/s] for T [N], A [m^2], rho [kg/m^3]. */
LANE_INLINE lane jet_initial_speed(lane thrust, lane area, lane density)
{
    return lane_sqrt(2 * thrust / (density * area));
}

/* Radius b [m] at x [m]. */
LANE_INLINE lane jet_radius(lane initial_radius, lane along)
{
    return initial_radius + (real)JET_GROWTH * along;
}

/* u^2 [m^2/s^2] for U [m/s], R [m], x [m] and r^2 [m^2]. */
LANE_INLINE lane jet_square(lane initial_speed, lane initial_radius, lane along, lane across2)
{
    lane radius = jet_radius(initial_radius, along);
    lane fade = 4 * (1 - along / ((real)JET_LENGTH * initial_radius));
    fade = lane_max(lane_of(0), lane_min(lane_of(1), fade));
    lane axis = initial_speed * initial_radius / radius * fade, shape = across2 / (radius * radius);
    lane square = axis * axis * lane_exp(-2 * shape);
    mask inside = (along > 0) & (shape < (real)(JET_WIDTH * JET_WIDTH));
    return lane_select(inside, square, lane_of(0));
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The parachutes of a block of vehicles.
 *
 * A released parachute stretches its lines, and then fills on a way through the air of n D, with the diameter D of the
 * spread canopy of area S, pi D^2 / 4 = S: in the time n D / v at a speed v [@knacke table 5-6].  At a share x of this
 * way it has x^6 of its drag area, as canopies of solid cloth [@ludtke].  It pulls at its attachment against the
 * velocity v of this through the air, with the density rho:
 *
 *     F = -rho c S x^6 |v| v / 2,    M = r x F
 *
 * The pull is held for the period T until the next update, so it is that of an implicit step, which is stable for any T,
 * mass m and inertia J and reverses no velocity.  F is against the velocity v' that the attachment has at the end of T,
 * with the damping d of its start; u is the velocity of the centre of mass, g gravity, w the angular velocity:
 *
 *     d = rho c S x^6 |v| / 2,  F = -d v',  v' = u + T (g + F / m) + w' x r,  J (w' - w) = T r_m x F
 *
 * In J r_m is where r is in the middle of T, after a turn by T (w + w') / 4, of which the part counts that leads the body
 * back below its attachment.  In a steady descent v' is v.  The vehicle is disarmed.  Leaves out: mass and motion of the
 * canopy and of the air in it, the overshoot of its drag area, the elasticity of lines, a canopy that lies.
 */
#ifndef RF_PARTS_PARACHUTE_UPDATE_H
#define RF_PARTS_PARACHUTE_UPDATE_H

#include "base/sets.h"
#include "parts/parachute/held.h"

/* What a parachute sees of its vehicle. */
typedef struct parachute_truth {
    vec3 air_velocity; /* of the origin of the body through the air, m/s, NED */
    vec3 rate;         /* rad/s, FRD */
    quat att;          /* FRD to NED */
    vec3 centre;       /* of mass, from the origin, m, FRD */
    lane mass;         /* kg */
    sym3 inertia;      /* about the centre of mass, kg m^2, FRD */
    lane gravity;      /* m/s^2 */
    lane density;      /* kg/m^3 */
} parachute_truth;

/* Computes the pull of the parachutes that are released; one copy serves all families. */
void RF_SET_NAME(rf_parachute_update)(const block *b, const parachute_truth *truth);

#endif

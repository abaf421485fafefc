/* SPDX-License-Identifier: BSD-3-Clause */
/* The parachutes of a block of vehicles.
 *
 * A released parachute stretches its lines, and then fills on a way through the air of n D, with the diameter D of the
 * spread canopy of area S, pi D^2 / 4 = S: in the time n D / v at a speed v [@knacke 5.4].  At a share x of this
 * way it has x^6 of its drag area, as canopies of solid cloth [@ludtke].  It pulls at its attachment against the
 * velocity v of this through the air, with the density rho:
 *
 *     F = -rho c S x^6 |v| v / 2,    M = r x F
 *
 * The force is held until the next update, and at most what takes the vehicle's speed in this time.  The vehicle is
 * disarmed.  Leaves out: mass and motion of the canopy and of the air in it, the elasticity of lines, a canopy that lies. */
#ifndef RF_PARTS_PARACHUTE_UPDATE_H
#define RF_PARTS_PARACHUTE_UPDATE_H

#include "base/sets.h"
#include "parts/parachute/held.h"

/* What a parachute sees of its vehicle. */
typedef struct parachute_truth {
    vec3 air_velocity; /* of the centre of mass through the air, m/s, NED */
    vec3 rate;         /* rad/s, FRD */
    quat att;          /* FRD to NED */
    lane mass;         /* kg */
    lane density;      /* kg/m^3 */
} parachute_truth;

/* Computes the pull of the parachutes that are released; one copy serves all families. */
void RF_SET_NAME(rf_parachute_update)(const block *b, const parachute_truth *truth);

#endif

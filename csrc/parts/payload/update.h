/* SPDX-License-Identifier: BSD-3-Clause */
/* The payloads of a block of vehicles.
 *
 * A payload that is fixed to its vehicle is a part of the body (models/mass_change.h).  On a cable it is a point of mass m
 * at x_l, and the cable, without mass, of length L, a constraint: with the distance q = x_l - x_a from its upper end,
 *
 *     |q| <= L,   m v_l' = m g + D - s q / |q|,   s >= 0,   s = 0 where |q| < L
 *
 * A cable stops what stretches it at once, without a rebound [@cruz-fierro], and any step is stable: a spring as stiff as a cable, some
 * 1e5 N/m, would have periods of a few ms.  Drag of the area A = c S is D = -rho A |u| u / 2 against the velocity u through
 * the air; of a payload that is fixed it acts at its place.  In the water of a vehicle that has some, rho and u are those of the
 * water, without its waves, and of a volume V there is the buoyancy -rho V g; around the surface both change over the
 * diameter of a sphere of that volume.
 *
 * The tension s is held for the period T until the next update, and acts along d_m, with T q' from the motion without it:
 *
 *     d_1 = q' / |q'|,   d_m = (d_0 + d_1) / |d_0 + d_1|,   (v_l - v_a at the end) . d_1 = 0
 *
 * Where q turns by an angle b in T, the work of s is 0 but for the share of b^4, and the momenta are kept: of the vehicle
 * the mass and the inertia with an arm of its upper end are in the constraint.  The torque is that of the arm in the middle
 * of T.  While a winch reels, the velocity along d_1 is the rate of L.  What the motion of the vehicle in T was other than predicted is an excess of |q|, by which x_l is moved.
 *
 * The ground below the vehicle is a plane for the payload, which rubs on it with Coulomb's law and does not rebound.
 * Dropped, it flies on by itself.
 *
 * m, kg, s, N; NED, FRD.  Leaves out: mass, drag and stretch of the cable, the cable around other bodies, the size and
 * attitude of a payload that is not fixed, downwash on it, its collisions, added mass and waves in water, water on the cable.  Where the cable makes the body swing about its centre
 * of mass with a frequency above 1 / T, sqrt(s r / J), its torque is reduced to that of 1 / T.  A payload that would be
 * faster than the flight envelope is left where it is; of one whose motion is not finite the vehicle gets a fault flag. */
#ifndef RF_PARTS_PAYLOAD_UPDATE_H
#define RF_PARTS_PAYLOAD_UPDATE_H

#include "base/sets.h"
#include "models/ground_plane.h"
#include "parts/payload/held.h"

/* What a payload sees of its vehicle. */
typedef struct payload_truth {
    vec3 pos, vel;      /* of the origin of the body, m, m/s, NED */
    quat att;           /* FRD to NED */
    vec3 rate;          /* rad/s, FRD */
    vec3 accel;         /* of the origin without the pull of the payload, m/s^2, NED */
    vec3 angular_accel; /* without it, rad/s^2, FRD */
    vec3 free_fall;     /* m/s^2, NED */
    vec3 wind;          /* m/s, NED */
    lane density;       /* of the air, kg/m^3 */
    int floats;         /* whether the vehicle has water, of the density */
    lane water_density; /* kg/m^3 */
    lane ground;        /* z of the ground below the vehicle, m, NED */
    lane mass;          /* of the vehicle alone, kg */
    sym3 inertia;       /* of the vehicle alone, kg m^2, FRD */
    lane dither;        /* of this update (math/dither.h) */
} payload_truth;

/* Whether some vehicle of the block has a payload.  It pulls no more then, so that the derivative is without it. */
LANE_INLINE int payload_begin(const block *b)
{
    const mask there = lane_load(PAYLOAD_COLUMN(b, payload_mass)) > 0;
    if (!mask_any(there)) return 0;
    lane none[ROWS_OF(payload_pull)];
    for (int i = 0; i < ROWS_OF(payload_pull); i++) none[i] = lane_of(0);
    rows_store(none, ROWS_OF(payload_pull), PAYLOAD_COLUMN(b, payload_force), b->stride);
    return 1;
}

/* Moves the payloads on, and computes how they pull; one copy serves all families. */
void RF_SET_NAME(rf_payload_update)(const block *b, const payload_truth *truth);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Swash plate on servos, of which servo i is at the angle A_i, clockwise from the nose as seen from above, with the arm
 * l_i.  A plate at the height c (collective), tilted by p (pitch) and r (roll), has the servos at
 *
 *     s_i = c + p l_i cos A_i - r l_i sin A_i          [@px4 1223f499 ActuatorEffectivenessHelicopter.cpp]
 *
 * all of them normalized, servos -1 to 1.  Three servos determine the plate; of more it is the least-squares one, so
 * that a servo that is stuck tilts and lifts the plate as far as the others yield:
 *
 *     (c, p, r) = (sum a_i a_i^T)^-1 sum a_i s_i,      a_i = (1, l_i cos A_i, -l_i sin A_i)
 *
 * Two of the servos may not be in one place, nor all of them on one line.
 * Leaves out: arms of the linkage that move on circles, play, binding of a plate on four servos. */
#ifndef RF_MODELS_SWASH_PLATE_H
#define RF_MODELS_SWASH_PLATE_H

#include "math/trig.h"
#include "math/vec.h"

#define SWASH_SERVOS 4 /* at most */

typedef struct swash_plate {
    vec3 row[SWASH_SERVOS]; /* a_i, zero for servos that there are not */
    sym3 inverse;
} swash_plate;

/* Of the first `count` servos. */
LANE_INLINE swash_plate swash_plate_of(lane count, const lane *angle, const lane *arm)
{
    swash_plate plate;
    lane zero = lane_of(0);
    sym3 sum = {zero, zero, zero, zero, zero, zero};
    for (int i = 0; i < SWASH_SERVOS; i++) {
        lane sine, cosine, there = lane_select(count > (real)i, lane_of(1), zero);
        lane_sincos(angle[i], &sine, &cosine);
        vec3 a = vec3_of(there, there * arm[i] * cosine, -(there * arm[i] * sine));
        sum = (sym3){sum.xx + a.x * a.x, sum.yy + a.y * a.y, sum.zz + a.z * a.z,
                     sum.xy + a.x * a.y, sum.xz + a.x * a.z, sum.yz + a.y * a.z};
        plate.row[i] = a;
    }
    plate.inverse = sym3_inverse(sum);
    return plate;
}

/* Collective, pitch and roll of the plate on servos. */
LANE_INLINE vec3 swash_plate_on(const swash_plate *plate, const lane *place)
{
    vec3 sum = scale(place[0], plate->row[0]);
    for (int i = 1; i < SWASH_SERVOS; i++) sum = add(sum, scale(place[i], plate->row[i]));
    return sym3_mul(plate->inverse, sum);
}

/* The place of servo i under a plate; 0 of a servo that there is not. */
LANE_INLINE lane swash_plate_servo(const swash_plate *plate, int i, vec3 at)
{
    return dot(plate->row[i], at);
}

#endif

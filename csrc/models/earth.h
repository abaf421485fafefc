/* SPDX-License-Identifier: BSD-3-Clause */
/* Free fall over a rotating earth, in the local NED frame, which is fixed to the earth.
 *
 * With r from the centre of the earth, the unit vector k along its axis to the north, s = r.k / |r| and its angular
 * velocity W = W k, gravitation with the oblateness J2 [@nesc], centrifugal and Coriolis acceleration are
 *
 *     G = -GM / |r|^2 ((1 + e (1 - 5 s^2)) r / |r| + 2 e s k),       e = 3/2 J2 (a / |r|)^2         [m/s^2]
 *     v' = R F / m + G - W x (W x r + 2 v)
 *
 * and of a body with the angular velocity w relative to the frame, hence w_i = w + W' relative to the stars, where
 * W' = R^T W,
 *
 *     w' = J^-1 (M - w_i x J w_i) + w x W'                                                          [rad/s^2]
 *
 * The ellipsoid is that of [@wgs84]: GM, W of table 3.1, J2 of its C20.  The sphere does not rotate: its radius is that
 * of check case 4 [@nesc], with the same GM, which its trajectories have (the text has 7e-6 more).
 *
 * Leaves out: zonal harmonics above J2 (4e-5 m/s^2 at the equator, 1.2e-4 at the poles), tesseral ones and anomalies
 * (up to 5e-3 m/s^2), sun and moon, the moment of gravity, the moment of rotors that turn with the earth. */
#ifndef RF_MODELS_EARTH_H
#define RF_MODELS_EARTH_H

#include "math/vec.h"
#include "math/wgs84.h"

#define EARTH_GM     3.986004418e14          /* m^3/s^2 */
#define EARTH_RATE   7.292115e-5             /* rad/s */
#define EARTH_J2     1.082629821e-3          /* C20 = -484.16685e-6, times -sqrt(5) */
#define EARTH_SPHERE (20902255.199 * 0.3048) /* m */

typedef struct earth {
    vec3 centre; /* m, NED */
    vec3 axis;   /* NED, unit vector to the north */
    vec3 spin;   /* rad/s, NED */
    lane gm;     /* m^3/s^2 */
    lane oblate; /* m^2, 3/2 J2 a^2 */
} earth;

/* The ellipsoid below the origin of a local frame. */
LANE_INLINE earth earth_ellipsoid(const rf_origin *o)
{
    const double e2 = WGS84_E2, radius = o->prime_vertical - o->height;
    const double north = radius * e2 * o->sine * o->cosine;
    const double down = radius * (1 - e2 * o->sine * o->sine) + o->height;
    const lane zero = lane_of(0);
    vec3 axis = vec3_of(lane_of((real)o->cosine), zero, lane_of((real)-o->sine));
    return (earth){.centre = vec3_of(lane_of((real)north), zero, lane_of((real)down)),
                   .axis = axis,
                   .spin = scale(lane_of((real)EARTH_RATE), axis),
                   .gm = lane_of((real)EARTH_GM),
                   .oblate = lane_of((real)(1.5 * EARTH_J2 * WGS84_SEMI_MAJOR * WGS84_SEMI_MAJOR))};
}

/* The sphere below an origin at a height [m]. */
LANE_INLINE earth earth_sphere(double height)
{
    const lane zero = lane_of(0);
    const vec3 none = vec3_of(zero, zero, zero);
    return (earth){.centre = vec3_of(zero, zero, lane_of((real)(EARTH_SPHERE + height))),
                   .axis = none,
                   .spin = none,
                   .gm = lane_of((real)EARTH_GM),
                   .oblate = zero};
}

/* Acceleration of a free fall [m/s^2, NED] at a position [m] with a velocity [m/s]. */
LANE_INLINE vec3 earth_free_fall(const earth *e, vec3 pos, vec3 vel)
{
    vec3 r = sub(pos, e->centre);
    lane square = norm2(r), inverse2 = 1 / square, inverse = lane_sqrt(inverse2);
    lane oblate = e->oblate * inverse2, s = dot(r, e->axis) * inverse;
    lane toward = 1 + oblate * (1 - 5 * s * s), along = 2 * oblate * s;
    vec3 pull = add(scale(toward * inverse, r), scale(along, e->axis));
    vec3 turning = add(cross(e->spin, r), scale(lane_of(2), vel));
    return neg(add(scale(e->gm * inverse2, pull), cross(e->spin, turning)));
}

#endif

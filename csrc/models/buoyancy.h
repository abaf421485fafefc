/* SPDX-License-Identifier: BSD-3-Clause */
/* Buoyancy of a hull: four vertical prisms at the corners (+-a, +-b) of a rectangle, each with a quarter of its
 * water-plane area A and the height H.  For the depth h_i of corner i below the surface, in water of density rho:
 *
 *     l_i = h_i + o,    within 0..H         immersed length; o: that at the depth 0
 *     B_i = rho g A l_i / 4                 against the gradient of the pressure, at corner i               [N]
 *
 * so that the metacentric heights of a hull of volume V are A b^2 / V (roll) and A a^2 / V (pitch), less the height of the
 * centre of mass over the corners [@fossen 4.2]; in any attitude B_i is the derivative of a potential energy, and all
 * under water the hull has the buoyancy rho g A H at the middle of the corners.  The volume grows by
 *
 *     V' = sum A h_i' / 4          of the corners with 0 < l_i < H
 *
 * FRD, m, N.  Leaves out: hulls whose sides are not vertical, trim by a centre of flotation behind that of buoyancy. */
#ifndef RF_MODELS_BUOYANCY_H
#define RF_MODELS_BUOYANCY_H

#include "models/rigid_body.h"

typedef struct floats {
    vec3 middle;      /* m, FRD: of the corners */
    lane spread[2];   /* m: a, b */
    lane area;        /* m^2: A */
    lane height;      /* m: H */
    lane offset;      /* m: o */
    lane unit_weight; /* N/m^3: rho g */
} floats;

typedef struct immersion {
    lane volume;  /* m^3 */
    wrench force; /* of the buoyancy, about the origin of the body */
} immersion;

/* Corner i of 4 from their middle, ahead and to the right [m]. */
LANE_INLINE void floats_corner(const floats *f, int i, lane *x, lane *y)
{
    *x = i & 1 ? f->spread[0] : -f->spread[0];
    *y = i & 2 ? f->spread[1] : -f->spread[1];
}

/* For the depth of the body's origin, its change along the axes (water_deeper), and the gradient of the pressure over
 * rho g [FRD]; with `under`, all is under water, and what follows has the bits that it has without. */
LANE_INLINE immersion floats_immersed(const floats *f, int under, lane depth, vec3 deeper, vec3 pull)
{
    const lane zero = lane_of(0), first = depth + dot(deeper, f->middle) + f->offset;
    lane mean = f->height, ahead = zero, right = zero; /* the latter: differences of lengths */
    if (!under) {
        lane l[4];
        for (int i = 0; i < 4; i++) {
            lane x, y;
            floats_corner(f, i, &x, &y);
            l[i] = lane_max(zero, lane_min(f->height, first + (deeper.x * x + deeper.y * y))); /* keeps NaN */
        }
        mean = (real)0.25 * ((l[0] + l[1]) + (l[2] + l[3]));
        ahead = (l[1] + l[3]) - (l[0] + l[2]);
        right = (l[2] + l[3]) - (l[0] + l[1]);
    }
    lane volume = f->area * mean, per_length = f->unit_weight * ((real)0.25 * f->area);
    vec3 uneven = vec3_of(f->spread[0] * ahead, f->spread[1] * right, zero);
    vec3 at = add(scale(f->unit_weight * volume, f->middle), scale(per_length, uneven));
    return (immersion){volume, {scale(-(f->unit_weight * volume), pull), neg(cross(at, pull))}};
}

/* V' [m^3/s] of a body that moves through the water. */
LANE_INLINE lane floats_growing(const floats *f, lane depth, vec3 deeper, vec3 vel, vec3 rate)
{
    const lane zero = lane_of(0);
    const vec3 turning = cross(deeper, rate);
    lane first = depth + dot(deeper, f->middle) + f->offset, sinking = dot(deeper, vel), sum = zero;
    for (int i = 0; i < 4; i++) {
        lane x, y;
        floats_corner(f, i, &x, &y);
        lane to = first + (deeper.x * x + deeper.y * y);
        lane rises = sinking + dot(turning, vec3_of(f->middle.x + x, f->middle.y + y, f->middle.z));
        sum += lane_select((to > 0) & (to < f->height), rises, zero);
    }
    return (real)0.25 * f->area * sum;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Pull of a tether on a vehicle in water: a cable of the length L from an anchor, always in equilibrium, almost straight.
 *
 * With the chord c n from the vehicle to the anchor, the velocities v and v_a of both ends and that of the water u, the middle of
 * the cable moves through the water by r = (v + v_a) / 2 - u, with r_t along the chord and r_n across it, and c' = (v_a - v) . n.  The load per length is
 *
 *     q = -rho d / 2 (C_n |r_n| r_n + pi C_t |r_t| r_t) + w e_down
 *
 * (Morison's drag of a cylinder, by Hoerner's cross-flow principle [@hoerner 3]); each end has half of it.  A load q_n across
 * the chord bends the cable to a parabola that is longer than it by q_n^2 c^3 / (24 T^2) [@irvine 2], and the tension T stretches it:
 *
 *     L (1 + T / EA) = c + q_n^2 c^3 / (24 T^2)
 *
 * of which T is the one positive root.  What is taut is damped by EA tau c' / L.  The vehicle gets
 *
 *     F = (T + EA tau max(0, c') / L) n + q L / 2
 *
 * Of a cable that hangs between ends of one height T is 2 % less than of a catenary at a slack L / c - 1 of 10 %, 11 % less at 100 %.
 * Leaves out: inertia and added mass of the cable, waves, currents that differ along it but by their middle, the bottom, what is
 * above the water.
 *
 * m, m/s, N; NED. */
#ifndef RF_MODELS_TETHER_H
#define RF_MODELS_TETHER_H

#include "math/exponential.h"
#include "math/trig.h"
#include "math/vec.h"

#define TETHER_SHORTEST ((real)1e-3)  /* m: of a chord that has a direction */
#define TETHER_LEAST    ((real)1e-12) /* of q_n^2 c^3 / 24, N^2 m */

enum {
    TETHER_ROUNDS = 6
}; /* of Newton's method; each doubles the digits, of which the first guess has one */

typedef struct tether_cable {
    lane length;    /* m: L */
    lane diameter;  /* m: d */
    lane weight;    /* N/m: w, in water */
    lane stiffness; /* N: EA */
    lane damping;   /* s: tau */
    lane drag[2];   /* 1: C_n, C_t */
} tether_cable;

/* The positive root of T^2 (a T + b) = k, for a, k > 0.  From above, where the left side is convex, Newton's method falls
 * towards it. */
LANE_INLINE lane tether_root(lane a, lane b, lane k)
{
    const lane third = lane_of((real)(1.0 / 3)), slack = lane_max(b, lane_of(0));
    const lane stretched = lane_max(-b, lane_of(0)) / a + lane_exp(third * lane_log(k / a));
    lane t = lane_select(slack * stretched * stretched > k,
                         lane_sqrt(k / lane_select(slack > 0, slack, lane_of(1))), stretched);
    for (int i = 0; i < TETHER_ROUNDS; i++) {
        const lane at = a * t;
        t = (t * t * (2 * at + b) + k) / (t * (3 * at + 2 * b));
    }
    return t;
}

/* Load per length on a cable along n that moves through water of a density by r. */
LANE_INLINE vec3 tether_load(const tether_cable *p, vec3 n, vec3 r, lane density)
{
    const vec3 along = scale(dot(r, n), n), across = sub(r, along);
    const lane half = (real)-0.5 * density * p->diameter;
    const lane normal = half * p->drag[0] * lane_sqrt(norm2(across)),
               axial = half * TRIG_PI * p->drag[1] * lane_sqrt(norm2(along));
    vec3 q = add(scale(normal, across), scale(axial, along));
    q.z += p->weight;
    return q;
}

/* Velocities [m/s] of the vehicle's end, of the anchor, of the water. */
typedef struct tether_motion {
    vec3 end, anchor, water;
} tether_motion;

/* F, for a chord from the vehicle to the anchor. */
LANE_INLINE vec3 tether_pull(const tether_cable *p, vec3 chord, tether_motion moves, lane density)
{
    const lane c = lane_max(lane_sqrt(norm2(chord)), lane_of(TETHER_SHORTEST));
    const vec3 n = scale(1 / c, chord);
    const vec3 middle = scale(lane_of((real)0.5), add(moves.end, moves.anchor));
    const vec3 q = tether_load(p, n, sub(middle, moves.water), density);
    const vec3 across = sub(q, scale(dot(q, n), n));
    const lane k = norm2(across) * (c * c * c) * (real)(1.0 / 24) + TETHER_LEAST;
    lane tension = tether_root(p->length / p->stiffness, p->length - c, k);
    const lane leaves = lane_max(lane_of(0), dot(sub(moves.anchor, moves.end), n));
    tension += lane_select(c > p->length, p->stiffness * p->damping / p->length * leaves, lane_of(0));
    return add(scale(tension, n), scale((real)0.5 * p->length, q));
}

#endif

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
 * That force holds for a period t, in which a force of 1 N on the vehicle's end changes its velocity by y.  So that it takes energy
 * whatever the stiffness and the period, T is that of the chord at the end of the period, as T itself changes it: n and c are those
 * of the chord after t at the present velocities, and T stretches the cable by t y T more; the damper has at most what ends c':
 *
 *     L (1 + T / EA) + t y T = c - t y D + q_n^2 c^3 / (24 T^2),     D = EA tau max(0, c') / (L + y EA tau)
 *
 * A load has the drag of the velocity at the end of the period, v + y q L / 2 + h, where h is what others gave it, taken as in
 * the period before: in equilibrium the load is that at rest.
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

/* Velocities [m/s] of the vehicle's end, of the anchor, of the water; what others give that end in a period. */
typedef struct tether_motion {
    vec3 end, anchor, water, others;
} tether_motion;

/* The vehicle at the end of a cable. */
typedef struct tether_body {
    rotation att;         /* FRD to NED */
    vec3 place;           /* m, FRD: of the end, from the centre of mass */
    lane inverse_mass;    /* 1/kg */
    sym3 inverse_inertia; /* 1/(kg m^2), FRD */
    lane period;          /* s: for which the force holds */
} tether_body;

/* What a force [N] on its end gives it in a period [m/s, NED]. */
LANE_INLINE vec3 tether_gives(const tether_body *of, vec3 force)
{
    const vec3 turning = sym3_mul(of->inverse_inertia, cross(of->place, to_body(of->att, force)));
    const vec3 accel = add(scale(of->inverse_mass, force), to_ned(of->att, cross(turning, of->place)));
    return scale(of->period, accel);
}

/* Half of the load of a cable: force on its end, and how much less it is per velocity of that end [N s/m]. */
typedef struct tether_share {
    vec3 across;
    lane along, slows[2]; /* across, along */
} tether_share;

/* Of a cable along n that moves through water of a density by r. */
LANE_INLINE tether_share tether_load(const tether_cable *p, vec3 n, vec3 r, lane density)
{
    const lane through = dot(r, n), half = (real)0.5 * p->length;
    const vec3 across = sub(r, scale(through, n));
    const lane drag = (real)0.5 * density * p->diameter * half;
    const lane normal = drag * p->drag[0] * lane_sqrt(norm2(across)),
               axial = drag * TRIG_PI * p->drag[1] * lane_abs(through), weight = half * p->weight;
    vec3 side = sub(scale(-normal, across), scale(weight * n.z, n));
    side.z += weight;
    return (tether_share){side, weight * n.z - axial * through, {(real)0.5 * normal, (real)0.5 * axial}};
}

/* A part of a load along a unit vector with the velocity that its end has after the period. */
LANE_INLINE lane tether_slowed(lane force, lane slows, lane others, lane yields)
{
    return (force - slows * others) / (1 + slows * yields);
}

/* The load of an end after the period. */
LANE_INLINE vec3 tether_held(const tether_share *load, const tether_body *body, vec3 n, vec3 others)
{
    const lane given = dot(others, n), yields = dot(tether_gives(body, n), n);
    const vec3 across = sub(load->across, scale(load->slows[0], sub(others, scale(given, n))));
    const lane size = lane_max(lane_sqrt(norm2(across)), lane_of(TETHER_SHORTEST * TETHER_SHORTEST));
    const vec3 by = scale(1 / size, across);
    const lane slower = 1 + load->slows[0] * dot(tether_gives(body, by), by);
    return add(scale(tether_slowed(load->along, load->slows[1], given, yields), n),
               scale(1 / slower, across));
}

/* Force on the vehicle, and the part of it that is load. */
typedef struct tether_force_at {
    vec3 force, load;
} tether_force_at;

/* F, for a chord from the vehicle to the anchor. */
LANE_INLINE tether_force_at tether_pull(const tether_cable *p, vec3 chord, const tether_motion *moves,
                                        lane density, const tether_body *body)
{
    const vec3 parts = sub(moves->anchor, moves->end), ahead = add(chord, scale(body->period, parts));
    const lane c = lane_max(lane_sqrt(norm2(ahead)), lane_of(TETHER_SHORTEST));
    const vec3 n = scale(1 / c, ahead);
    const vec3 middle = scale(lane_of((real)0.5), add(moves->end, moves->anchor));
    const tether_share share = tether_load(p, n, sub(middle, moves->water), density);
    const vec3 load = tether_held(&share, body, n, moves->others);
    const lane across2 = norm2(sub(load, scale(dot(load, n), n)));
    const lane k = across2 * (c * c * c) / (6 * p->length * p->length) + TETHER_LEAST;

    const lane yields = dot(tether_gives(body, n), n), damps = p->stiffness * p->damping;
    const lane leaves = lane_select(c > p->length, lane_max(lane_of(0), dot(parts, n)), lane_of(0));
    const lane damper = damps * leaves / (p->length + yields * damps), softer = body->period * yields;
    const lane tension = tether_root(p->length / p->stiffness + softer, p->length - c + softer * damper, k);
    return (tether_force_at){add(scale(tension + damper, n), load), load};
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Waves of deep water by Airy's theory, a component of the sea at a time [@fossen 10.2].
 *
 * A component of the amplitude a, the angular frequency w and the wave number k = w^2 / g, which travels along the unit
 * vector n, has at the place x and the depth d below the surface at rest, with t = w t_0 + phi - k n . x:
 *
 *     t'   = w + k n . u              at a place over ground: the current u of the surface carries the waves
 *     z_w  = -a cos t                    z of the surface; it rises towards -z
 *     grad = -a k sin t n                of z_w: change per metre north, per metre east
 *     v    = a w e^(-k d) (cos t n, sin t)                  of the water, (along n, down)
 *     v'   = a w^2 e^(-k d) (-sin t n, cos t)
 *     head = a e^(-k d) cos t            pressure over rho g, beside that of water at rest; its mean square a^2 e^(-2 k d) / 2
 *
 * A hull of the length L and the width B meets the mean of these over its plan, an upright rectangle of the heading psi:
 * times sinc(k_x L / 2) sinc(k_y B / 2) with (k_x, k_y) = k n in its axes, and none of what is shorter than either side.
 * It sends back what it does not follow, of the energy of the water between its top and its bottom, which are D and D + T below
 * the surface.  With the share s of the wave that it meets, above, and R^2 = (1 - s^2) (e^(-2 k D) - e^(-2 k (D + T))), along its axes
 *
 *     F_x  = rho g a^2 R^2 W n_x |n_x| / 2,      F_y = rho g a^2 R^2 L n_y |n_y| / 2          [N]
 *
 * the mean force on walls in short waves [@faltinsen 5.3]; R is estimated.  W is the water plane over L: a catamaran meets waves
 * from ahead with the width of its hulls, and from aside with the nearer one, which shelters the other.
 *
 * m, s, rad; NED.  Above the surface at rest the water moves as at it.  Leaves out: what a current does to the amplitude
 * and to the length of waves that come into it, its shear, finite depth (waves longer than twice the
 * depth), crests that are steeper than troughs, breaking, slowly varying drift, waves that the hull makes. */
#ifndef RF_MODELS_WAVES_H
#define RF_MODELS_WAVES_H

#include "math/exponential.h"
#include "math/trig.h"
#include "math/vec.h"

#define WAVES_FIRST_ZERO ((real)3.14159265358979323846) /* of sinc */

typedef struct wave {
    lane amplitude; /* m */
    lane number[2]; /* rad/m: k n, north and east */
    lane frequency; /* rad/s */
    lane phase;     /* rad: w t_0 + phi */
} wave;

/* The plan of a hull. */
typedef struct wave_hull {
    lane heading[2];    /* cos psi, sin psi */
    lane length, width; /* m; 0: a point */
    lane front;         /* m: its water plane over its length */
    lane draught;       /* m */
} wave_hull;

typedef struct wave_sum {
    lane height;      /* m, NED: z of the surface above that of water at rest */
    lane gradient[2]; /* 1, of it */
    vec3 velocity;    /* m/s, NED: of the water at the depth of the hull */
    vec3 accel;       /* m/s^2, NED: its change in time there */
    lane drift[2];    /* m^3, NED: mean force over rho g, north and east */
    lane head;        /* m: of the pressure at the depth of the hull */
    lane head_square; /* m^2: mean of its square there */
} wave_sum;

LANE_INLINE wave_sum waves_none(void)
{
    const lane zero = lane_of(0);
    const vec3 none = {zero, zero, zero};
    return (wave_sum){zero, {zero, zero}, none, none, {zero, zero}, zero, zero};
}

/* sin x / x up to its first zero within 1e-3, 0 beyond it. */
LANE_INLINE lane waves_sinc(lane x)
{
    static const real terms[] = {(real)(-1.0 / 6), (real)(1.0 / 120), (real)(-1.0 / 5040),
                                 (real)(1.0 / 362880), (real)(-1.0 / 39916800)};
    lane z = lane_min(x * x, lane_of(WAVES_FIRST_ZERO * WAVES_FIRST_ZERO));
    return lane_max(lane_of(0), 1 + z * polynomial(z, terms, TERMS_OF(terms)));
}

/* What a component would push, were all of the energy of the water beside the hull sent back. */
typedef struct wave_push {
    lane number; /* rad/m: k */
    lane by[2];  /* m^3, NED: force over rho g, north and east */
} wave_push;

LANE_INLINE wave_push waves_push(const wave_hull *hull, lane k, lane ahead, lane aside, lane energy)
{
    lane x = energy * hull->front * ahead * lane_abs(ahead),
         y = energy * hull->length * aside * lane_abs(aside);
    return (wave_push){
        k, {hull->heading[0] * x - hull->heading[1] * y, hull->heading[1] * x + hull->heading[0] * y}};
}

/* Adds the mean force of a component on a hull with its top at a depth [m, 0 or more]. */
LANE_INLINE void waves_add_push(wave_sum *sum, const wave_push *push, lane top, lane draught)
{
    lane twice = -2 * push->number, met = lane_exp(twice * top) - lane_exp(twice * (top + draught));
    for (int i = 0; i < 2; i++) sum->drift[i] += met * push->by[i];
}

/* Adds a component at the horizontal place (north, east) [m] and a depth [m, 0 or more], but for its mean force. */
LANE_INLINE wave_push waves_add(wave_sum *sum, const wave *w, lane north, lane east, lane depth,
                                const wave_hull *hull)
{
    const lane zero = lane_of(0), half = lane_of((real)0.5);
    lane k = lane_sqrt(w->number[0] * w->number[0] + w->number[1] * w->number[1]);
    lane per_k = lane_select(k > 0, 1 / k, zero), n = per_k * w->number[0], e = per_k * w->number[1];
    lane ahead = n * hull->heading[0] + e * hull->heading[1],
         aside = e * hull->heading[0] - n * hull->heading[1];
    lane share = waves_sinc(half * k * ahead * hull->length) * waves_sinc(half * k * aside * hull->width);

    lane sine, cosine;
    lane_sincos(w->phase - (w->number[0] * north + w->number[1] * east), &sine, &cosine);
    lane a = share * w->amplitude;
    sum->height -= a * cosine;
    lane steep = a * sine;
    sum->gradient[0] -= steep * w->number[0];
    sum->gradient[1] -= steep * w->number[1];

    lane falls = lane_exp(-(k * depth));
    lane head = a * falls;
    sum->head += head * cosine;
    sum->head_square += half * head * head;
    lane speed = a * w->frequency * falls, accel = w->frequency * speed;
    lane along = speed * cosine, slows = -(accel * sine);
    sum->velocity = add(sum->velocity, vec3_of(along * n, along * e, speed * sine));
    sum->accel = add(sum->accel, vec3_of(slows * n, slows * e, accel * cosine));

    lane sent = half * w->amplitude * w->amplitude * (1 - share * share);
    return waves_push(hull, k, ahead, aside, sent);
}

#endif

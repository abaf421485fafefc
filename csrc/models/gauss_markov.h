/* SPDX-License-Identifier: BSD-3-Clause */
/* First-order Gauss-Markov process, the drift of a sensor:
 *
 *     x' = -x / tau + K n,      stationary standard deviation sigma = K sqrt(tau / 2),
 *
 * with white noise n of density 1 and the density K of the random walk, which x is for times well below tau.  Exact over
 * a step T:
 *
 *     x <- a x + sigma sqrt(1 - a^2) n_1,      a = exp(-T / tau),  n_1 standard normal,
 *
 * so variance and spectrum are right for any step.  A fresh process starts in its stationary distribution.
 * tau > 0; at a tau of 0 x is 0. */
#ifndef RF_MODELS_GAUSS_MARKOV_H
#define RF_MODELS_GAUSS_MARKOV_H

#include "math/exponential.h"

typedef struct gauss_markov {
    lane decay;  /* a */
    lane spread; /* sigma sqrt(1 - a^2) */
} gauss_markov;

/* A step of `period` [s], for K [unit/s^0.5] and tau [s]; of a stationary state where it is fresh. */
LANE_INLINE gauss_markov gauss_markov_of(lane walk, lane tau, lane period, mask fresh)
{
    lane decay = lane_exp(-period / lane_max(tau, lane_of((real)1e-9)));
    decay = lane_select(fresh, lane_of(0), decay);
    lane sigma = walk * lane_sqrt((real)0.5 * tau);
    return (gauss_markov){decay, sigma * lane_sqrt((1 - decay) * (1 + decay))};
}

LANE_INLINE lane gauss_markov_next(const gauss_markov *g, lane x, lane noise)
{
    return g->decay * x + g->spread * noise;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers of tests. */
#ifndef UNIFORM_H
#define UNIFORM_H

#include <stdlib.h>

/* The next number of rand, which srand begins anew, from `low` to `high`. */
static inline double uniform(double low, double high)
{
    return low + (high - low) * (double)rand() / RAND_MAX;
}

#endif

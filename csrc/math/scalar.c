/* SPDX-License-Identifier: BSD-3-Clause */
#include "math/scalar.h"

#define LANE_PRECISION 64
#define LANE_WIDTH     1
#include "math/trig.h"

void rf_sincos(double angle, double *sine, double *cosine)
{
    lane_sincos(angle, sine, cosine);
}

double rf_atan2(double y, double x)
{
    return lane_atan2(y, x);
}

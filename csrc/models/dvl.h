/* SPDX-License-Identifier: BSD-3-Clause */
/* When a Doppler velocity log that looks along the body's down axis d [NED] sees the level bottom, h below it:
 *
 *     distance = h / d_z          within limits, with d_z over the cosine of the largest tilt, and a speed within its limit
 *
 * The ambiguity of the phase limits the speed, the echo of beams that meet the bottom too flat the tilt. */
#ifndef RF_MODELS_DVL_H
#define RF_MODELS_DVL_H

#include "math/trig.h"

typedef struct dvl_view {
    lane height; /* m: h */
    lane down;   /* 1: d_z */
    lane speed;  /* m/s: over the bottom */
} dvl_view;

typedef struct dvl_limits {
    lane minimum, maximum; /* m */
    lane speed;            /* m/s */
    lane tilt;             /* rad */
} dvl_limits;

/* m, along the axis; h where that does not point down */
LANE_INLINE lane dvl_distance(const dvl_view *view)
{
    return view->height / lane_select(view->down > 0, view->down, lane_of(1));
}

LANE_INLINE mask dvl_sees_bottom(const dvl_view *view, const dvl_limits *limits)
{
    lane sine, cosine;
    lane_sincos(limits->tilt, &sine, &cosine);
    const lane distance = dvl_distance(view);
    return (view->down > 0) & (view->down >= cosine) & (distance >= limits->minimum) &
           (distance <= limits->maximum) & (view->speed <= limits->speed);
}

#endif

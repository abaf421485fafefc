/* SPDX-License-Identifier: BSD-3-Clause */
/* From NED to the axes of the camera (right, down, ahead [m]), and from there into the picture. */
#ifndef RF_PICTURE_PROJECT_H
#define RF_PICTURE_PROJECT_H

#include <math.h>

#include "picture/raster.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

static inline double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void see_point(const rf_camera *c, const double ned[3], double seen[3])
{
    const double from_eye[3] = {ned[0] - c->eye[0], ned[1] - c->eye[1], ned[2] - c->eye[2]};
    for (int i = 0; i < 3; i++) seen[i] = dot3(c->axes[i], from_eye);
}

/* False for a NaN. */
static inline bool is_near_enough(const double seen[3])
{
    return fabs(seen[0]) < RF_PICTURE_FAR && fabs(seen[1]) < RF_PICTURE_FAR && fabs(seen[2]) < RF_PICTURE_FAR;
}

static inline rf_spot spot_of(const rf_picture *p, const double seen[3])
{
    const double scale = p->camera.focal * p->samples / seen[2];
    return (rf_spot){0.5 * p->width * p->samples + scale * seen[0],
                     0.5 * p->height * p->samples + scale * seen[1], 1 / seen[2]};
}

/* The place in the near plane between one ahead of it and one behind: the same for all that share both. */
static inline void cut(const double ahead[3], const double behind[3], double between[3])
{
    const double share = (RF_PICTURE_NEAR - ahead[2]) / (behind[2] - ahead[2]);
    for (int i = 0; i < 2; i++) between[i] = ahead[i] + share * (behind[i] - ahead[i]);
    between[2] = RF_PICTURE_NEAR;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Rays onto what moves: bodies of boxes with round edges, each in a sphere around its origin, in a tree (tree.h).
 *
 * A body's shape is all that is within a radius r of a box.  Along a ray, the square of the distance from the box,
 *
 *     q(t) = sum over the axes of max(|o + t d| - h, 0)^2
 *
 * is a parabola between the up to six places where a coordinate is a half size h: the ray meets the shape at the first root of
 * q(t) = r^2.  In double, with the same bits for all instruction sets. */
#ifndef RF_SCENE_MOVERS_H
#define RF_SCENE_MOVERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* A box with round edges, in the axes of its body [m]. */
typedef struct rf_round_box {
    double center[3], half[3]; /* half sizes from 0: a plate, a rod, a point */
    double radius;             /* above 0 */
} rf_round_box;

/* Shapes that bodies have: those of hull i from first[i] to before first[i + 1]. */
typedef struct rf_hulls {
    size_t count;
    const int32_t *first;
    const rf_round_box *shape;
} rf_hulls;

/* What moves, as it is now; one that is not finite is left out. */
typedef struct rf_movers_def {
    size_t count;
    const double (*positions)[3]; /* m, NED */
    const double (*attitudes)[4]; /* unit quaternions from axes of the body to NED */
    const int32_t *hulls;         /* of each */
    const int32_t *ids;
    rf_hulls shapes;
} rf_movers_def;

typedef struct rf_movers rf_movers;

/* Makes the tree; what the definition points to must live as long.  RF_BAD_ARGUMENT: a hull or a shape is none. */
rf_status rf_movers_new(const rf_movers_def *def, rf_movers **made);
void rf_movers_free(rf_movers *movers);

/* What a ray meets first: its distance [m], INFINITY where there is nothing up to the reach, and its id. */
typedef struct rf_met {
    double distance;
    int32_t id;
} rf_met;

/* Along a direction of length 1; the body with the id `ignored` is not there.  Of several at one distance that of the lower
 * number counts. */
rf_met rf_movers_ray(const rf_movers *movers, const double origin[3], const double direction[3], double reach,
                     int32_t ignored);

/* The distance along a ray of length 1 in axes of the body to a shape, INFINITY where it meets nothing up to the reach. */
double rf_round_box_ray(const rf_round_box *shape, const double origin[3], const double direction[3],
                        double reach);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Distances of convex bodies: a core and all that is within a radius of it.
 *
 * A core is a box, which may have no extent along some of its axes (a plate, a segment, a point), a cylinder or a triangle: so a sphere,
 * a capsule, a disc and a box with round edges are one kind.  The distance of two cores is that of the origin from their
 * difference, by the algorithm of Gilbert, Johnson and Keerthi [@gjk]: a simplex of points of the difference comes nearer until
 * none is.  Where cores overlap, the direction in which they overlap least is looked for among the axes of both and the line between
 * their centres.  In double, about any origin. */
#ifndef RF_SCENE_CONVEX_H
#define RF_SCENE_CONVEX_H

#include <stdbool.h>

typedef enum rf_core_kind { RF_CORE_BOX, RF_CORE_CYLINDER, RF_CORE_TRIANGLE } rf_core_kind;

typedef struct rf_convex {
    rf_core_kind kind;
    double center[3];    /* m, NED; of a triangle the mean of its corners */
    double rotation[9];  /* local axes to NED, rows; not of a triangle */
    double half[3];      /* m, half sizes of a box; radius, radius and half the height of a cylinder */
    double corner[3][3]; /* m, of a triangle, from its centre */
    double radius;       /* m, around the core */
} rf_convex;

/* The nearest places of two bodies a and b. */
typedef struct rf_gap {
    double distance;         /* m, of the surfaces; negative: by how much they overlap */
    double normal[3];        /* from b to a, unit */
    double at_a[3], at_b[3]; /* m, on the surfaces */
    bool overlap;            /* of the cores: the direction is estimated */
} rf_gap;

/* The place of the core that is farthest in a direction. */
void rf_support(const rf_convex *c, const double direction[3], double place[3]);

rf_gap rf_gap_between(const rf_convex *a, const rf_convex *b);

#endif

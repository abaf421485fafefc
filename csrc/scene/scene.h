/* SPDX-License-Identifier: BSD-3-Clause */
/* A scene: what stands in the world, for rays and contacts.  It does not change.
 *
 * Boxes, cylinders and spheres are the images of a unit body under local = to_local (place - center): a cube, a cylinder
 * along z and a ball, each within -1 to 1 along every axis.  A plane bounds a half space.  Meshes are triangles.  All but
 * planes, which have no end, are in a bounding volume tree (tree.h), in single precision about `middle`: places are within
 * 20 km of it, where a float has steps of 2 mm, within 1 km of 0.06 mm. */
#ifndef RF_SCENE_SCENE_H
#define RF_SCENE_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define RF_SCENE_REACH     20000.0 /* m, farthest part of a scene from its middle */
#define RF_SCENE_SHAPES    1000000
#define RF_SCENE_TRIANGLES 4000000
#define RF_SCENE_PLANES    64
#define RF_TREE_WIDTH      16  /* children of a node, triangles of a leaf */
#define RF_SCENE_FEW       32  /* bodies of a scene, which rays pass by one after the other; */
#define RF_SCENE_SEVERAL   512 /* whose bodies have upright cylinders around them */

#define RF_SCENE_ALIGNMENT 64 /* bytes, of nodes and leaves: of a vector of any set */

/* What a leaf and a hit are; the order is that of Python's arrays. */
typedef enum rf_shape_kind {
    RF_SHAPE_BOX,
    RF_SHAPE_CYLINDER,
    RF_SHAPE_SPHERE,
    RF_SHAPE_PLANE,
    RF_SHAPE_MESH, /* of a shape: its triangles are leaves */
} rf_shape_kind;

/* A box, a cylinder or a sphere. */
typedef struct rf_body {
    float center[3]; /* m, from the middle */
    float rows[9];   /* of to_local [1/m] */
    uint32_t kind, shape;
} rf_body;

/* Triangles that lie together, the last of them again where there are fewer. */
typedef struct rf_triangles {
    float corner[3][3][RF_TREE_WIDTH]; /* m, from the middle: three corners, each x, y and z */
    uint32_t shape[RF_TREE_WIDTH], number[RF_TREE_WIDTH]; /* number of the triangle in the definition */
} rf_triangles;

/* A node of the tree: boxes along the axes around its children, a far place where there are fewer. */
typedef struct rf_node {
    float low[3][RF_TREE_WIDTH], high[3][RF_TREE_WIDTH]; /* m, from the middle */
    uint32_t child[RF_TREE_WIDTH]; /* number in its list, and its kind in RF_CHILD_KIND */
} rf_node;

#define RF_CHILD_KIND      0xc0000000u
#define RF_CHILD_NODE      0x00000000u
#define RF_CHILD_BODY      0x40000000u
#define RF_CHILD_TRIANGLES 0x80000000u

/* Cylinders along the vertical around bodies, or around several of these; further ones are a far place. */
typedef struct rf_uprights {
    _Alignas(RF_SCENE_ALIGNMENT) float x[RF_TREE_WIDTH]; /* m, their middles, from the scene's */
    float y[RF_TREE_WIDTH], z[RF_TREE_WIDTH];
    float radius[RF_TREE_WIDTH], half[RF_TREE_WIDTH]; /* m, half of the height */
    uint32_t number[RF_TREE_WIDTH];                   /* of the body */
    size_t count;
} rf_uprights;

typedef struct rf_plane {
    float normal[3]; /* outwards */
    float offset;    /* m: normal . (place - middle) on the plane */
    uint32_t shape;
} rf_plane;

/* What a scene is made of, m, NED; arrays have an entry for each shape, or for each triangle. */
typedef struct rf_scene_def {
    size_t shapes, triangles;
    const uint8_t *kinds;
    const double (*centers)[3];
    const double (*rotations)[9]; /* rows of the matrix from local axes to NED */
    const double (*half_sizes)[3];
    const double *friction, *restitution; /* coefficients */
    const double (*corners)[9];           /* of triangles */
    const int32_t *owners;                /* of triangles: shapes of kind RF_SHAPE_MESH */
} rf_scene_def;

typedef struct rf_scene {
    rf_scene_def def; /* its arrays are the caller's */
    double middle[3]; /* m, NED */
    size_t bodies, leaves, nodes, planes, uprights;
    rf_body *body;
    rf_triangles *leaf;
    rf_node *node;        /* the first is the root; without bodies and triangles there is none */
    rf_uprights *upright; /* around bodies that lie together, where there are up to RF_SCENE_SEVERAL */
    rf_uprights *around;  /* around those of each of `upright`, of which they have the numbers */
    rf_plane plane[RF_SCENE_PLANES];
} rf_scene;

/* Makes a scene of arrays that stay as long as it.  RF_BAD_ARGUMENT: a number is not finite, a size not above 0, a part too far away, a kind, an owner or a
 * number of shapes out of range; *bad is then the shape, or the triangle after the shapes. */
rf_status rf_scene_new(const rf_scene_def *def, rf_scene **made, size_t *bad);
void rf_scene_free(rf_scene *scene);

#endif

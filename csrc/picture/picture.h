/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures: triangles and lines as a camera sees them, without a graphics library.
 *
 *   rf_picture_begin      the sky
 *   rf_picture_mesh       instances of triangles, shaded by the light on their faces
 *   rf_picture_lines      lines of a width in pixels
 *   rf_picture_water      water to the horizon over what has been drawn
 *   rf_picture_finish     colours, distances and ids of pixels
 *
 * What is nearer hides what is farther, whatever is drawn first.  What is translucent mixes with what has been drawn, and
 * once where it overlaps itself in a plane: it has to be nearer by RF_PICTURE_APART.  Where it has no id (-1), that of what is
 * behind it remains.  All is computed by + - * / and square roots, rounded alike by every processor, so a picture has the
 * same bits everywhere. */
#ifndef RF_PICTURE_PICTURE_H
#define RF_PICTURE_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define RF_PICTURE_SIDE   8192   /* samples of a side at most */
#define RF_PICTURE_SAMPLE 12     /* bytes */
#define RF_PICTURE_NEAR   0.02   /* m ahead of the eye: what is nearer is cut off */
#define RF_PICTURE_FAR    1.0e12 /* m: what has a corner farther away, or nowhere, is left out */
#define RF_PICTURE_APART  1.0e-5 /* of the distance */

typedef struct rf_camera {
    double axes[3][3]; /* right and down in the picture and ahead: unit vectors, NED */
    double eye[3];     /* m, NED */
    double focal;      /* pixels: distance of the picture from the eye */
} rf_camera;

typedef struct rf_light {
    double sun[3];      /* unit vector to it, NED */
    uint8_t zenith[3];  /* red, green, blue */
    uint8_t horizon[3]; /* of all directions below it, too */
    double haze;        /* m: at this distance a fourth of a colour is the horizon's; 0: no haze */
} rf_light;

/* Triangles of a body, and where it stands, so often. */
typedef struct rf_instances {
    size_t corners, triangles, count;
    const float (*corner)[3];     /* m, in axes of the body */
    const int32_t (*triangle)[3]; /* corners */
    const uint8_t (*colour)[4];   /* of each triangle: red, green, blue, opacity */
    const double (*place)[3][4];  /* of each instance: rows of the matrix to NED, and the origin [m] */
    const int32_t *id;            /* of each instance */
} rf_instances;

typedef struct rf_lines {
    size_t count;
    const double (*ends)[2][3]; /* m, NED */
    const uint8_t (*colour)[4]; /* red, green, blue, opacity */
    double width;               /* pixels */
} rf_lines;

/* A level surface without end. */
typedef struct rf_water {
    double level;                  /* m, NED down */
    double clear;                  /* m: such a way through it leaves a fourth of a colour */
    uint8_t deep[3], colour[3];    /* of much of it, and of its surface: red, green, blue */
    uint8_t opacity, opacity_flat; /* of the surface, seen at right angles and along it */
} rf_water;

/* A picture that is being drawn. */
typedef struct rf_picture {
    int width, height; /* pixels */
    int samples;       /* along each side of a pixel: 1 or 2 */
    rf_camera camera;
    rf_light light;
    void *kept;      /* RF_PICTURE_SAMPLE bytes of each sample, used picture after picture; NULL: own ones */
    float *nearness; /* 1/m, of each sample: 1/distance ahead, 0: nothing */
    uint32_t *ink;   /* red, green, blue from the lowest byte on */
    int32_t *id;     /* -1: none */
} rf_picture;

/* An empty picture under the sky; RF_NO_MEMORY, or RF_BAD_ARGUMENT for a size, camera or light out of range. */
rf_status rf_picture_begin(rf_picture *picture);
void rf_picture_free(rf_picture *picture);

/* RF_BAD_ARGUMENT for a triangle without such a corner; those before it are drawn. */
rf_status rf_picture_mesh(rf_picture *picture, const rf_instances *instances);
void rf_picture_lines(rf_picture *picture, const rf_lines *lines);

/* From above also what it leaves of what is below; ids of that remain. */
void rf_picture_water(rf_picture *picture, const rf_water *water);

/* Of each pixel: colour, distance ahead of the eye [m] (infinite: nothing) and id of the nearest (-1: none). */
void rf_picture_finish(const rf_picture *picture, uint8_t (*colour)[3], float *distance, int32_t *id);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples whose middle a triangle covers. */
#ifndef RF_PICTURE_RASTER_H
#define RF_PICTURE_RASTER_H

#include "picture/picture.h"

/* A corner in the picture. */
typedef struct rf_spot {
    double x, y;     /* samples, right and down from the upper left corner */
    double nearness; /* 1/m */
} rf_spot;

typedef struct rf_paint {
    uint32_t ink;
    unsigned opacity; /* 0 to 255 */
    bool has_id;      /* else the id that is there remains */
    int32_t id;
} rf_paint;

static inline uint32_t ink_of(double red, double green, double blue)
{
    return (uint32_t)red | (uint32_t)green << 8 | (uint32_t)blue << 16;
}

#define RED_BLUE 0xff00ffu /* green is between them: both at once have room for products */
#define GREEN    0x00ff00u

/* So much of 256 of an ink over another one. */
static inline uint32_t mixed(uint32_t over, uint32_t under, unsigned share)
{
    const uint32_t red_blue = (over & RED_BLUE) * share + (under & RED_BLUE) * (256 - share);
    const uint32_t green = (over & GREEN) * share + (under & GREEN) * (256 - share);
    return (red_blue >> 8 & RED_BLUE) | (green >> 8 & GREEN);
}

/* Triangles that share an edge cover each sample along it once. */
void rf_fill_triangle(rf_picture *picture, rf_spot a, rf_spot b, rf_spot c, const rf_paint *paint);

#endif

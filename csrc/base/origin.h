/* SPDX-License-Identifier: BSD-3-Clause */
/* Where on the WGS84 ellipsoid the local NED frame touches it. */
#ifndef RF_BASE_ORIGIN_H
#define RF_BASE_ORIGIN_H

#include <stdint.h>

/* RflySim's default. */
#define RF_ORIGIN_LAT    40.1540302  /* deg */
#define RF_ORIGIN_LON    116.2593683 /* deg */
#define RF_ORIGIN_HEIGHT 50.0        /* m */

typedef struct rf_origin {
    int32_t lat_whole, lon_whole; /* 1e-7 deg */
    double lat_rest, lon_rest;    /* deg, what those leave */
    double height;                /* m, above the ellipsoid */
    double meridian, across;      /* m, radii of curvature plus height: in the meridian, and across it */
    double sine, cosine;          /* of the latitude */
    double meridian_rate;         /* m, derivative of the meridian radius by latitude */
} rf_origin;

#endif

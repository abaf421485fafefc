/* SPDX-License-Identifier: BSD-3-Clause */
/* Where on the WGS84 ellipsoid the local NED frame touches it. */
#ifndef RF_BASE_ORIGIN_H
#define RF_BASE_ORIGIN_H

#include <stdint.h>

/* NGA.STND.0036 (2014), table 3.1 */
#define WGS84_SEMI_MAJOR 6378137.0 /* m */
#define WGS84_FLATTENING (1.0 / 298.257223563)
#define WGS84_E2         (WGS84_FLATTENING * (2.0 - WGS84_FLATTENING)) /* first eccentricity squared */

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

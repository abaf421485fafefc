/* SPDX-License-Identifier: BSD-3-Clause */
/* The WGS84 ellipsoid: origin of the local NED frame, and positions in that frame as latitude, longitude and height;
 * pyrfly/frames/geodesy.py in C. */
#ifndef RF_MATH_WGS84_H
#define RF_MATH_WGS84_H

#include <stddef.h>
#include <stdint.h>

/* [@wgs84 table 3.1] */
#define WGS84_SEMI_MAJOR 6378137.0 /* m */
#define WGS84_FLATTENING (1.0 / 298.257223563)
#define WGS84_E2         (WGS84_FLATTENING * (2.0 - WGS84_FLATTENING)) /* first eccentricity squared */

/* RflySim's default origin. */
#define RF_ORIGIN_LAT    40.1540302  /* deg */
#define RF_ORIGIN_LON    116.2593683 /* deg */
#define RF_ORIGIN_HEIGHT 50.0        /* m */

/* The origin, with the coefficients of the series of math/map_frame.h. */
typedef struct rf_origin {
    int32_t lat_whole, lon_whole;      /* 1e-7 deg */
    double lat_rest, lon_rest;         /* deg, the remainders */
    double height;                     /* m, above the ellipsoid */
    double meridian, prime_vertical;   /* m, radii of curvature plus height */
    double per_meridian, per_vertical; /* 1/m, their reciprocals */
    double sine, cosine;               /* of the latitude */
    double meridian_rate;              /* m, derivative of the meridian radius by latitude */
} rf_origin;

/* The origin at a latitude [deg], longitude [deg] and height above the ellipsoid [m]. */
rf_origin rf_origin_at(double lat_deg, double lon_deg, double height);

typedef struct rf_local_frame {
    double origin[3];  /* earth-centred, earth-fixed [m] */
    double axes[3][3]; /* columns: north, east, down in earth-centred axes */
    double lat, lon;   /* deg */
    double sin_lat, cos_lat, sin_lon, cos_lon;
} rf_local_frame;

/* The frame at a latitude [deg], longitude [deg] and height above the ellipsoid [m]. */
rf_local_frame rf_local_frame_at(const double lla[3]);

/* Maximum number of positions of one call. */
#define RF_LOCAL_FRAME_BLOCK 64
typedef double rf_local_frame_values[RF_LOCAL_FRAME_BLOCK];

/* Converts n positions to latitude [deg], longitude [deg] and height [m]; ned[3] and lla[3] hold one component each.
 * Exact to rounding up to RF_MAX_DISTANCE from the origin of the frame.  NaN stays NaN. */
void rf_local_frame_to_lla(const rf_local_frame *frame, size_t n, const rf_local_frame_values *ned,
                           rf_local_frame_values *lla);

#endif

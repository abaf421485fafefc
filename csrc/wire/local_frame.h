/* SPDX-License-Identifier: BSD-3-Clause */
/* North-east-down axes in the plane tangent to the WGS84 ellipsoid at one point, and places in them as latitude,
 * longitude and height: the C twin of pyrfly/geodesy.py. */
#ifndef RF_WIRE_LOCAL_FRAME_H
#define RF_WIRE_LOCAL_FRAME_H

#include <stddef.h>

typedef struct rf_local_frame {
    double origin[3];  /* earth-centred, earth-fixed [m] */
    double axes[3][3]; /* columns: north, east, down in earth-centred axes */
    double lat, lon;   /* deg */
    double sin_lat, cos_lat, sin_lon, cos_lon;
} rf_local_frame;

/* The frame at a latitude [deg], longitude [deg] and height above the ellipsoid [m]. */
rf_local_frame rf_local_frame_at(const double lla[3]);

/* One value of each of so many places at most. */
#define RF_LOCAL_FRAME_MOST 64
typedef double rf_local_frame_values[RF_LOCAL_FRAME_MOST];

/* Turns n places into latitude [deg], longitude [deg] and height [m]: ned[3], lla[3] hold one component each.
 * Exact to rounding up to RF_MAX_DISTANCE from the origin of the frame.  NaN stays NaN. */
void rf_local_frame_to_lla(const rf_local_frame *frame, size_t n, const rf_local_frame_values *ned,
                           rf_local_frame_values *lla);

#endif

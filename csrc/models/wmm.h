/* SPDX-License-Identifier: BSD-3-Clause */
/* The World Magnetic Model 2025 [@wmm2025]: spherical harmonics of degree 12 with linear change in time, in double.
 *
 * The model holds from WMM_BEGIN to WMM_END; dates outside count as the nearest end.  It is that of the earth's core and
 * of large structures of the crust; local anomalies are left out, a few hundred nT on land. */
#ifndef RF_MODELS_WMM_H
#define RF_MODELS_WMM_H

#include "math/wgs84.h"

#define WMM_BEGIN 2025.0 /* decimal year */
#define WMM_END   2030.0

/* Edge of the cells in which a vehicle's field is linear [m].  The error in a cell is below 0.1 nT. */
#define WMM_CELL 4000.0

/* The field [nT, north east down of the place] at a latitude [deg], longitude [deg] and height above the ellipsoid [m]. */
void rf_wmm_field(double date, const double lla[3], double field[3]);

/* The field [T] at a position [m], and its gradient [T/m], gradient[i][j] = dB_i / dx_j, by differences over the cell;
 * both in the local NED frame of the origin. */
void rf_wmm_cell(const rf_origin *origin, double date, const double pos[3], double field[3],
                 double gradient[3][3]);

#endif

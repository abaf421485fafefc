/* SPDX-License-Identifier: BSD-3-Clause */
#include "math/wgs84.h"

#include <math.h>

#include "math/scalar.h"

#define SEMI_MAJOR WGS84_SEMI_MAJOR
#define FLATTENING WGS84_FLATTENING
#define SEMI_MINOR (SEMI_MAJOR * (1.0 - FLATTENING))
#define E2         WGS84_E2
#define EP2        (E2 / (1.0 - E2)) /* second eccentricity squared */

#define DEGREE 0.017453292519943295769

/* The error of the first step of Bowring's iteration is below 1e-6 deg up to 2000 km above the surface, and each further
 * step squares it: after two only rounding remains. */
#define BOWRING_STEPS 2

rf_origin rf_origin_at(double lat_deg, double lon_deg, double height)
{
    double sine, cosine;
    rf_sincos(lat_deg * DEGREE, &sine, &cosine);
    double w2 = 1 - E2 * sine * sine, prime_vertical = SEMI_MAJOR / sqrt(w2);
    double meridian = prime_vertical * (1 - E2) / w2;
    rf_origin origin = {.lat_whole = (int32_t)lrint(lat_deg * 1e7),
                        .lon_whole = (int32_t)lrint(lon_deg * 1e7),
                        .height = height,
                        .meridian = meridian + height,
                        .prime_vertical = prime_vertical + height,
                        .per_meridian = 1 / (meridian + height),
                        .per_vertical = 1 / (prime_vertical + height),
                        .sine = sine,
                        .cosine = cosine,
                        .meridian_rate = 3 * meridian * E2 * sine * cosine / w2};
    origin.lat_rest = lat_deg - origin.lat_whole * 1e-7;
    origin.lon_rest = lon_deg - origin.lon_whole * 1e-7;
    return origin;
}

rf_local_frame rf_local_frame_at(const double lla[3])
{
    double sin_lat, cos_lat, sin_lon, cos_lon;
    rf_sincos(lla[0] * DEGREE, &sin_lat, &cos_lat);
    rf_sincos(lla[1] * DEGREE, &sin_lon, &cos_lon);
    double prime_vertical = SEMI_MAJOR / sqrt(1.0 - E2 * sin_lat * sin_lat);
    double from_axis = (prime_vertical + lla[2]) * cos_lat,
           z = (prime_vertical * (1.0 - E2) + lla[2]) * sin_lat;
    return (rf_local_frame){
        .origin = {from_axis * cos_lon, from_axis * sin_lon, z},
        .axes = {{-sin_lat * cos_lon, -sin_lon, -cos_lat * cos_lon},
                 {-sin_lat * sin_lon, cos_lon, -cos_lat * sin_lon},
                 {cos_lat, 0.0, -sin_lat}},
        .lat = lla[0],
        .lon = lla[1],
        .sin_lat = sin_lat,
        .cos_lat = cos_lat,
        .sin_lon = sin_lon,
        .cos_lon = cos_lon,
    };
}

typedef rf_local_frame_values values;

static void ned_to_ecef(const rf_local_frame *frame, size_t n, const values *ned, values *ecef)
{
    for (int row = 0; row < 3; row++) {
        double origin = frame->origin[row], north = frame->axes[row][0];
        double east = frame->axes[row][1], down = frame->axes[row][2];
        for (size_t i = 0; i < n; i++) {
            ecef[row][i] = origin + (north * ned[0][i] + east * ned[1][i] + down * ned[2][i]);
        }
    }
}

/* Latitude after [@bowring], on sines and cosines so that no step needs an angle: `sine` and `cosine` of the
 * latitude are the components of the outward normal of the ellipsoid along the axis and normal to it.  Height
 * as the projection on the normal. */
static void find_normal(size_t n, const values *ecef, double *sine, double *cosine, double *height)
{
    for (size_t i = 0; i < n; i++) {
        double z = ecef[2][i], from_axis = sqrt(ecef[0][i] * ecef[0][i] + ecef[1][i] * ecef[1][i]);
        double rise = z, run = (1.0 - FLATTENING) * from_axis; /* of the reduced latitude */
        double normal_rise = 0, normal_run = 0;
        for (int step = 0; step < BOWRING_STEPS; step++) {
            double inverse = 1.0 / sqrt(rise * rise + run * run);
            double s = rise * inverse, c = run * inverse;
            normal_rise = z + EP2 * SEMI_MINOR * (s * s * s);
            normal_run = from_axis - E2 * SEMI_MAJOR * (c * c * c);
            rise = (1.0 - FLATTENING) * normal_rise;
            run = normal_run;
        }
        double inverse = 1.0 / sqrt(normal_rise * normal_rise + normal_run * normal_run);
        double s = normal_rise * inverse, c = normal_run * inverse;
        sine[i] = s;
        cosine[i] = c;
        height[i] = from_axis * c + z * s - SEMI_MAJOR * sqrt(1.0 - E2 * (s * s));
    }
}

/* Tangent up to which the series below is exact to rounding: some 400 km. */
#define SMALL_TANGENT (1.0 / 16)

/* Arc tangent by its series, |t| <= SMALL_TANGENT. */
static inline double atan_small(double t)
{
    double z = t * t;
    double tail = z * (1.0 / 5 - z * (1.0 / 7 - z * (1.0 / 9 - z * (1.0 / 11 - z * (1.0 / 13)))));
    return t - t * z * (1.0 / 3 - tail);
}

/* Angles of (run, rise) [deg], as differences from the known angle `origin` [deg] of (cosine, sine): for small
 * differences, the usual case, without a branch or a call. */
static void find_angles(size_t n, const double *rise, const double *run, double origin, double sine,
                        double cosine, double *angle)
{
    values tangent;
    for (size_t i = 0; i < n; i++) {
        double y = rise[i] * cosine - run[i] * sine, x = run[i] * cosine + rise[i] * sine;
        double t = y / x;
        tangent[i] = x > 0 ? t : INFINITY;
        double degrees = origin + atan_small(t) * (1.0 / DEGREE);
        angle[i] = degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees;
    }
    for (size_t i = 0; i < n; i++) {
        if (!(fabs(tangent[i]) <= SMALL_TANGENT)) angle[i] = rf_atan2(rise[i], run[i]) * (1.0 / DEGREE);
    }
}

void rf_local_frame_to_lla(const rf_local_frame *frame, size_t n, const values *ned, values *lla)
{
    values ecef[3], sine, cosine;
    ned_to_ecef(frame, n, ned, ecef);
    find_normal(n, ecef, sine, cosine, lla[2]);
    find_angles(n, sine, cosine, frame->lat, frame->sin_lat, frame->cos_lat, lla[0]);
    find_angles(n, ecef[1], ecef[0], frame->lon, frame->sin_lon, frame->cos_lon, lla[1]);
}

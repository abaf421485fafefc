/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/wmm.h"

#include <math.h>

#include "math/scalar.h"
#include "models/wmm_2025.h"

#define DEGREE     0.017453292519943295769
#define SEMI_MINOR (WGS84_SEMI_MAJOR * (1.0 - WGS84_FLATTENING))
#define SPHERE     6371200.0 /* m, the radius that the coefficients refer to [@wmm2025] */

/* A place in geocentric spherical coordinates. */
typedef struct place {
    double radius;       /* m */
    double sine, cosine; /* of the geocentric latitude */
    double sin_lon, cos_lon;
    double sin_tilt, cos_tilt; /* of geocentric less geodetic latitude */
} place;

static place place_of(const double lla[3])
{
    place at;
    double sine, cosine;
    rf_sincos(lla[0] * DEGREE, &sine, &cosine);
    rf_sincos(lla[1] * DEGREE, &at.sin_lon, &at.cos_lon);
    double normal = WGS84_SEMI_MAJOR / sqrt(1 - WGS84_E2 * sine * sine);
    double from_axis = (normal + lla[2]) * cosine, z = (normal * (1 - WGS84_E2) + lla[2]) * sine;
    at.radius = sqrt(from_axis * from_axis + z * z);
    at.sine = z / at.radius;
    at.cosine = from_axis / at.radius;
    at.sin_tilt = at.sine * cosine - at.cosine * sine;
    at.cos_tilt = at.cosine * cosine + at.sine * sine;
    return at;
}

/* An associated Legendre function of the sine of the latitude, Schmidt semi-normalized: its value, its derivative by the
 * latitude, and the value over the cosine of the latitude, which stays regular at the poles (0 for order 0). */
typedef struct legendre {
    double value, slope, over_cosine;
} legendre;

/* That of degree and order m, from that of m - 1. */
static legendre next_order(int m, legendre p, const place *at)
{
    double k = m == 1 ? 1 : sqrt((2 * m - 1) / (2.0 * m));
    return (legendre){k * at->cosine * p.value, k * (at->cosine * p.slope - at->sine * p.value), k * p.value};
}

/* That of degree n and order m, from those of n - 1 and n - 2. */
static legendre next_degree(int n, int m, legendre p, legendre before, const place *at)
{
    double root = sqrt((double)(n * n - m * m)), a = (2 * n - 1) / root;
    double b = sqrt((double)((n - 1) * (n - 1) - m * m)) / root;
    return (legendre){a * at->sine * p.value - b * before.value,
                      a * (at->cosine * p.value + at->sine * p.slope) - b * before.slope,
                      a * at->sine * p.over_cosine - b * before.over_cosine};
}

/* Adds the terms of order m, from the function p of degree m on, to the field in geocentric axes: north, east, down.
 * `sine` and `cosine` are those of m times the longitude; power[n] is (SPHERE / radius)^(n + 2). */
static void add_order(int m, legendre p, const place *at, double sine, double cosine, const double *power,
                      double years, double field[3])
{
    legendre before = {0, 0, 0};
    for (int n = m; n <= WMM_DEGREE; n++) {
        if (n > m) {
            legendre next = next_degree(n, m, p, before, at);
            before = p;
            p = next;
        }
        if (n == 0) continue;
        const double *term = wmm_terms[n * (n + 1) / 2 + m - 1];
        double g = term[0] + years * term[2], h = term[1] + years * term[3];
        double along = power[n] * (g * cosine + h * sine), across = power[n] * (g * sine - h * cosine);
        field[0] -= along * p.slope;
        field[1] += across * m * p.over_cosine;
        field[2] -= along * (n + 1) * p.value;
    }
}

void rf_wmm_field(double date, const double lla[3], double field[3])
{
    place at = place_of(lla);
    double power[WMM_DEGREE + 1], scale = SPHERE / at.radius, sum[3] = {0, 0, 0};
    power[0] = scale * scale;
    for (int n = 1; n <= WMM_DEGREE; n++) power[n] = scale * power[n - 1];
    double years = fmin(fmax(date, WMM_BEGIN), WMM_END) - WMM_EPOCH;

    legendre p = {1, 0, 0};
    double sine = 0, cosine = 1; /* of m times the longitude */
    for (int m = 0; m <= WMM_DEGREE; m++) {
        if (m > 0) {
            double turned = sine * at.cos_lon + cosine * at.sin_lon;
            cosine = cosine * at.cos_lon - sine * at.sin_lon;
            sine = turned;
            p = next_order(m, p, &at);
        }
        add_order(m, p, &at, sine, cosine, power, years, sum);
    }
    field[0] = sum[0] * at.cos_tilt - sum[2] * at.sin_tilt;
    field[1] = sum[1];
    field[2] = sum[0] * at.sin_tilt + sum[2] * at.cos_tilt;
}

/* Turns components in the local axes of one frame into those of another. */
static void turn(const rf_local_frame *from, const rf_local_frame *to, const double in[3], double out[3])
{
    double ecef[3];
    for (int row = 0; row < 3; row++) {
        ecef[row] = from->axes[row][0] * in[0] + from->axes[row][1] * in[1] + from->axes[row][2] * in[2];
    }
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = to->axes[0][axis] * ecef[0] + to->axes[1][axis] * ecef[1] + to->axes[2][axis] * ecef[2];
    }
}

void rf_wmm_cell(const rf_origin *origin, double date, const double pos[3], double field[3],
                 double gradient[3][3])
{
    const double home[3] = {origin->lat_whole * 1e-7 + origin->lat_rest,
                            origin->lon_whole * 1e-7 + origin->lon_rest, origin->height};
    rf_local_frame frame = rf_local_frame_at(home);
    enum { POINTS = 7 }; /* the middle, then both ends of each axis */
    rf_local_frame_values ned[3], lla[3];
    double at[POINTS][3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < POINTS; k++) ned[i][k] = pos[i];
        ned[i][1 + 2 * i] -= WMM_CELL / 2;
        ned[i][2 + 2 * i] += WMM_CELL / 2;
    }
    rf_local_frame_to_lla(&frame, POINTS, ned, lla);
    for (int k = 0; k < POINTS; k++) {
        const double point[3] = {lla[0][k], lla[1][k], lla[2][k]};
        double local[3];
        rf_local_frame there = rf_local_frame_at(point);
        rf_wmm_field(date, point, local);
        turn(&there, &frame, local, at[k]);
    }
    for (int i = 0; i < 3; i++) {
        field[i] = 1e-9 * at[0][i];
        for (int j = 0; j < 3; j++) gradient[i][j] = 1e-9 / WMM_CELL * (at[2 + 2 * j][i] - at[1 + 2 * j][i]);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Latitude, longitude and height to the local NED frame of the map.
 *
 * With u, l the differences of latitude and longitude from the origin [rad], h that of height [m], and M, N the
 * meridian and prime vertical radii of curvature of the WGS84 ellipsoid, the tangent frame is to second order
 *
 *     north = (M + h) u + (N sin lat cos lat) l^2 / 2 + M' u^2 / 2
 *     east  = (N + h) cos lat l - (M sin lat) u l
 *     down  = -h + (M u^2 + N cos^2 lat l^2) / 2,           M' = dM/dlat = 3 M e^2 sin lat cos lat / (1 - e^2 sin^2 lat)
 *
 * (series of the exact transformation, e.g. [@torge 6.2]).  Third-order terms are left out: 0.02 mm at 1 km,
 * 2 cm at 10 km.  Differences are formed before rounding to the precision of a lane, so float32 lanes with
 * integers of 1e-7 deg are as accurate. */
#ifndef RF_MATH_MAP_FRAME_H
#define RF_MATH_MAP_FRAME_H

#include "math/vec.h"
#include "math/wgs84.h"

#define MAP_WHOLE ((real)1e-7) /* deg */

/* Latitude or longitude of the origin: `whole` 1e-7 deg and the rest [deg]. */
typedef struct map_coordinate {
    lane_int whole;
    real rest, degrees;
} map_coordinate;

typedef struct map_origin {
    map_coordinate lat, lon;
    real height;                      /* m, above the ellipsoid */
    real meridian, prime_vertical;    /* M + height, N + height [m] */
    real per_meridian, per_vertical;  /* their reciprocals */
    real sine, cosine, meridian_rate; /* of latitude; dM/dlat [m] */
} map_origin;

LANE_INLINE map_coordinate map_coordinate_of(int32_t whole, double rest)
{
    return (map_coordinate){(lane_int)whole, (real)rest, (real)(whole * 1e-7 + rest)};
}

LANE_INLINE map_origin map_origin_of(const rf_origin *o)
{
    return (map_origin){.lat = map_coordinate_of(o->lat_whole, o->lat_rest),
                        .lon = map_coordinate_of(o->lon_whole, o->lon_rest),
                        .height = (real)o->height,
                        .meridian = (real)o->meridian,
                        .prime_vertical = (real)o->prime_vertical,
                        .per_meridian = (real)o->per_meridian,
                        .per_vertical = (real)o->per_vertical,
                        .sine = (real)o->sine,
                        .cosine = (real)o->cosine,
                        .meridian_rate = (real)o->meridian_rate};
}

/* Difference of an angle [deg] from the origin [deg]. */
LANE_INLINE lane map_degrees(lane degrees, map_coordinate origin)
{
    return degrees - origin.degrees;
}

/* Difference of an integer of 1e-7 deg from the origin [deg]; in halves of 16 bits, which cannot overflow. */
LANE_INLINE lane map_whole(mask words, map_coordinate origin)
{
    mask value = words_signed(words);
    lane high = lane_of_words((value >> 16) - (origin.whole >> 16));
    lane low = lane_of_words((value & 0xFFFF) - (origin.whole & 0xFFFF));
    return (high * 65536 + low) * MAP_WHOLE - origin.rest;
}

/* A difference of longitudes, within -180 to 180 deg. */
LANE_INLINE lane map_wrap_longitude(lane degrees)
{
    lane turn =
        lane_select(degrees > 180, lane_of(360), lane_select(degrees < -180, lane_of(-360), lane_of(0)));
    return degrees - turn;
}

/* Position [m, NED] of differences in latitude and longitude [deg] and a height [m, up].  A non-finite argument gives
 * NaN in its component, and counts as a zero difference in the others. */
LANE_INLINE vec3 map_position(const map_origin *o, lane north_deg, lane east_deg, lane height)
{
    const real degree = (real)0.017453292519943295;
    const lane nan = lane_of((real)__builtin_nan(""));
    mask north = lane_finite(north_deg), east = lane_finite(east_deg), up = lane_finite(height);
    lane u = degree * lane_select(north, north_deg, lane_of(0));
    lane l = degree * map_wrap_longitude(lane_select(east, east_deg, lane_of(0)));
    lane h = lane_select(up, height - o->height, lane_of(0));
    lane m = o->meridian + h, n = o->prime_vertical + h, half = lane_of((real)0.5);
    lane bend = n * (o->sine * o->cosine) * (l * l) + o->meridian_rate * (u * u);
    lane drop = m * (u * u) + n * (o->cosine * o->cosine) * (l * l);
    vec3 pos = vec3_of(m * u + half * bend, n * (o->cosine * l) - m * (o->sine * u * l), half * drop - h);
    return vec3_of(lane_select(north, pos.x, nan), lane_select(east, pos.y, nan),
                   lane_select(up, pos.z, nan));
}

/* Height above the ellipsoid [m] of a position [m, NED], to second order: within 0.2 m at 100 km from the origin. */
LANE_INLINE lane map_height(const map_origin *o, vec3 pos)
{
    lane meridian = o->per_meridian * (1 + o->per_meridian * pos.z);
    lane vertical = o->per_vertical * (1 + o->per_vertical * pos.z);
    lane rise = pos.x * pos.x * meridian + pos.y * pos.y * vertical;
    return (o->height - pos.z) + (real)0.5 * rise;
}

/* Sine of the latitude of a position [m, NED], on a sphere with the radii of curvature of the origin: within 1e-6 at
 * 100 km from it. */
LANE_INLINE lane map_sine_latitude(const map_origin *o, vec3 pos)
{
    lane u = pos.x / (o->meridian - pos.z), l = pos.y / (o->prime_vertical - pos.z);
    return (o->sine + u * o->cosine) / lane_sqrt(1 + u * u + l * l);
}

#endif

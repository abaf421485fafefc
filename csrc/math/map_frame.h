/* SPDX-License-Identifier: BSD-3-Clause */
/* Latitude, longitude and height to the local NED frame of the map.
 *
 * With u, l the differences of latitude and longitude from the origin [rad], h that of height [m], and M, N the
 * radii of curvature of the WGS84 ellipsoid in the meridian and across it, the tangential frame is to second order
 *
 *     north = (M + h) u + (N sin lat cos lat) l^2 / 2 + M' u^2 / 2
 *     east  = (N + h) cos lat l - (M sin lat) u l
 *     down  = -h + (M u^2 + N cos^2 lat l^2) / 2,           M' = dM/dlat = 3 M e^2 sin lat cos lat / (1 - e^2 sin^2 lat)
 *
 * (series of the exact transformation, e.g. Torge, Geodesy, section 6.2).  Third-order terms are left out: 0.02 mm at
 * 1 km, 2 cm at 10 km.  Differences are formed before anything is rounded to the precision of a lane, so
 * float32 lanes do as well with integers of 1e-7 deg. */
#ifndef RF_MATH_MAP_FRAME_H
#define RF_MATH_MAP_FRAME_H

#include "math/vec.h"
#include "math/wgs84.h"

#define MAP_WHOLE ((real)1e-7) /* deg */

/* One coordinate of the origin: `whole` 1e-7 deg and the rest [deg]. */
typedef struct map_coordinate {
    lane_int whole;
    real rest, degrees;
} map_coordinate;

typedef struct map_origin {
    map_coordinate lat, lon;
    real height;                      /* m, above the ellipsoid */
    real meridian, across;            /* M + height, N + height [m] */
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
                        .across = (real)o->across,
                        .sine = (real)o->sine,
                        .cosine = (real)o->cosine,
                        .meridian_rate = (real)o->meridian_rate};
}

/* Degrees from the origin. */
LANE_INLINE lane map_degrees(lane degrees, map_coordinate origin)
{
    return degrees - origin.degrees;
}

/* The same for integers of 1e-7 deg, any bits: halves of 16 bits cannot overflow. */
LANE_INLINE lane map_whole(mask words, map_coordinate origin)
{
    mask value = words_signed(words);
    lane high = lane_of_words((value >> 16) - (origin.whole >> 16));
    lane low = lane_of_words((value & 0xFFFF) - (origin.whole & 0xFFFF));
    return (high * 65536 + low) * MAP_WHOLE - origin.rest;
}

/* A difference of longitudes the short way round. */
LANE_INLINE lane map_short_way(lane degrees)
{
    lane back =
        lane_select(degrees > 180, lane_of(360), lane_select(degrees < -180, lane_of(-360), lane_of(0)));
    return degrees - back;
}

/* NED [m] of differences in latitude and longitude [deg] and a height [m, up].  What is not finite stays so, and
 * counts as none of a difference for the others. */
LANE_INLINE vec3 map_position(const map_origin *o, lane north_deg, lane east_deg, lane height)
{
    const real degree = (real)0.017453292519943295;
    const lane nothing = lane_of((real)__builtin_nan(""));
    mask north = lane_finite(north_deg), east = lane_finite(east_deg), up = lane_finite(height);
    lane u = degree * lane_select(north, north_deg, lane_of(0));
    lane l = degree * map_short_way(lane_select(east, east_deg, lane_of(0)));
    lane h = lane_select(up, height - o->height, lane_of(0));
    lane meridian = o->meridian + h, across = o->across + h, half = lane_of((real)0.5);
    lane bend = across * (o->sine * o->cosine) * (l * l) + o->meridian_rate * (u * u);
    lane drop = meridian * (u * u) + across * (o->cosine * o->cosine) * (l * l);
    vec3 place = vec3_of(meridian * u + half * bend, across * (o->cosine * l) - meridian * (o->sine * u * l),
                         half * drop - h);
    return vec3_of(lane_select(north, place.x, nothing), lane_select(east, place.y, nothing),
                   lane_select(up, place.z, nothing));
}

#endif

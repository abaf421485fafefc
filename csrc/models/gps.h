/* SPDX-License-Identifier: BSD-3-Clause */
/* What a satellite receiver reports of its measured velocity and accuracy, by RflySim's rules [@rfly-safe]:
 *
 *     course     direction of the velocity, 0 to 2 pi from north to east; 0 below GPS_MINIMUM_SPEED
 *     fix type   3 (3D) up to an eph of 2 m, 2 (2D) up to 4 m, else 0
 *
 * Position and time are four unknowns: with less than four satellites a fix is of two dimensions, with less than three
 * there is none.  What a receiver has no fix of is GPS_LOST_ACCURACY accurate [@px4 v1.16.1 SensorGpsSim.cpp]. */
#ifndef RF_MODELS_GPS_H
#define RF_MODELS_GPS_H

#include "math/trig.h"

#define GPS_MINIMUM_SPEED ((real)1)   /* m/s */
#define GPS_LOST_ACCURACY ((real)100) /* m */

enum { GPS_NO_FIX = 0, GPS_2D = 2, GPS_3D = 3 };

LANE_INLINE lane gps_ground_speed(lane north, lane east)
{
    return lane_sqrt(north * north + east * east);
}

LANE_INLINE lane gps_course(lane north, lane east)
{
    lane angle = lane_atan2(east, north);
    angle = lane_select(angle < 0, angle + 2 * TRIG_PI, angle);
    return lane_select(gps_ground_speed(north, east) < GPS_MINIMUM_SPEED, lane_of(0), angle);
}

/* Words, for a horizontal accuracy [m]. */
LANE_INLINE mask gps_fix_type(lane eph)
{
    return words_select(eph <= 2, words_of(mask_true(), GPS_3D), words_of(eph <= 4, GPS_2D));
}

/* The best fix type of a number of satellites. */
LANE_INLINE mask gps_fix_of_satellites(mask satellites)
{
    return words_select(satellites >= 4, words_of(mask_true(), GPS_3D), words_of(satellites == 3, GPS_2D));
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Structs of the older functions of RflySim's model interface [@rfly-safe], and their numbers in the order of
 * the newer ones: HILSensor30d, HILGPS30d, VehileInfo60d [@rfly-framework 1.1]. */
#ifndef RF_LIBRARIES_LEGACY_H
#define RF_LIBRARIES_LEGACY_H

#include <stdint.h>

typedef struct rf_legacy_sensor {
    uint32_t time_usec;
    float accel[3], gyro[3], field[3];                          /* m/s^2, rad/s, gauss */
    float pressure, differential_pressure, height, temperature; /* mbar, mbar, m, deg C */
    uint32_t updated;
} rf_legacy_sensor;

typedef struct rf_legacy_gps {
    uint32_t time_usec;
    int32_t lat, lon, alt;     /* 1e-7 deg, mm */
    uint16_t eph, epv, speed;  /* cm, cm/s */
    int16_t north, east, down; /* cm/s */
    uint16_t course;           /* 0.01 deg */
    uint8_t fix_type, satellites;
} rf_legacy_gps;

typedef struct rf_legacy_motion {
    int32_t id, type;
    double time;
    float vel[3], pos[3], euler[3], att[4], displayed[8], accel[3], rate[3];
    double lla[3];
} rf_legacy_motion;

void rf_legacy_sensor_numbers(const rf_legacy_sensor *sensor, double *numbers);
void rf_legacy_gps_numbers(const rf_legacy_gps *gps, double *numbers);
void rf_legacy_motion_numbers(const rf_legacy_motion *motion, double *numbers);

#endif

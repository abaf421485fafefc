/* SPDX-License-Identifier: BSD-3-Clause */
/* What a model in a library measures, in the order of MAVLink's HIL_SENSOR and HIL_GPS [@rfly-framework 1.1.2], as values of the
 * sensors whose values are given (parts/sensors/kinds.h).  A template, included by vehicles/rflysim_model/step.h. */

#define MODEL_SENSORS (SENSOR_IMU | SENSOR_MAGNETOMETER | SENSOR_BAROMETER | SENSOR_AIRSPEED)

/* Writes `count` numbers times `scale` into a column of one vehicle. */
static void TYPED(put)(real *column, size_t stride, const double *values, int count, double scale)
{
    for (int i = 0; i < count; i++) column[(size_t)i * stride] = (real)(scale * values[i]);
}

/* A whole number of 0 to `most`; NaN is 0. */
static uint32_t TYPED(whole)(double value, uint32_t most)
{
    if (!(value > 0)) return 0;
    return value < most ? (uint32_t)value : most;
}

/* Units: m/s^2, rad/s, gauss, mbar, m, deg C. */
static void TYPED(measure_air_and_motion)(const block *b, size_t i, const double *sensor)
{
    const double kelvin = sensor[13] + 273.15;
    TYPED(put)(SENSORS_COLUMN(b, imu_accel) + i, b->stride, sensor + 1, 3, 1);
    TYPED(put)(SENSORS_COLUMN(b, imu_gyro) + i, b->stride, sensor + 4, 3, 1);
    TYPED(put)(SENSORS_COLUMN(b, magnetometer) + i, b->stride, sensor + 7, 3, 1e-4);
    TYPED(put)(SENSORS_COLUMN(b, barometer_pressure) + i, b->stride, sensor + 10, 1, 100);
    TYPED(put)(SENSORS_COLUMN(b, differential_pressure) + i, b->stride, sensor + 11, 1, 100);
    TYPED(put)(SENSORS_COLUMN(b, barometer_height) + i, b->stride, sensor + 12, 1, 1);
    TYPED(put)(SENSORS_COLUMN(b, barometer_temperature) + i, b->stride, &kelvin, 1, 1);
    SENSORS_WORD(b, imu_updates)[i]++;
    SENSORS_WORD(b, magnetometer_updates)[i]++;
    SENSORS_WORD(b, barometer_updates)[i]++;
    SENSORS_WORD(b, airspeed_updates)[i]++;
}

/* Units: cm, cm/s, 0.01 deg; 65535 and 255 are unknown. */
static void TYPED(measure_position)(const block *b, size_t i, const rf_library_ports *ports)
{
    const double *gps = ports->gps;
    TYPED(put)(SENSORS_COLUMN(b, gps_pos) + i, b->stride, ports->gps_pos, 3, 1);
    TYPED(put)(SENSORS_COLUMN(b, gps_vel) + i, b->stride, gps + 7, 3, 1e-2);
    TYPED(put)(SENSORS_COLUMN(b, gps_speed) + i, b->stride, gps + 6, 1, gps[6] < 65535 ? 1e-2 : 0);
    TYPED(put)
    (SENSORS_COLUMN(b, gps_course) + i, b->stride, gps + 10, 1, gps[10] < 65535 ? 1.745329252e-4 : 0);
    TYPED(put)(SENSORS_COLUMN(b, gps_reported_accuracy) + i, b->stride, gps + 4, 2, 1e-2);
    SENSORS_WORD(b, gps_fix)[i] = TYPED(whole)(gps[11], 255);
    SENSORS_WORD(b, gps_reported_satellites)[i] = gps[12] < 255 ? TYPED(whole)(gps[12], 255) : 0;
    SENSORS_WORD(b, gps_updates)[i]++;
}

/* Takes what a model measures where its values are asked for; those of the receiver where they are new. */
static void TYPED(measure)(const block *b, size_t i, rf_library *library)
{
    uint32_t *sources = SENSORS_WORD(b, sensor_sources) + i;
    uint32_t asked = *sources >> SENSORS_GIVEN & SENSORS_ALL, fresh = 0;
    if (library->able & RF_LIBRARY_SENSES && asked & MODEL_SENSORS) {
        TYPED(measure_air_and_motion)(b, i, library->ports->sensor);
        fresh = asked & MODEL_SENSORS;
    }
    if (library->ports->gps_is_new && asked & SENSOR_GPS) {
        TYPED(measure_position)(b, i, library->ports);
        library->ports->gps_is_new = 0;
        fresh |= SENSOR_GPS;
    }
    *sources |= fresh << SENSORS_OFFERED;
}

#undef MODEL_SENSORS

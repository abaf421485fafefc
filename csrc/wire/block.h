/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of the packets, for a block of vehicles at a time, as doubles for either precision. */
#ifndef RF_WIRE_BLOCK_H
#define RF_WIRE_BLOCK_H

#include "batch/batch.h"
#include "math/wgs84.h"

#define RF_WIRE_BLOCK     RF_LOCAL_FRAME_BLOCK /* vehicles */
#define RF_WIRE_ACTUATORS 16
#define RF_WIRE_FREE      32 /* outCopterData */
#define RF_WIRE_EXTENSION 16 /* ExtToUE4, ExtToPX4 */

typedef double rf_wire_values[RF_WIRE_BLOCK];

/* The columns of the estimator that rf_wire_block_use_estimate needs. */
#define RF_WIRE_ESTIMATE(X)                                                                                  \
    X(pos_est, 3)                                                                                            \
    X(vel_est, 3)                                                                                            \
    X(att_est, 4)                                                                                            \
    X(estimator_state, 1)                                                                                    \
    X(flies_on_estimate, 1)

/* Columns of a batch: X(name, maximum number of components).  `actuators` are the first input rows, of any name. */
#define RF_WIRE_COLUMNS(X)                                                                                   \
    X(pos, 3)                                                                                                \
    X(vel, 3)                                                                                                \
    X(att, 4)                                                                                                \
    X(rate, 3)                                                                                               \
    X(shown, 8)                                                                                              \
    X(actuators, RF_WIRE_ACTUATORS)                                                                          \
    X(home, 3)                                                                                               \
    X(thrust, 1)                                                                                             \
    X(armed, 1)                                                                                              \
    X(status, 1)                                                                                             \
    X(accel, 3)                                                                                              \
    X(euler, 3)                                                                                              \
    X(specific_force, 3)                                                                                     \
    X(sensors_on, 1)                                                                                         \
    X(sensor_sources, 1)                                                                                     \
    X(sensors_updated, 1)                                                                                    \
    X(imu_updates, 1)                                                                                        \
    X(imu_accel, 3)                                                                                          \
    X(imu_gyro, 3)                                                                                           \
    X(magnetometer, 3)                                                                                       \
    X(barometer_pressure, 1)                                                                                 \
    X(barometer_height, 1)                                                                                   \
    X(barometer_temperature, 1)                                                                              \
    X(differential_pressure, 1)                                                                              \
    X(indicated_airspeed, 1)                                                                                 \
    X(range_distance, 1)                                                                                     \
    X(range_valid, 1)                                                                                        \
    X(gps_updates, 1)                                                                                        \
    X(gps_pos, 3)                                                                                            \
    X(gps_vel, 3)                                                                                            \
    X(gps_speed, 1)                                                                                          \
    X(gps_course, 1)                                                                                         \
    X(gps_accuracy, 2)                                                                                       \
    X(gps_fix, 1)                                                                                            \
    X(gps_satellites, 1)                                                                                     \
    X(free_outputs, RF_WIRE_FREE)                                                                            \
    X(display_outputs, RF_WIRE_EXTENSION)                                                                    \
    X(autopilot_outputs, RF_WIRE_EXTENSION)                                                                  \
    RF_WIRE_ESTIMATE(X)

enum {
#define RF_WIRE_INDEX(name, components) RF_WIRE_##name,
    RF_WIRE_COLUMNS(RF_WIRE_INDEX)
#undef RF_WIRE_INDEX
        RF_WIRE_COLUMN_COUNT
};

/* Sets of columns. */
#define RF_WIRE_BIT(name) ((uint64_t)1 << RF_WIRE_##name)

/* A column of a batch and its memory. */
typedef struct rf_wire_column {
    const char *start; /* NULL: the batch has no such column, or its part is disabled */
    size_t component_stride;
    int components;
    bool word;
} rf_wire_column;

typedef struct rf_wire_source {
    size_t n;
    uint64_t set;
    bool single; /* float32 */
    rf_wire_column columns[RF_WIRE_COLUMN_COUNT];
    void *outputs;
} rf_wire_source;

/* Finds the columns of a set in a locked batch and computes its outputs.  Close after use. */
rf_status rf_wire_source_open(rf_batch *batch, uint64_t set, rf_wire_source *source);
void rf_wire_source_close(rf_wire_source *source);

/* Values of a block of vehicles.  Components and columns that the batch does not have are 0. */
typedef struct rf_wire_block {
    size_t n;
#define RF_WIRE_MEMBER(name, components) rf_wire_values name[components];
    RF_WIRE_COLUMNS(RF_WIRE_MEMBER)
#undef RF_WIRE_MEMBER
} rf_wire_block;

/* Loads the columns of at most RF_WIRE_BLOCK vehicles, beginning at `begin`. */
void rf_wire_block_load(rf_wire_block *block, const rf_wire_source *source, size_t begin);

/* Replaces position, velocity and Euler angles by the estimate, of vehicles that fly on it. */
void rf_wire_block_use_estimate(rf_wire_block *block);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The sensors of a block of vehicles: structs of their columns, and what they are measured from. */
#ifndef RF_PARTS_SENSORS_BLOCK_H
#define RF_PARTS_SENSORS_BLOCK_H

#include <stddef.h>

#include "base/column.h"
#include "math/vec.h"
#include "parts/sight/look.h"
#include "parts/block.h"
#include "parts/faults/held.h"
#include "parts/sensors/columns.h"
#include "parts/sensors/kinds.h"

typedef lane imu_filter[WIDTH_imu_filter];
typedef lane gps_queue[WIDTH_gps_queue];
typedef mask sensor_clocks[WIDTH_sensor_clocks];
typedef mask word;

typedef struct sensors {
    SENSORS_PART(COLUMN_MEMBER)
} sensors;

typedef struct sensors_words {
    SENSORS_PART_WORD(COLUMN_MEMBER)
} sensors_words;

/* The columns of one of them. */
typedef struct sensors_imu {
    SENSORS_IMU(COLUMN_MEMBER)
} sensors_imu;

typedef struct sensors_drift {
    SENSORS_DRIFT(COLUMN_MEMBER)
} sensors_drift;

typedef struct sensors_magnetometer {
    SENSORS_MAGNETOMETER(COLUMN_MEMBER)
} sensors_magnetometer;

typedef struct sensors_barometer {
    SENSORS_BAROMETER(COLUMN_MEMBER)
} sensors_barometer;

typedef struct sensors_airspeed {
    SENSORS_AIRSPEED(COLUMN_MEMBER)
} sensors_airspeed;

typedef struct sensors_gps {
    SENSORS_GPS(COLUMN_MEMBER)
} sensors_gps;

typedef struct sensors_range {
    SENSORS_RANGE(COLUMN_MEMBER)
} sensors_range;

typedef struct sensors_water_pressure {
    SENSORS_WATER_PRESSURE(COLUMN_MEMBER)
} sensors_water_pressure;

typedef struct sensors_dvl {
    SENSORS_DVL(COLUMN_MEMBER)
} sensors_dvl;

typedef struct sensors_acoustic {
    SENSORS_ACOUSTIC(COLUMN_MEMBER)
} sensors_acoustic;

typedef struct sensors_pose {
    SENSORS_POSE(COLUMN_MEMBER)
} sensors_pose;

/* A column of the part, by the name of its first row. */
#define SENSORS_COLUMN(b, name) PART_COLUMN(b, sensors, sensors, name)
#define SENSORS_WORD(b, name)   PART_WORD(b, sensors, sensors_words, name)

/* Loads a struct of columns that begins with the column `first`.  The compiler leaves out members that are not used. */
#define SENSORS_LOAD(s, b, first) rows_load((lane *)(s), ROWS_OF(*(s)), SENSORS_COLUMN(b, first), (b)->stride)

/* Stores the column `name` of a struct, where `due` is true. */
#define SENSORS_STORE(s, b, name, due)                                                                       \
    rows_store_where(due, (const lane *)&(s)->name, ROWS_OF((s)->name), SENSORS_COLUMN(b, name), (b)->stride)

/* Counts a sample where it is due. */
LANE_INLINE void sensors_count(uint32_t *words, mask due)
{
    words_store(words, words_load(words) + words_of(due, 1));
}

/* The water at vehicles, as sensors in it measure it. */
typedef struct sensors_water {
    int any;    /* whether there is water at the vehicles of the block; else the rest is 0 */
    lane depth; /* m: of the centre of mass below the surface at rest */
    lane head;  /* m: of the pressure of the waves there */
    lane
        sunk; /* m: how much deeper below the surface with its waves a vehicle is than one that floats at rest */
    lane altitude;    /* m: of the centre of mass over the ground */
    lane unit_weight; /* N/m^3: of the water */
} sensors_water;

/* What the sensors measure, of the vehicles of a block. */
typedef struct sensors_truth {
    vec3 pos, vel;       /* m, m/s, NED */
    rotation att;        /* FRD to NED */
    vec3 specific_force; /* m/s^2, FRD, at the centre of mass; computed for the IMU alone, as the next two */
    vec3 rate;           /* rad/s, FRD */
    vec3 angular_accel;  /* rad/s^2, FRD */
    vec3 wind;           /* m/s, NED */
    lane terrain;        /* m, z of the ground */
    range_look look;     /* what the range finder sees; for it alone */
    sensors_water water; /* of types in water, for what measures there */
    lane mean_command;   /* of the actuators, magnitude */
    mask sources;        /* the word `sensor_sources` */
    lane_int any_source; /* bits that are set in any of these words */
    lane_int at_fault;   /* sensors that faults change in any of the vehicles, as bits */
    int apart;           /* whether an IMU of the block is not at the centre of mass */
} sensors_truth;

/* How much higher than one that floats at rest a vehicle may be, until what it has below is out of the water [m]; estimated. */
#define SENSORS_KEEL ((real)0.2)

LANE_INLINE mask sensors_in_water(const sensors_truth *truth)
{
    return truth->water.any ? truth->water.sunk > -SENSORS_KEEL : mask_not(mask_true());
}

/* Where the values of a sensor come from a source. */
LANE_INLINE mask sensors_have_source(const sensors_truth *truth, lane_int sensor, int source)
{
    return words_have(truth->sources, sensor << source);
}

/* sqrt(c^2 + (a x)^2): standard deviation of noise that grows with x. */
LANE_INLINE lane sensors_deviation(lane least, lane share, lane x)
{
    return lane_sqrt(least * least + share * share * (x * x));
}

/* Clocks: those of the sensors by their bits, then that of the drifts. */
enum {
    SENSORS_CLOCK_IMU,
    SENSORS_CLOCK_MAGNETOMETER,
    SENSORS_CLOCK_BAROMETER,
    SENSORS_CLOCK_AIRSPEED,
    SENSORS_CLOCK_GPS,
    SENSORS_CLOCK_RANGE,
    SENSORS_CLOCK_WATER_PRESSURE,
    SENSORS_CLOCK_DVL,
    SENSORS_CLOCK_ACOUSTIC,
    SENSORS_CLOCK_DRIFTS = SENSORS_COUNT,
    SENSORS_REPORT /* bit of reports of the receiver, after those of the clocks */
};

/* Updates from one sample of a clock to the next, at least 1. */
LANE_INLINE mask sensors_interval(const block *b, int clock)
{
    mask period = words_load(SENSORS_WORD(b, imu_period) + (size_t)clock * b->word_stride);
    period = words_select(period == 0, words_of(mask_true(), 1), period);
    return clock == SENSORS_CLOCK_DRIFTS ? period : faults_change_interval(b, clock, period);
}

/* Time between two samples of a clock [s]. */
LANE_INLINE lane sensors_period(const block *b, int clock)
{
    return lane_of_words(sensors_interval(b, clock)) * b->period;
}

/* Whether an IMU of the block is apart from the centre of mass: only then it needs the angular acceleration. */
LANE_INLINE int sensors_imu_is_apart(const block *b)
{
    vec3 position;
    rows_load((lane *)&position, 3, SENSORS_COLUMN(b, imu_position), b->stride);
    return mask_any(norm2(position) != 0);
}

#endif

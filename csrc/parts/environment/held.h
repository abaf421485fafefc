/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment as the step of a family reads it: held values, neutral while the part is disabled. */
#ifndef RF_PARTS_ENVIRONMENT_HELD_H
#define RF_PARTS_ENVIRONMENT_HELD_H

#include <stddef.h>

#include "base/column.h"
#include "math/vec.h"
#include "models/atmosphere.h"
#include "parts/block.h"
#include "parts/environment/columns.h"
#include "parts/environment/effects.h"

typedef lane dryden_memory[WIDTH_dryden_memory];
typedef lane magnetic_matrix[WIDTH_magnetic_matrix];
typedef mask word;

typedef struct environment {
    ENVIRONMENT_PART(COLUMN_MEMBER)
} environment;

typedef struct environment_words {
    ENVIRONMENT_PART_WORD(COLUMN_MEMBER)
} environment_words;

/* A column of the part, by the name of its first row. */
#define ENVIRONMENT_COLUMN(b, name) PART_COLUMN(b, environment, environment, name)
#define ENVIRONMENT_WORD(b, name)   PART_WORD(b, environment, environment_words, name)

LANE_INLINE int environment_enabled(const block *b)
{
    return part_enabled(b, RF_PART_environment);
}

/* Wind at the vehicles [m/s, NED] for a steady wind. */
LANE_INLINE vec3 environment_wind(const block *b, vec3 steady)
{
    vec3 variation;
    if (!environment_enabled(b)) return steady;
    rows_load((lane *)&variation, ROWS_OF(vec3), ENVIRONMENT_COLUMN(b, wind_variation), b->stride);
    return add(steady, variation);
}

/* Air density over that at sea level, for aerodynamic forces. */
LANE_INLINE lane environment_density_ratio(const block *b)
{
    if (!environment_enabled(b)) return lane_of(1);
    mask on = words_have(words_load(ENVIRONMENT_WORD(b, environment_effects)), ENVIRONMENT_DENSITY);
    lane ratio = lane_load(ENVIRONMENT_COLUMN(b, air_density)) * (1 / ATMOSPHERE_DENSITY);
    return lane_select(on, ratio, lane_of(1));
}

/* Thrust of rotors over that far from the ground. */
LANE_INLINE lane environment_ground_effect(const block *b)
{
    return lane_load(ENVIRONMENT_COLUMN(b, ground_effect));
}

/* The air at the vehicles; that at sea level while the part is disabled. */
LANE_INLINE air environment_air_here(const block *b)
{
    air a = {lane_of(ATMOSPHERE_TEMPERATURE), lane_of(ATMOSPHERE_PRESSURE), lane_of(ATMOSPHERE_DENSITY),
             lane_of(ATMOSPHERE_SOUND_SPEED)};
    if (environment_enabled(b)) {
        rows_load((lane *)&a, ROWS_OF(air), ENVIRONMENT_COLUMN(b, air_temperature), b->stride);
    }
    return a;
}

/* The magnetic field at the vehicles [T, NED]; 0 while the part is disabled. */
LANE_INLINE vec3 environment_magnetic_field(const block *b)
{
    vec3 field = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    if (environment_enabled(b)) {
        rows_load((lane *)&field, ROWS_OF(vec3), ENVIRONMENT_COLUMN(b, magnetic_field), b->stride);
    }
    return field;
}

/* Gravitational acceleration [m/s^2], where it follows latitude and height, else `parameter`. */
LANE_INLINE lane environment_gravity(const block *b, lane parameter)
{
    mask on = words_have(words_load(ENVIRONMENT_WORD(b, environment_effects)), ENVIRONMENT_GRAVITY);
    return lane_select(on, lane_load(ENVIRONMENT_COLUMN(b, normal_gravity)), parameter);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The contacts as the step of a family reads them, and what it tells them. */
#ifndef RF_PARTS_COLLISION_HELD_H
#define RF_PARTS_COLLISION_HELD_H

#include <stddef.h>

#include "base/column.h"
#include "math/vec.h"
#include "parts/block.h"
#include "parts/collision/columns.h"

typedef lane per_shape[WIDTH_per_shape];
typedef lane per_shape_vec3[WIDTH_per_shape_vec3];
typedef mask per_shape_word[WIDTH_per_shape_word];
typedef mask word;

typedef struct collision {
    COLLISION_PART(COLUMN_MEMBER)
} collision;

typedef struct collision_words {
    COLLISION_PART_WORD(COLUMN_MEMBER)
} collision_words;

#define COLLISION_COLUMN(b, name) PART_COLUMN(b, collision, collision, name)

/* Where contacts carry the vehicle. */
LANE_INLINE mask collision_supports(const block *b)
{
    if (!part_enabled(b, RF_PART_collision)) return mask_not(mask_true());
    return words_load(PART_WORD(b, collision, collision_words, collision_supports)) != 0;
}

/* Actuators that collisions broke, of any vehicle of the block, as bits. */
LANE_INLINE lane_int actuators_lost(const block *b)
{
    if (!part_enabled(b, RF_PART_collision)) return 0;
    return words_any_at(PART_WORD(b, collision, collision_words, actuators_lost));
}

/* 0 for the vehicles of which collisions broke an actuator, else 1. */
LANE_INLINE lane actuator_unbroken(const block *b, int actuator)
{
    const mask lost = words_load(PART_WORD(b, collision, collision_words, actuators_lost));
    return lane_select((lost >> actuator & 1) != 0, lane_of(0), lane_of(1));
}

/* Force [N, NED] and torque [N m, FRD] of the contacts: 0 while the part is disabled. */
LANE_INLINE void collision_load(const block *b, vec3 *force, vec3 *torque)
{
    if (!part_enabled(b, RF_PART_collision)) return;
    vec3 held;
    rows_load((lane *)&held, 3, COLLISION_COLUMN(b, collision_force), b->stride);
    *force = add(*force, held);
    rows_load((lane *)&held, 3, COLLISION_COLUMN(b, collision_torque), b->stride);
    *torque = add(*torque, held);
}

/* Adds the mean accelerations by the impacts of the last update [m/s^2, NED; rad/s^2, FRD], which jumps of the velocity
 * stand for. */
LANE_INLINE void collision_add_impacts(const block *b, vec3 *accel, vec3 *angular_accel)
{
    if (!part_enabled(b, RF_PART_collision)) return;
    vec3 mean;
    rows_load((lane *)&mean, 3, COLLISION_COLUMN(b, collision_accel), b->stride);
    *accel = add(*accel, mean);
    rows_load((lane *)&mean, 3, COLLISION_COLUMN(b, collision_angular_accel), b->stride);
    *angular_accel = add(*angular_accel, mean);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of collisions of a batch, and a vehicle as a body of scene/collide.h. */
#ifndef RF_WORLD_COLLISION_COLUMNS_H
#define RF_WORLD_COLLISION_COLUMNS_H

#include "scene/collide.h"
#include "world/column.h"

/* clang-format off */

/* X(member): columns of values. */
#define COLLISION_VALUES(X)                                                                                  \
    X(pos) X(vel) X(att) X(rate)                                                                             \
    X(collision_position) X(collision_half_size) X(collision_radius) X(collision_strength)                   \
    X(collision_landing) X(collision_height) X(collision_reach)                                              \
    X(collision_friction) X(collision_restitution) X(collision_mass) X(collision_rise)                  \
    X(collision_centre) X(collision_inertia)                                                                 \
    X(collision_added_mass) X(collision_flow)                                                                \
    X(collision_force) X(collision_torque) X(collision_accel) X(collision_angular_accel)                     \
    X(collision_velocity) X(collision_rate) X(collision_speed) X(collision_place)

/* Columns of words. */
#define COLLISION_WORDS(X)                                                                                   \
    X(status) X(armed) X(random_vehicle)                                                                     \
    X(collision_enabled) X(collision_group) X(collision_touches) X(collision_supports) X(collision_acts) X(collision_tick) X(collision_place_tick) X(crashed_tick) X(collision_count)         \
    X(collision_with) X(crashed) X(crashed_with) X(actuators_lost)

/* Columns that not all batches have. */
#define COLLISION_OTHERS(X)                                                                                  \
    X(ground) X(contact_height) X(terrain_gradient) X(terrain_velocity) X(friction_reduction)

/* clang-format on */

#define COLLISION_VALUE_MEMBER(name) column name;
#define COLLISION_WORD_MEMBER(name)  uint32_t *name;

typedef struct collision_columns {
    rf_batch *batch;
    size_t vehicles; /* 0: the batch has no collisions */
    COLLISION_VALUES(COLLISION_VALUE_MEMBER)
    COLLISION_OTHERS(COLLISION_VALUE_MEMBER) /* their start may be NULL */
    COLLISION_WORDS(COLLISION_WORD_MEMBER)
    const uint32_t *actuators; /* of the first shape */
    size_t actuators_stride;   /* words from one shape to the next */
} collision_columns;

/* The ground below a vehicle. */
typedef struct collision_ground {
    double up[3];    /* unit normal */
    double above;    /* m, of the vehicle's place above the surface, along the normal */
    double standing; /* m, of the vehicle above where it stands, along the normal */
    double height;   /* m, of its centre of mass above the surface, along the normal */
    double upright;  /* cosine of the angle between its up and the normal */
    bool on_centre;  /* the vehicle has contact at its centre of mass, not at its undercarriage */
    double friction;
    double velocity[3]; /* m/s, NED */
} collision_ground;

collision_columns collision_columns_of(rf_batch *batch);

/* Reads a vehicle.  `tick` is the present one and `period` that of the stage [steps], `dt` a step [s]. */
void collider_load(const collision_columns *c, size_t row, uint32_t tick, uint32_t period, double dt,
                   rf_collider *body);

/* Reads the ground below a vehicle of a type that has some. */
void collision_ground_of(const collision_columns *c, size_t row, collision_ground *ground);

/* Breaks what a vehicle strikes the ground with at a speed [m/s]: its undercarriage, and all with it; or, where it does not come
 * down on this, all shapes that take less. */
void collider_strike(const collision_columns *c, size_t row, uint32_t tick, bool upright, double speed);

/* Writes what contacts did to it within a duration [s]. */
void collider_store(const collision_columns *c, size_t row, uint32_t tick, double duration,
                    const rf_collider *body);

/* Takes the forces of contacts from a vehicle that has nothing near. */
void collider_release(const collision_columns *c, size_t row);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of collisions.  Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_COLLISION_COLUMNS_H
#define RF_PARTS_COLLISION_COLUMNS_H

#define COLLISION_SHAPES     12
#define WIDTH_per_shape      COLLISION_SHAPES
#define WIDTH_per_shape_vec3 (3 * COLLISION_SHAPES)
#define WIDTH_per_shape_word COLLISION_SHAPES

#define COLLISION_WITH_SCENE    0x80000000u
#define COLLISION_WITH_EARLIER  0xfffffffeu
#define COLLISION_WITH_GROUND   0xffffffffu
#define COLLISION_UNDERCARRIAGE 0x80000000u

/* clang-format off */

/* X(name, value, doc) for Python. */
#define COLLISION_CODES(X)                                                                                   \
    X(COLLISION_SCENE, COLLISION_WITH_SCENE, "bit of `collision_with`: the rest is the number of a shape of the scene") \
    X(COLLISION_EARLIER, COLLISION_WITH_EARLIER, "value of `collision_with`: a shape of a scene that was there before") \
    X(COLLISION_GROUND, COLLISION_WITH_GROUND, "value of `collision_with`: the ground")                      \
    X(COLLISION_UNDERCARRIAGE, COLLISION_UNDERCARRIAGE, "bit of `crashed`: the undercarriage")

#define COLLISION_PART(X)                                                                                    \
    X(per_shape_vec3, collision_position, "m", "FRD", "middles of the shapes from the centre of mass, of ground vehicles from the ground point below: x of all shapes, then y, then z") \
    X(per_shape_vec3, collision_half_size, "m", "FRD", "half sizes of their cores, boxes along the axes of the body, or plates, rods and points: x of all shapes, then y, then z") \
    X(per_shape, collision_radius, "m", "", "what is within it of a core belongs to the shape; 0: there is no shape") \
    X(per_shape, collision_strength, "m/s", "", "impact speed along the normal from which each shape breaks; 0: never") \
    X(lane, collision_landing, "m/s", "", "descent speed from which the undercarriage breaks on the ground, and all with it; 0: never") \
    X(lane, collision_height, "m", "", "height of the position above the ground that a vehicle really stands on") \
    X(lane, collision_reach, "m", "", "distance of the farthest place of all shapes from the centre of mass") \
    X(lane, collision_friction, "1", "", "friction coefficient of the surface")                              \
    X(lane, collision_restitution, "1", "", "speed after an impact per speed before it")                     \
    X(lane, collision_mass, "kg", "", "mass when something was near")                                        \
    X(lane, collision_rise, "m", "", "height of the centre of mass without payload over the position then: of what floats where it rests") \
    X(vec3, collision_centre, "m", "FRD", "centre of mass then, with what faults and payloads move of it")   \
    X(sym3, collision_inertia, "kg m^2", "FRD", "inertia tensor about it then, in water with what this adds: xx yy zz xy xz yz") \
    X(vec3, collision_added_mass, "kg", "FRD", "mass of water that moved with the hull then")                \
    X(vec3, collision_flow, "m", "FRD", "where that acts, from the centre of mass then")                     \
    X(vec3, collision_force, "N", "NED", "force of the contacts")                                            \
    X(vec3, collision_torque, "N m", "FRD", "torque of the contacts, about the centre of mass without payload")                                        \
    X(vec3, collision_accel, "m/s^2", "NED", "mean acceleration by the impacts of the last update over its period") \
    X(vec3, collision_angular_accel, "rad/s^2", "FRD", "mean angular acceleration by them")                  \
    X(vec3, collision_velocity, "m/s", "NED", "velocity of the centre of mass after the last solution of contacts")                \
    X(vec3, collision_rate, "rad/s", "NED", "angular velocity after it")                                     \
    X(lane, collision_speed, "m/s", "", "approach along the normal of the fastest impact since the reset")   \
    X(vec3, collision_place, "m", "NED", "where the last contact was")

#define COLLISION_PART_WORD(X)                                                                               \
    X(word, collision_enabled, "bool", "", "whether the vehicle takes part in collisions")                   \
    X(word, collision_group, "1", "", "only vehicles of the same group meet")                                \
    X(per_shape_word, collision_actuators, "bits", "", "actuators that are lost where each shape breaks, from the lowest bit; 0: it is the body, and all are") \
    X(word, collision_touches, "bool", "", "whether the vehicle touches something")                          \
    X(word, collision_supports, "bool", "", "whether contacts carry the vehicle: on a roof, on another one")  \
    X(word, collision_acts, "bool", "", "whether contacts push the vehicle or broke an actuator")            \
    X(word, collision_tick, "1", "", "integrator steps before the last solution of its contacts, modulo 2^32") \
    X(word, collision_count, "1", "", "updates with an impact since the reset")                              \
    X(word, collision_with, "bits", "", "what the last contact was with: a CopterID, bit 31 and the number of a shape of the scene, or all bits: the ground; 0: none") \
    X(word, collision_place_tick, "1", "", "integrator steps before the last contact, modulo 2^32")         \
    X(word, crashed, "bits", "", "shapes that are broken, from the lowest bit; bit 31: the undercarriage")  \
    X(word, crashed_with, "bits", "", "what broke the first of them, as collision_with")                     \
    X(word, crashed_tick, "1", "", "integrator steps before it broke first, modulo 2^32")                    \
    X(word, actuators_lost, "bits", "", "actuators that collisions broke, from the lowest bit")

/* clang-format on */

#define COLLISION_INITIAL(SETTING, VALUE, STATE)                                                             \
    SETTING(collision_position, 0)                                                                           \
    SETTING(collision_half_size, 0)                                                                          \
    SETTING(collision_radius, 0)                                                                             \
    SETTING(collision_strength, 0)                                                                           \
    SETTING(collision_landing, 0)                                                                            \
    SETTING(collision_height, 0)                                                                             \
    SETTING(collision_reach, 0)                                                                              \
    SETTING(collision_friction, 0.6)                                                                         \
    SETTING(collision_restitution, 0.1)                                                                      \
    SETTING(collision_enabled, 0)                                                                            \
    SETTING(collision_group, 0)                                                                              \
    SETTING(collision_actuators, 0)

#endif

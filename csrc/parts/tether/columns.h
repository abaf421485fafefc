/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the tethers.  Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_TETHER_COLUMNS_H
#define RF_PARTS_TETHER_COLUMNS_H

/* clang-format off */

#define TETHER_PART(X)                                                                                       \
    X(lane, tether_length, "m", "", "length of the cable that is out; 0: no tether")                         \
    X(lane, tether_diameter, "m", "", "diameter of the cable")                                               \
    X(lane, tether_weight, "N/m", "", "weight of the cable in water, per length; below 0 it floats")         \
    X(lane, tether_stiffness, "N", "", "tension of the cable per strain")                                    \
    X(lane, tether_damping, "s", "", "strain of the cable that counts as much as 1/s of its change")         \
    X(pair, tether_drag, "1", "", "drag coefficients of the cable: across it, along it")                     \
    X(vec3, tether_anchor, "m", "NED", "other end of the cable, with z from the surface of the map")         \
    X(vec3, tether_anchor_vel, "m/s", "NED", "ground velocity of that end, for the drag of the cable") \
    X(vec3, tether_place, "m", "FRD", "where the cable is attached, from the centre of mass")                \
    X(vec3, tether_force, "N", "NED", "force of the cable on the vehicle")                                   \
    X(vec3, tether_torque, "N m", "FRD", "its torque about the centre of mass")                              \
    X(lane, tether_tension, "N", "", "tension of the cable at the vehicle")                                  \
    X(vec3, tether_expected, "m/s", "NED", "velocity of its end at the next update by its load alone")   \
    X(lane, tether_followed, "1", "", "1: that is of the last period, 0: of a vehicle that was set")

/* clang-format on */

#define TETHER_PART_WORD(X)
#define TETHER_INITIAL(SETTING, VALUE, STATE)                                                                \
    SETTING(tether_length, 0)                                                                                \
    SETTING(tether_diameter, 0)                                                                              \
    SETTING(tether_weight, 0)                                                                                \
    SETTING(tether_stiffness, 1)                                                                             \
    SETTING(tether_damping, 0)                                                                               \
    SETTING(tether_drag, 0)                                                                                  \
    SETTING(tether_anchor, 0)                                                                                \
    SETTING(tether_anchor_vel, 0)                                                                            \
    SETTING(tether_place, 0)

#endif

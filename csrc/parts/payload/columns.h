/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the payloads.  Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_PAYLOAD_COLUMNS_H
#define RF_PARTS_PAYLOAD_COLUMNS_H

#define WIDTH_payload_moments 6

/* clang-format off */

#define PAYLOAD_PART(X)                                                                                      \
    X(lane, payload_mass, "kg", "", "mass of the payload; 0: there is none")                                 \
    X(vec3, payload_place, "m", "FRD", "of its centre of mass, or of the upper end of its cable, from the centre of mass of the vehicle without it") \
    X(payload_moments, payload_inertia, "kg m^2", "FRD", "inertia xx, yy, zz, xy, xz, yz about its own centre of mass; without a cable") \
    X(lane, payload_cable, "m", "", "length of its whole cable; 0: it is fixed to the vehicle")                    \
    X(lane, payload_reel_speed, "m/s", "", "at most how fast its winch reels the cable in or out")           \
    X(lane, payload_drag_area, "m^2", "", "drag coefficient times area")                                     \
    X(lane, payload_volume, "m^3", "", "volume, of which the water has the buoyancy; 0: no buoyancy")        \
    X(lane, payload_friction, "1", "", "friction coefficient on the ground; without the vehicle, or on a cable") \
    X(vec3, payload_pos, "m", "NED", "position of the payload at the next update")                           \
    X(vec3, payload_vel, "m/s", "NED", "its ground velocity")                                                \
    X(lane, payload_length, "m", "", "length of the cable that is out")                                      \
    X(lane, payload_length_sp, "m", "", "length to which the winch reels it, at least 1 cm")                 \
    X(lane, payload_tension, "N", "", "tension of its cable until then")                                     \
    X(vec3, payload_force, "N", "NED", "force of its cable or of its drag on the vehicle, at `payload_place`") \
    X(vec3, payload_torque, "N m", "FRD", "torque of that")

#define PAYLOAD_PART_WORD(X)                                                                                 \
    X(word, payload_dropped, "1", "", "1: the payload is dropped")                                           \
    X(word, payload_moves, "bool", "", "whether position and velocity are states, of a payload on a cable or dropped")

/* clang-format on */

#define PAYLOAD_INITIAL(SETTING, VALUE, STATE)                                                               \
    SETTING(payload_mass, 0)                                                                                 \
    SETTING(payload_place, 0)                                                                                \
    SETTING(payload_inertia, 0)                                                                              \
    SETTING(payload_cable, 0)                                                                                \
    SETTING(payload_reel_speed, 0.5)                                                                         \
    SETTING(payload_drag_area, 0)                                                                            \
    SETTING(payload_volume, 0)                                                                               \
    SETTING(payload_friction, 0.5)                                                                           \
    STATE(payload_length, payload_cable)                                                                     \
    STATE(payload_length_sp, payload_cable)

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the waves at each vehicle.  Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_WAVES_COLUMNS_H
#define RF_PARTS_WAVES_COLUMNS_H

#define WIDTH_wave_components 24

/* clang-format off */

#define WAVES_PART(X)                                                                                        \
    X(wave_components, wave_amplitude, "m", "", "amplitude of each component of the sea")                    \
    X(wave_components, wave_number_north, "rad/m", "NED", "wave number of each component: north")            \
    X(wave_components, wave_number_east, "rad/m", "NED", "wave number of each component: east")              \
    X(wave_components, wave_frequency, "rad/s", "", "angular frequency of each component")                   \
    X(wave_components, wave_start, "rad", "", "phase of each component at a reset")                          \
    X(lane, wave_hull_length, "m", "", "length over which the hull takes the mean of the waves")             \
    X(lane, wave_hull_width, "m", "", "width over which it does")                                            \
    X(lane, wave_hull_front, "m", "", "width of it that waves from ahead meet: of all hulls together")       \
    X(lane, wave_hull_draught, "m", "", "draught, which sends waves back")                                   \
    X(wave_components, wave_phase, "rad", "", "phase of each component at the place 0, 0, at the next update") \
    X(lane, wave_height, "m", "NED", "z of the surface at the vehicle above that of water at rest")          \
    X(pair, wave_gradient, "1", "NED", "change of it per metre north, per metre east")                       \
    X(vec3, wave_velocity, "m/s", "NED", "velocity of the water at the vehicle by the waves")                \
    X(vec3, wave_accel, "m/s^2", "NED", "its change in time")                                                \
    X(pair, wave_drift, "m^3", "NED", "mean force of the waves over density and gravity: north, east")       \
    X(lane, wave_head, "m", "", "head of the pressure of the waves at the vehicle")             \
    X(lane, wave_head_square, "m^2", "", "mean square of this head")

#define WAVES_PART_WORD(X) X(word, wave_count, "1", "", "number of components of the sea; 0: calm")

/* clang-format on */

#define WAVES_INITIAL(SETTING, VALUE, STATE)                                                                 \
    SETTING(wave_amplitude, 0)                                                                               \
    SETTING(wave_number_north, 0)                                                                            \
    SETTING(wave_number_east, 0)                                                                             \
    SETTING(wave_frequency, 0)                                                                               \
    SETTING(wave_start, 0)                                                                                   \
    SETTING(wave_hull_length, 0)                                                                             \
    SETTING(wave_hull_width, 0)                                                                              \
    SETTING(wave_hull_front, 0)                                                                              \
    SETTING(wave_hull_draught, 0)                                                                            \
    STATE(wave_phase, wave_start)                                                                            \
    SETTING(wave_count, 0)

#endif

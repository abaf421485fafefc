/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the environment: settings, the state of the air at each vehicle, which a step holds constant, and memory.
 * Macros only: the lists are expanded in enums and tables.
 *
 * The order is load-bearing: update.h loads and stores runs of neighbours, so a new column goes into the run of its kind:
 *
 *     settings, from temperature_offset up to air_temperature      loaded
 *     results, from air_temperature up to magnetic_cell_date       stored
 *     the magnetic cell, from there up to turbulence_memory        loaded where the magnetic field is on */
#ifndef RF_PARTS_ENVIRONMENT_COLUMNS_H
#define RF_PARTS_ENVIRONMENT_COLUMNS_H

#define WIDTH_dryden_memory   5
#define WIDTH_magnetic_matrix 9

/* clang-format off */

#define ENVIRONMENT_PART(X)                                                                              \
    X(lane, temperature_offset, "K", "", "temperature of the air above that of the standard atmosphere") \
    X(lane, sea_level_pressure, "Pa", "", "air pressure at sea level")                                   \
    X(lane, shear_height, "m", "", "height above ground of the steady wind `wind`, if it has shear")     \
    X(lane, shear_roughness, "m", "", "roughness length of the ground")                                  \
    X(vec3, gust, "m/s", "NED", "amplitude of the gust")                                                 \
    X(vec3, gust_times, "s", "", "duration of the gust's rise, hold and fall")                           \
    X(lane, gust_delay, "s", "", "time until the gust begins, from the last reset or `set_gust`")        \
    X(lane, turbulence_wind, "m/s", "", "wind 20 ft above ground, which sets the turbulence below 2000 ft") \
    X(lane, turbulence_min_speed, "m/s", "", "minimum airspeed at which turbulence is met")              \
    X(lane, magnetic_date, "a", "", "date of the magnetic field, a decimal year")                        \
    X(lane, rotor_radius, "m", "", "radius of the rotors, for the ground effect")                        \
    X(lane, hub_height, "m", "", "height of the rotors' hubs above `pos`, for the ground effect")         \
    X(lane, air_temperature, "K", "", "temperature of the air")                                          \
    X(lane, air_pressure, "Pa", "", "static pressure of the air")                                        \
    X(lane, air_density, "kg/m^3", "", "density of the air")                                             \
    X(lane, sound_speed, "m/s", "", "speed of sound")                                                    \
    X(lane, normal_gravity, "m/s^2", "", "gravitational acceleration at the vehicle's latitude and height") \
    X(lane, ground_effect, "1", "", "thrust of the rotors over that far from the ground")                \
    X(vec3, wind_variation, "m/s", "NED", "wind velocity at the vehicle less `wind`: shear, gust, turbulence") \
    X(vec3, magnetic_field, "T", "NED", "magnetic flux density of the earth")                            \
    X(lane, magnetic_cell_date, "a", "", "date of the cell in which the magnetic field is linear; 0: none") \
    X(vec3, magnetic_cell, "m", "NED", "middle of that cell")       \
    X(vec3, magnetic_cell_field, "T", "NED", "magnetic field in the middle of the cell")                 \
    X(magnetic_matrix, magnetic_gradient, "T/m", "NED", "change of each component north, east, down in the cell") \
    X(dryden_memory, turbulence_memory, "1", "", "state of the turbulence filters: along the wind, two across, two vertical")

#define ENVIRONMENT_PART_WORD(X)                                                                         \
    X(word, environment_effects, "bits", "", "effects that are on, a pyrfly.protocol.bits.Effect")       \
    X(word, turbulence_severity, "1", "", "turbulence above 2000 ft: 0 none, 1 light, 2 moderate, 3 severe") \
    X(word, gust_updates, "1", "", "number of updates since the last reset or `set_gust`")               \
    X(word, environment_limits, "bits", "", "1: outside of the atmosphere's heights; the nearest end counts")

/* clang-format on */

/* Standard atmosphere at sea level; heights of [@mil-f-8785c 3.7]; the beginning of the magnetic model; a minimum
 * airspeed that is estimated. */
#define ENVIRONMENT_INITIAL(SETTING, VALUE, STATE)                                                           \
    SETTING(temperature_offset, 0)                                                                           \
    SETTING(sea_level_pressure, 101325)                                                                      \
    SETTING(shear_height, 6.096)                                                                             \
    SETTING(shear_roughness, 0.04572)                                                                        \
    SETTING(gust, 0)                                                                                         \
    SETTING(gust_times, 1)                                                                                   \
    SETTING(gust_delay, 0)                                                                                   \
    SETTING(turbulence_wind, 0)                                                                              \
    SETTING(turbulence_min_speed, 1)                                                                         \
    SETTING(magnetic_date, 2025)                                                                             \
    SETTING(rotor_radius, 0)                                                                                 \
    SETTING(hub_height, 0)                                                                                   \
    SETTING(environment_effects, 0)                                                                          \
    SETTING(turbulence_severity, 0)                                                                          \
    VALUE(air_temperature, 288.15)                                                                           \
    VALUE(air_pressure, 101325)                                                                              \
    VALUE(air_density, 1.225)                                                                                \
    VALUE(sound_speed, 340.294)                                                                              \
    VALUE(normal_gravity, 9.80665)                                                                           \
    VALUE(ground_effect, 1)

#endif

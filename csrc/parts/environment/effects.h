/* SPDX-License-Identifier: BSD-3-Clause */
/* Effects of the environment, the bits of `environment_effects`. */
#ifndef RF_PARTS_ENVIRONMENT_EFFECTS_H
#define RF_PARTS_ENVIRONMENT_EFFECTS_H

/* clang-format off */
#define ENVIRONMENT_EFFECTS(X)                                                                               \
    X(ATMOSPHERE, 0, "air_temperature, air_pressure, air_density and sound_speed follow the height")         \
    X(DENSITY, 1, "aerodynamic forces are in proportion to air_density")                                     \
    X(SHEAR, 2, "the steady wind grows with the height above ground")                                        \
    X(GUST, 3, "a gust")                                                                                     \
    X(TURBULENCE, 4, "Dryden turbulence")                                                                    \
    X(MAGNETIC, 5, "magnetic_field is that of the World Magnetic Model")                                     \
    X(GRAVITY, 6, "gravity follows latitude and height, instead of the parameter gravity")                   \
    X(GROUND_EFFECT, 7, "the thrust of rotors grows near the ground")                      \
    X(DOWNWASH, 8, "the air that rotors move meets the vehicles below")
/* clang-format on */

#define ENVIRONMENT_EFFECT_ENUM(name, bit, doc) ENVIRONMENT_##name = 1 << (bit),

enum environment_effect { ENVIRONMENT_EFFECTS(ENVIRONMENT_EFFECT_ENUM) };

#endif

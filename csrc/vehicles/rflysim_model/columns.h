/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a model in a library with RflySim's functions: what it tells of its motion, and the commands it gets. */
#ifndef RF_VEHICLES_RFLYSIM_MODEL_COLUMNS_H
#define RF_VEHICLES_RFLYSIM_MODEL_COLUMNS_H

#include "vehicles/body/columns.h"

#define WIDTH_command_port 16

/* clang-format off */

#define RFLYSIM_MODEL_STATE(X)                                                                           \
    BODY_STATE(X)                                                                                        \
    X(vec3, model_accel, "m/s^2", "FRD", "acceleration relative to the ground, as the model tells it")   \
    X(octet, model_display, "1/min or rad", "", "rotor speeds and surface angles that the model shows")  \
    X(lane, model_time, "s", "", "time of the model")

#define RFLYSIM_MODEL_INPUT(X)                                                                           \
    X(command_port, command, "1", "", "actuator commands, RflySim's inPWMs, -1 to 1")                    \
    BODY_INPUT(X)

#define RFLYSIM_MODEL_PARAM(X)                                                                           \
    X(lane, mass, "kg", "", "mass")                                                                      \
    X(lane, gravity, "m/s^2", "", "gravitational acceleration")

#define RFLYSIM_MODEL_GAIN(X)
#define RFLYSIM_MODEL_SETPOINT(X)
#define RFLYSIM_MODEL_CONTROLLER(X)
#define RFLYSIM_MODEL_FLAG(X)   BODY_FLAG(X)
#define RFLYSIM_MODEL_OUTPUT(X) BODY_OUTPUT(X)

/* clang-format on */

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns that a model with the functions of pyrfly_model.h has besides its own, in the order that header lists them. */
#ifndef RF_VEHICLES_OWN_MODEL_COLUMNS_H
#define RF_VEHICLES_OWN_MODEL_COLUMNS_H

#include "vehicles/body/columns.h"
#include "vehicles/hovering/columns.h"

#define WIDTH_own_commands 16

/* clang-format off */

#define OWN_MODEL_STATE(X) BODY_STATE(X)

#define OWN_MODEL_INPUT(X)                                                                               \
    X(own_commands, command, "1", "", "actuator commands, -1 to 1")                                      \
    BODY_INPUT(X)

#define OWN_MODEL_PARAM(X)                                                                               \
    X(lane, mass, "kg", "", "mass")                                                                      \
    X(lane, gravity, "m/s^2", "", "gravitational acceleration")                                          \
    X(sym3, inertia, "kg m^2", "FRD", "inertia tensor about the centre of mass: xx yy zz xy xz yz")

#define OWN_MODEL_GAIN(X)       HOVERING_COMMAND_LIMITS(X)
#define OWN_MODEL_SETPOINT(X)   HOVERING_SETPOINT(X)
#define OWN_MODEL_CONTROLLER(X)
#define OWN_MODEL_FLAG(X)       BODY_FLAG(X)
#define OWN_MODEL_OUTPUT(X)     BODY_OUTPUT(X)

/* clang-format on */

#endif

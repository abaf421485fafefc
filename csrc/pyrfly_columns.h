/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a model of one's own from lists, in C and C++: rows to compute with, and the table.
 *
 * A model includes this after the lists of its columns, each with a row X(name, width, unit, frame, doc, start...): a macro
 * OWN_STATE(X), OWN_INPUT(X), OWN_PARAM(X), OWN_GAIN(X), OWN_SETPOINT(X), OWN_CONTROLLER(X), OWN_SENSOR(X) or OWN_OUTPUT(X).  A
 * list that it has no use for it leaves out.  SHARED(X) has rows X(name, width, start...) of columns that all vehicles have,
 * `mass` among them.  It gives
 *
 *     STATE_OF(name), INPUT_OF(name), ...    the first row of a column, as the rows of pyrfly_model.h
 *     PYRFLY_MODEL(name, doc, actuators, derivative, finish, outputs, control, sense)    the function of the library; NULL
 *                                            for a function that the model does not have */
#ifndef PYRFLY_COLUMNS_H
#define PYRFLY_COLUMNS_H

#include "pyrfly_model.h"

#ifndef OWN_STATE
#define OWN_STATE(X)
#endif
#ifndef OWN_INPUT
#define OWN_INPUT(X)
#endif
#ifndef OWN_PARAM
#define OWN_PARAM(X)
#endif
#ifndef OWN_GAIN
#define OWN_GAIN(X)
#endif
#ifndef OWN_SETPOINT
#define OWN_SETPOINT(X)
#endif
#ifndef OWN_CONTROLLER
#define OWN_CONTROLLER(X)
#endif
#ifndef OWN_SENSOR
#define OWN_SENSOR(X)
#endif
#ifndef OWN_OUTPUT
#define OWN_OUTPUT(X)
#endif
#ifndef SHARED
#error "define SHARED(X) with the rows of mass and inertia"
#endif

/* A struct with a byte for each row: their places are the rows.  The first member keeps it from being empty. */
#define PYRFLY_BYTES(name, width, ...) char name[width];
#define PYRFLY_ROWS(role, list)                                                                              \
    struct pyrfly_##role##_rows {                                                                            \
        char pyrfly_before;                                                                                  \
        list(PYRFLY_BYTES)                                                                                   \
    };
#define PYRFLY_ROW_OF(role, first, name) (offsetof(struct pyrfly_##role##_rows, name) - 1 + (size_t)(first))

PYRFLY_ROWS(state, OWN_STATE)
PYRFLY_ROWS(input, OWN_INPUT)
PYRFLY_ROWS(param, OWN_PARAM)
PYRFLY_ROWS(gain, OWN_GAIN)
PYRFLY_ROWS(setpoint, OWN_SETPOINT)
PYRFLY_ROWS(controller, OWN_CONTROLLER)
PYRFLY_ROWS(sensor, OWN_SENSOR)
PYRFLY_ROWS(output, OWN_OUTPUT)

#define STATE_OF(name)      PYRFLY_ROW_OF(state, PYRFLY_OWN_STATE, name)
#define INPUT_OF(name)      PYRFLY_ROW_OF(input, PYRFLY_OWN_INPUT, name)
#define PARAM_OF(name)      PYRFLY_ROW_OF(param, PYRFLY_OWN_PARAM, name)
#define GAIN_OF(name)       PYRFLY_ROW_OF(gain, PYRFLY_OWN_GAIN, name)
#define SETPOINT_OF(name)   PYRFLY_ROW_OF(setpoint, PYRFLY_OWN_SETPOINT, name)
#define CONTROLLER_OF(name) PYRFLY_ROW_OF(controller, PYRFLY_OWN_CONTROLLER, name)
#define SENSOR_OF(name)     PYRFLY_ROW_OF(sensor, PYRFLY_OWN_SENSOR, name)
#define OUTPUT_OF(name)     PYRFLY_ROW_OF(output, PYRFLY_OWN_OUTPUT, name)

#define PYRFLY_START(name, width, unit, frame, doc, ...)                                                     \
    static const double pyrfly_start_##name[width] = {__VA_ARGS__};
#define PYRFLY_SHARED_START(name, width, ...) static const double pyrfly_start_##name[width] = {__VA_ARGS__};

#define PYRFLY_COLUMN(role, name, width, unit, frame, doc)                                                   \
    {#name, unit, frame, doc, pyrfly_start_##name, role, width},
#define PYRFLY_STATE_COLUMN(name, width, unit, frame, doc, ...)                                              \
    PYRFLY_COLUMN(PYRFLY_STATE, name, width, unit, frame, doc)
#define PYRFLY_INPUT_COLUMN(name, width, unit, frame, doc, ...)                                              \
    PYRFLY_COLUMN(PYRFLY_INPUT, name, width, unit, frame, doc)
#define PYRFLY_PARAM_COLUMN(name, width, unit, frame, doc, ...)                                              \
    PYRFLY_COLUMN(PYRFLY_PARAM, name, width, unit, frame, doc)
#define PYRFLY_GAIN_COLUMN(name, width, unit, frame, doc, ...)                                               \
    PYRFLY_COLUMN(PYRFLY_GAIN, name, width, unit, frame, doc)
#define PYRFLY_SETPOINT_COLUMN(name, width, unit, frame, doc, ...)                                           \
    PYRFLY_COLUMN(PYRFLY_SETPOINT, name, width, unit, frame, doc)
#define PYRFLY_CONTROLLER_COLUMN(name, width, unit, frame, doc, ...)                                         \
    PYRFLY_COLUMN(PYRFLY_CONTROLLER, name, width, unit, frame, doc)
#define PYRFLY_SENSOR_COLUMN(name, width, unit, frame, doc, ...)                                             \
    PYRFLY_COLUMN(PYRFLY_SENSOR, name, width, unit, frame, doc)
#define PYRFLY_OUTPUT_COLUMN(name, width, unit, frame, doc, ...)                                             \
    PYRFLY_COLUMN(PYRFLY_OUTPUT, name, width, unit, frame, doc)
#define PYRFLY_SHARED_COLUMN(name, width, ...) PYRFLY_COLUMN(PYRFLY_SHARED, name, width, "", "", "")

#define PYRFLY_MODEL(own_name, own_doc, actuators, derivative, finish, outputs, control, sense)              \
    OWN_STATE(PYRFLY_START)                                                                                  \
    OWN_INPUT(PYRFLY_START)                                                                                  \
    OWN_PARAM(PYRFLY_START)                                                                                  \
    OWN_GAIN(PYRFLY_START)                                                                                   \
    OWN_SETPOINT(PYRFLY_START)                                                                               \
    OWN_CONTROLLER(PYRFLY_START)                                                                             \
    OWN_SENSOR(PYRFLY_START)                                                                                 \
    OWN_OUTPUT(PYRFLY_START)                                                                                 \
    SHARED(PYRFLY_SHARED_START)                                                                              \
    static const pyrfly_column pyrfly_own_columns[] = {                                                      \
        OWN_STATE(PYRFLY_STATE_COLUMN) OWN_INPUT(PYRFLY_INPUT_COLUMN) OWN_PARAM(PYRFLY_PARAM_COLUMN)         \
            OWN_GAIN(PYRFLY_GAIN_COLUMN) OWN_SETPOINT(PYRFLY_SETPOINT_COLUMN)                                \
                OWN_CONTROLLER(PYRFLY_CONTROLLER_COLUMN) OWN_SENSOR(PYRFLY_SENSOR_COLUMN)                    \
                    OWN_OUTPUT(PYRFLY_OUTPUT_COLUMN) SHARED(PYRFLY_SHARED_COLUMN)};                          \
    static const pyrfly_model pyrfly_own_model = {                                                           \
        PYRFLY_MODEL_ABI,                                                                                    \
        (uint32_t)sizeof(pyrfly_model),                                                                      \
        (uint32_t)sizeof(pyrfly_column),                                                                     \
        (uint32_t)sizeof(pyrfly_block),                                                                      \
        (uint32_t)(sizeof pyrfly_own_columns / sizeof(pyrfly_column)),                                       \
        actuators,                                                                                           \
        own_name,                                                                                            \
        own_doc,                                                                                             \
        pyrfly_own_columns,                                                                                  \
        derivative,                                                                                          \
        finish,                                                                                              \
        outputs,                                                                                             \
        control,                                                                                             \
        sense,                                                                                               \
        NULL};                                                                                               \
    const pyrfly_model *pyrfly_model_entry(uint32_t abi)                                                     \
    {                                                                                                        \
        return abi < PYRFLY_MODEL_ABI ? NULL : &pyrfly_own_model;                                            \
    }

#endif

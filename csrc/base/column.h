/* SPDX-License-Identifier: BSD-3-Clause */
/* A column: one named quantity of every vehicle of a batch.  Vehicle types and parts are tables of columns;
 * allocation, reset, snapshots, NumPy views, help texts and stubs follow from these rows.
 *
 * A table is declared as a list: a macro that applies X(type, name, unit, frame, doc) to each column.  It is expanded
 * twice: into the members of a struct of lanes, where the kernels are compiled, and with the macros below into rows.
 * WIDTH_type is the number of values of a type. */
#ifndef RF_BASE_COLUMN_H
#define RF_BASE_COLUMN_H

#include <stdint.h>

/* In the order in which a batch stores them. */
typedef enum rf_role {
    RF_ROLE_STATE,      /* integrated by the step */
    RF_ROLE_INPUT,      /* read by the step; the actuator commands come first */
    RF_ROLE_PARAM,      /* constant during a step */
    RF_ROLE_GAIN,       /* parameters of the controllers */
    RF_ROLE_SETPOINT,   /* tracked by the controllers */
    RF_ROLE_CONTROLLER, /* controller state */
    RF_ROLE_SENSOR,     /* what the own sensors of a model measure, and their state */
    RF_ROLE_FLAG,       /* 32-bit words: modes and fault flags */
    RF_ROLE_OUTPUT,     /* computed from the others when read, not stored */
    RF_ROLE_PART,       /* of an optional part, stored while it is enabled */
    RF_ROLE_PART_WORD,  /* the same, 32-bit words */
    RF_ROLE_COUNT
} rf_role;

typedef struct rf_column {
    const char *name;
    const char *unit;  /* SI; "1" for none */
    const char *frame; /* "NED", "FRD", "FRD to NED", or "" */
    const char *doc;   /* a noun phrase */
    uint16_t width;    /* values per vehicle */
    uint8_t role;      /* an rf_role */
} rf_column;

#define WIDTH_lane    1
#define WIDTH_word    1
#define WIDTH_pair    2
#define WIDTH_vec3    3
#define WIDTH_quat    4
#define WIDTH_quartet 4
#define WIDTH_sym3    6
#define WIDTH_octet   8
#define WIDTH_matrix  9

#define COLUMN_ROW(type, name, unit, frame, doc, role) {#name, unit, frame, doc, WIDTH_##type, role},
#define STATE_ROW(type, name, unit, frame, doc)        COLUMN_ROW(type, name, unit, frame, doc, RF_ROLE_STATE)
#define INPUT_ROW(type, name, unit, frame, doc)        COLUMN_ROW(type, name, unit, frame, doc, RF_ROLE_INPUT)
#define PARAM_ROW(type, name, unit, frame, doc)        COLUMN_ROW(type, name, unit, frame, doc, RF_ROLE_PARAM)
#define GAIN_ROW(type, name, unit, frame, doc)         COLUMN_ROW(type, name, unit, frame, doc, RF_ROLE_GAIN)
#define SETPOINT_ROW(type, name, unit, frame, doc)     COLUMN_ROW(type, name, unit, frame, doc, RF_ROLE_SETPOINT)
#define CONTROLLER_ROW(type, name, unit, frame, doc)                                                         \
    COLUMN_ROW(type, name, unit, frame, doc, RF_ROLE_CONTROLLER)
#define FLAG_ROW(type, name, unit, frame, doc)   COLUMN_ROW(type, name, unit, frame, doc, RF_ROLE_FLAG)
#define OUTPUT_ROW(type, name, unit, frame, doc) COLUMN_ROW(type, name, unit, frame, doc, RF_ROLE_OUTPUT)
#define PART_ROW(type, name, unit, frame, doc)   COLUMN_ROW(type, name, unit, frame, doc, RF_ROLE_PART)
#define PART_WORD_ROW(type, name, unit, frame, doc)                                                          \
    COLUMN_ROW(type, name, unit, frame, doc, RF_ROLE_PART_WORD)

/* A member of the struct of a list. */
#define COLUMN_MEMBER(type, name, unit, frame, doc) type name;

/* Pasting after macro expansion, for names made of a type's name. */
#define RF_JOIN_TOKENS(a, b) a##_##b
#define RF_JOIN(a, b)        RF_JOIN_TOKENS(a, b)

#endif

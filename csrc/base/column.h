/* SPDX-License-Identifier: BSD-3-Clause */
/* A column: one named quantity of every vehicle of a batch.  Vehicle types are tables of columns; allocation,
 * reset, snapshots, NumPy views, help texts and docs/fields.md all follow from these rows. */
#ifndef RF_BASE_COLUMN_H
#define RF_BASE_COLUMN_H

#include <stdint.h>

/* In the order in which a batch stores them. */
typedef enum rf_role {
    RF_ROLE_STATE,          /* integrated by the step */
    RF_ROLE_INPUT,          /* read by the step, written by the user or the controllers */
    RF_ROLE_PARAM,          /* constant during a step */
    RF_ROLE_GAIN,           /* parameters of the controllers */
    RF_ROLE_SETPOINT,       /* what the controllers are asked to do */
    RF_ROLE_CONTROLLER,     /* memory of the controllers */
    RF_ROLE_FLAG,           /* 32-bit words: modes and status */
    RF_ROLE_OUTPUT,         /* computed from the others when asked for, not stored */
    RF_ROLE_NAVIGATOR,      /* ports and memory of the navigator, stored when it is enabled */
    RF_ROLE_NAVIGATOR_WORD, /* the same, 32-bit words */
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

#endif

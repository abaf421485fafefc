/* SPDX-License-Identifier: BSD-3-Clause */
/* The vehicle types of the core: one table row each, made from types.inc. */
#ifndef RF_VEHICLES_REGISTRY_H
#define RF_VEHICLES_REGISTRY_H

#include <stdbool.h>

#include "base/column.h"

typedef struct rf_vehicle_type {
    const char *name;
    const char *family;
    const char *doc;
    int actuators; /* actuator commands, which are the first input rows */
    bool plain;    /* it has a plain model beside the full one */
    bool guided;   /* it has control loops and a guidance for the navigator */
    const rf_column
        *columns; /* in the order of rf_role, as a batch stores them; those of parts are not among them */
    int column_count;
} rf_vehicle_type;

/* The order is that of every kernel table. */
extern const rf_vehicle_type rf_vehicle_types[];
extern const int rf_vehicle_type_count;

/* Index of the type of that name, or -1. */
int rf_vehicle_type_find(const char *name);

/* Values (of every column of a role) per vehicle. */
int rf_vehicle_role_width(const rf_vehicle_type *type, rf_role role);

#endif

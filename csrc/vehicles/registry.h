/* SPDX-License-Identifier: BSD-3-Clause */
/* The vehicle types of the core: one table row each. */
#ifndef RF_VEHICLES_REGISTRY_H
#define RF_VEHICLES_REGISTRY_H

#include <stddef.h>

#include "base/column.h"

typedef struct rf_vehicle_type {
    const char *name;
    const char *doc;
    int rotors;
    const rf_column *columns; /* in the order of rf_role, as a batch stores them */
    int column_count;
} rf_vehicle_type;

/* In the order of rf_vehicle_types and of every kernel table. */
enum {
    RF_QUAD_X,
    RF_ROTORS_3,
    RF_ROTORS_4,
    RF_ROTORS_6,
    RF_ROTORS_8,
    RF_ROTORS_16,
    RF_VEHICLE_TYPE_COUNT,
};

extern const rf_vehicle_type rf_vehicle_types[RF_VEHICLE_TYPE_COUNT];

/* Index of the type of that name, or -1. */
int rf_vehicle_type_find(const char *name);

/* Values (of every column of a role) per vehicle. */
int rf_vehicle_role_width(const rf_vehicle_type *type, rf_role role);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The vehicle types of the core, one table row each, expanded from types.inc. */
#ifndef RF_VEHICLES_REGISTRY_H
#define RF_VEHICLES_REGISTRY_H

#include <stdbool.h>

#include "base/column.h"

/* Columns of the law by which motors carry a level vehicle, k1 w + k2 w^2 with w = w(throttle) of models/motor_curve.h,
 * and those of it as the controllers assume; NULL where motors do not carry it so. */
typedef struct rf_hover_columns {
    const char *curve, *known_curve;
    const char *thrust, *known_thrust; /* k1 and k2 of all rotors alike, or k1 of each rotor, then k2 */
    const char *axis; /* unit vectors of the thrusts: x of all rotors, then y, z; NULL: all upwards */
    bool alike;
} rf_hover_columns;

/* A number of the sources of a type that Python computes with, too. */
typedef struct rf_constant {
    const char *name;
    double value;
} rf_constant;

typedef struct rf_vehicle_type {
    const char *name;
    const char *family;
    const char *doc;
    int actuators; /* actuator commands, which are the first input rows */
    bool plain;    /* has a plain model besides the full one */
    bool extended; /* external loads, slopes and moving ground act on it */
    bool flies;    /* aerodynamic forces carry it */
    bool guided;   /* has control loops and a guidance for the navigator */
    rf_hover_columns hover;
    const rf_constant *constants; /* the last one has no name; or NULL */
    const rf_column *columns;     /* in the order of rf_role, without those of parts */
    int column_count;
    const struct rf_own_model *own; /* of a model of one's own (base/own_model.h), or NULL */
} rf_vehicle_type;

/* The types: those of types.inc, in the order of all kernel tables, then those that were added. */
extern const int rf_vehicle_own_types; /* number of those of types.inc */
int rf_vehicle_type_count(void);
const rf_vehicle_type *rf_vehicle_type_at(int index);

/* Index of the type of that name, or -1. */
int rf_vehicle_type_find(const char *name);

/* Adds a type, which lives as long as the process; its index, or -1 where there are RF_ADDED_TYPES already.  For one thread at a
 * time. */
int rf_vehicle_type_add(const rf_vehicle_type *type);
#define RF_ADDED_TYPES 1024

/* Values per vehicle of all columns of a role. */
int rf_vehicle_role_width(const rf_vehicle_type *type, rf_role role);

#endif

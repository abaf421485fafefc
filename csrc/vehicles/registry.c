/* SPDX-License-Identifier: BSD-3-Clause */
#include "vehicles/registry.h"

#include <string.h>

#define RF_EACH_TYPE "vehicles/type_columns.inc"
#include "vehicles/types.inc"
#undef RF_EACH_TYPE

static const rf_vehicle_type own_types[] = {
#define RF_EACH_TYPE "vehicles/type_row.inc"
#include "vehicles/types.inc"
#undef RF_EACH_TYPE
};

const int rf_vehicle_own_types = sizeof own_types / sizeof *own_types;

static const rf_vehicle_type *added_types[RF_ADDED_TYPES];
static int added_count;

int rf_vehicle_type_count(void)
{
    return rf_vehicle_own_types + added_count;
}

const rf_vehicle_type *rf_vehicle_type_at(int index)
{
    return index < rf_vehicle_own_types ? &own_types[index] : added_types[index - rf_vehicle_own_types];
}

int rf_vehicle_type_find(const char *name)
{
    for (int i = 0; i < rf_vehicle_type_count(); i++) {
        if (strcmp(rf_vehicle_type_at(i)->name, name) == 0) return i;
    }
    return -1;
}

int rf_vehicle_type_add(const rf_vehicle_type *type)
{
    if (added_count == RF_ADDED_TYPES) return -1;
    added_types[added_count] = type;
    return rf_vehicle_own_types + added_count++;
}

int rf_vehicle_role_width(const rf_vehicle_type *type, rf_role role)
{
    int width = 0;
    for (int i = 0; i < type->column_count; i++) {
        if (type->columns[i].role == role) width += type->columns[i].width;
    }
    return width;
}

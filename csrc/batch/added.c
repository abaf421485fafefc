/* SPDX-License-Identifier: BSD-3-Clause */
/* Types that are added to those of the core, and their kernels. */
#include <string.h>

#include "batch/simd.h"

#define RF_EACH_TYPE "vehicles/type_columns.inc"
#include "vehicles/added.inc"
#undef RF_EACH_TYPE

static const rf_vehicle_type types[] = {
#define RF_EACH_TYPE "vehicles/type_row.inc"
#include "vehicles/added.inc"
#undef RF_EACH_TYPE
};

#define KERNELS(set_name) RF_JOIN(RF_JOIN(rf_kernels, TYPE), set_name)
#define RF_EACH_TYPE      "batch/added_extern.inc"
#include "vehicles/added.inc"
#undef RF_EACH_TYPE

static const rf_type_kernels type_kernels[][2] = {
#define RF_EACH_TYPE "batch/added_entry.inc"
#include "vehicles/added.inc"
#undef RF_EACH_TYPE
};

static const rf_type_kernels *kernels_of_added[RF_ADDED_TYPES];

int rf_type_add(const rf_vehicle_type *type, const rf_type_kernels *kernels)
{
    const int index = rf_vehicle_type_add(type);
    if (index >= 0) kernels_of_added[index - rf_vehicle_own_types] = kernels;
    return index;
}

int rf_type_add_own(const char *name)
{
    const int known = rf_vehicle_type_find(name);
    if (known >= 0) return known;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].name, name) == 0) return rf_type_add(&types[i], type_kernels[i]);
    }
    return -1;
}

const rf_kernel_set *rf_kernels_of(const rf_simd *simd, int precision, int type)
{
    if (type < rf_vehicle_own_types) return simd->kernels[precision][type];
    const rf_type_kernels *base = kernels_of_added[type - rf_vehicle_own_types];
    for (const rf_type_kernels *one = base; one->set != NULL; one++) {
        if (strcmp(one->set, simd->name) == 0) return one->of[precision];
    }
    return base->of[precision];
}

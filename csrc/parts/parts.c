/* SPDX-License-Identifier: BSD-3-Clause */
#include "parts/parts.h"

#include <string.h>

#define PART_SETTING(column, value) {#column, NULL, value, true},
#define PART_VALUE(column, value)   {#column, NULL, value, false},
#define PART_STATE(column, state)   {#column, #state, 0, false},

#define RF_EACH_PART "parts/part_header.inc"
#include "parts/parts.inc"
#undef RF_EACH_PART

#define RF_EACH_PART "parts/part_columns.inc"
#include "parts/parts.inc"
#undef RF_EACH_PART

const rf_part rf_parts[RF_PART_COUNT] = {
#define RF_EACH_PART "parts/part_row.inc"
#include "parts/parts.inc"
#undef RF_EACH_PART
};

int rf_part_find(const char *name)
{
    for (int i = 0; i < RF_PART_COUNT; i++) {
        if (strcmp(rf_parts[i].name, name) == 0) return i;
    }
    return -1;
}

const rf_part_initial *rf_part_initial_of(const rf_part *part, const char *column)
{
    for (const rf_part_initial *row = part->initial; row->column != NULL; row++) {
        if (strcmp(row->column, column) == 0) return row;
    }
    return NULL;
}

bool rf_part_is_setting(const rf_part *part, const char *column)
{
    const rf_part_initial *initial = rf_part_initial_of(part, column);
    return initial != NULL && initial->setting;
}

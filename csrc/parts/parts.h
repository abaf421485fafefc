/* SPDX-License-Identifier: BSD-3-Clause */
/* The optional parts, one table row each, expanded from parts.inc. */
#ifndef RF_PARTS_PARTS_H
#define RF_PARTS_PARTS_H

#include <stdbool.h>

#include "base/column.h"

/* Initial value of a column of a part. */
typedef struct rf_part_initial {
    const char *column;
    const char *state; /* column of the vehicle, or setting before it, that it is copied from, or NULL */
    double value;
    bool setting; /* kept by a reset */
} rf_part_initial;

typedef struct rf_part {
    const char *name;
    const char *doc;
    const rf_column *columns; /* floating-point columns first, then words */
    int column_count;
    const rf_part_initial *initial; /* of the columns that do not begin with 0; the last has no column */
    bool extends;                   /* changes the derivative: vehicles run the extended model */
    bool results;                   /* columns that are no settings are written by the core alone */
    const char *extends_of;         /* word column: only vehicles where it is not 0 do; or NULL */
} rf_part;

/* RF_PART_navigator and so on, in the order of rf_parts. */
enum {
    RF_PART_none = -1,
#define RF_EACH_PART "parts/part_number.inc"
#include "parts/parts.inc"
#undef RF_EACH_PART
    RF_PART_COUNT
};

extern const rf_part rf_parts[RF_PART_COUNT];

/* Index of the part of that name, or -1. */
int rf_part_find(const char *name);

/* The initial value of a column of a part, or NULL if it is zero. */
const rf_part_initial *rf_part_initial_of(const rf_part *part, const char *column);

bool rf_part_is_setting(const rf_part *part, const char *column);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Some columns of a batch, read as doubles for either precision. */
#ifndef RF_WIRE_COLUMNS_H
#define RF_WIRE_COLUMNS_H

#include "batch/batch.h"
#include "wire/layout.h"

/* A column and its memory. */
typedef struct rf_wire_column {
    const char *name;
    const char *start; /* NULL: the batch has no such column, or its part is disabled */
    size_t component_stride;
    int components;
    bool word;
} rf_wire_column;

enum { RF_WIRE_COLUMNS = 24 };

typedef struct rf_wire_columns {
    int count;
    rf_wire_column at[RF_WIRE_COLUMNS];
    bool single; /* float32 */
    void *outputs;
} rf_wire_columns;

/* Finds the columns of these names in a locked batch and computes its outputs.  Close after use. */
rf_status rf_wire_columns_open(rf_batch *batch, rf_wire_columns *columns);
void rf_wire_columns_close(rf_wire_columns *columns);

/* Reads at most `width` components of a column, for n vehicles beginning at `begin`; leaves those that it lacks. */
void rf_wire_columns_load(const rf_wire_columns *columns, int column, int width, size_t begin, size_t n,
                          rf_wire_values *to);

#endif

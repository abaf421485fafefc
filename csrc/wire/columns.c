/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "wire/columns.h"

#include <string.h>

#include "base/platform.h"

static int index_of(const rf_wire_columns *columns, const char *name)
{
    for (int i = 0; i < columns->count; i++) {
        /* the first letter avoids most calls: with one vehicle, finding columns takes half of the time */
        if (columns->at[i].name[0] == name[0] && strcmp(columns->at[i].name, name) == 0) return i;
    }
    return -1;
}

static bool needs_outputs(const rf_vehicle_type *type, const rf_wire_columns *columns)
{
    for (int i = 0; i < type->column_count; i++) {
        if (type->columns[i].role == RF_ROLE_OUTPUT && index_of(columns, type->columns[i].name) >= 0)
            return true;
    }
    return false;
}

static rf_status compute_outputs(rf_batch *batch, rf_wire_columns *columns, size_t component_stride)
{
    if (!needs_outputs(rf_batch_type(batch), columns)) return RF_OK;
    size_t width = (size_t)rf_vehicle_role_width(rf_batch_type(batch), RF_ROLE_OUTPUT);
    columns->outputs = rf_aligned_alloc(64, width * component_stride);
    if (columns->outputs == NULL) return RF_NO_MEMORY;
    rf_batch_output_locked(batch, columns->outputs);
    return RF_OK;
}

static void find_stored(rf_batch *batch, int column, int components, rf_wire_column *found)
{
    found->word = rf_column_is_word(rf_batch_column_row(batch, column));
    found->start = rf_batch_column(batch, column, &found->component_stride);
    found->components = found->start == NULL ? 0 : components;
}

/* Index of the first column of a role. */
static int first_of_role(const rf_vehicle_type *type, rf_role role)
{
    int i = 0;
    while (type->columns[i].role != role) i++;
    return i;
}

rf_status rf_wire_columns_open(rf_batch *batch, rf_wire_columns *columns)
{
    const rf_vehicle_type *type = rf_batch_type(batch);
    columns->single = rf_batch_get_def(batch)->precision == RF_FLOAT32;
    columns->outputs = NULL;
    size_t stride = rf_batch_stride(batch) * (columns->single ? sizeof(float) : sizeof(double));
    rf_status status = compute_outputs(batch, columns, stride);
    if (status != RF_OK) return status;

    size_t outputs_before = 0;
    for (int i = 0, count = rf_batch_column_count(batch); i < count; i++) {
        const rf_column *row = rf_batch_column_row(batch, i);
        int found = index_of(columns, row->name);
        bool output = row->role == RF_ROLE_OUTPUT;
        if (found >= 0 && output) {
            columns->at[found].start = (char *)columns->outputs + outputs_before * stride;
            columns->at[found].component_stride = stride;
            columns->at[found].components = row->width;
        } else if (found >= 0) {
            find_stored(batch, i, row->width, &columns->at[found]);
        }
        if (output) outputs_before += row->width;
    }
    int actuators = index_of(columns, "actuators");
    if (actuators >= 0) {
        find_stored(batch, first_of_role(type, RF_ROLE_INPUT), type->actuators, &columns->at[actuators]);
    }
    return RF_OK;
}

void rf_wire_columns_close(rf_wire_columns *columns)
{
    rf_aligned_free(columns->outputs);
    columns->outputs = NULL;
}

void rf_wire_columns_load(const rf_wire_columns *columns, int column, int width, size_t begin, size_t n,
                          rf_wire_values *to)
{
    const rf_wire_column *found = &columns->at[column];
    for (int c = 0; c < width && c < found->components; c++) {
        const void *from = found->start + (size_t)c * found->component_stride;
        if (found->word) {
            const uint32_t *words = (const uint32_t *)from + begin;
            for (size_t i = 0; i < n; i++) to[c][i] = words[i];
        } else if (columns->single) {
            const float *floats = (const float *)from + begin;
            for (size_t i = 0; i < n; i++) to[c][i] = (double)floats[i];
        } else {
            memcpy(to[c], (const double *)from + begin, n * sizeof(double));
        }
    }
}

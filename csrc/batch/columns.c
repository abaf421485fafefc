/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a batch and of its parts: their rows, addresses and values. */
#include <string.h>

#include "batch/internal.h"

/* A table of columns and its memory. */
typedef struct stored_table {
    const rf_columns *memory;
    const rf_column *rows;
    int first; /* index of its first column among those of the batch */
    int part;
} stored_table;

static stored_table table_of(const rf_batch *batch, int column)
{
    int first = batch->type->column_count;
    if (column < first) return (stored_table){&batch->own, batch->type->columns, 0, RF_PART_none};
    int part = 0;
    while (column >= first + rf_parts[part].column_count) first += rf_parts[part++].column_count;
    return (stored_table){&batch->parts[part], rf_parts[part].columns, first, part};
}

int rf_batch_column_count(const rf_batch *batch)
{
    int count = batch->type->column_count;
    for (int part = 0; part < RF_PART_COUNT; part++) count += rf_parts[part].column_count;
    return count;
}

const rf_column *rf_batch_column_row(const rf_batch *batch, int column)
{
    stored_table table = table_of(batch, column);
    return &table.rows[column - table.first];
}

int rf_batch_column_part(const rf_batch *batch, int column)
{
    return table_of(batch, column).part;
}

/* The place of a name in a table, or the number of its rows. */
static int place_of(const rf_column *rows, int count, const char *name)
{
    int i = 0;
    while (i < count && (rows[i].name[0] != name[0] || strcmp(rows[i].name, name) != 0)) i++;
    return i;
}

int rf_batch_column_find(const rf_batch *batch, const char *name)
{
    int first = batch->type->column_count, i = place_of(batch->type->columns, first, name);
    if (i < first) return i;
    for (int part = 0; part < RF_PART_COUNT; first += rf_parts[part++].column_count) {
        i = place_of(rf_parts[part].columns, rf_parts[part].column_count, name);
        if (i < rf_parts[part].column_count) return first + i;
    }
    return -1;
}

uint64_t rf_batch_columns_version(const rf_batch *batch)
{
    uint64_t last = batch->own.number;
    for (int part = 0; part < RF_PART_COUNT; part++) {
        if (batch->parts[part].number > last) last = batch->parts[part].number;
    }
    return last;
}

void *rf_batch_column(rf_batch *batch, int column, size_t *component_stride)
{
    stored_table table = table_of(batch, column);
    bool word = rf_column_is_word(rf_batch_column_row(batch, column));
    size_t before = 0;
    for (int i = 0; i < column - table.first; i++) {
        if (rf_column_is_word(&table.rows[i]) == word) before += table.rows[i].width;
    }
    *component_stride =
        word ? batch->word_stride * sizeof(uint32_t) : batch->stride * rf_batch_value_size(batch);
    if (table.memory->reals == NULL) return NULL;
    return (char *)(word ? (void *)table.memory->words : table.memory->reals) + before * *component_stride;
}

void rf_batch_write_value(const rf_batch *batch, const rf_column *column, char *start, size_t vehicle,
                          double value)
{
    if (rf_column_is_word(column)) {
        ((uint32_t *)(void *)start)[vehicle] = (uint32_t)value;
    } else if (batch->def.precision == RF_FLOAT64) {
        ((double *)(void *)start)[vehicle] = value;
    } else {
        ((float *)(void *)start)[vehicle] = (float)value;
    }
}

void rf_batch_fill_locked(rf_batch *batch, int column, int component, double value)
{
    size_t stride;
    char *start = rf_batch_column(batch, column, &stride);
    start += (size_t)component * stride;
    const rf_column *row = rf_batch_column_row(batch, column);
    size_t count = rf_column_is_word(row) ? batch->word_stride : batch->stride;
    for (size_t i = 0; i < count; i++) rf_batch_write_value(batch, row, start, i, value);
}

rf_status rf_batch_fill(rf_batch *batch, int column, int component, double value)
{
    size_t stride;
    if (rf_batch_column(batch, column, &stride) == NULL) return RF_BAD_ARGUMENT;
    if (!rf_batch_acquire(batch)) return RF_BUSY;
    rf_batch_fill_locked(batch, column, component, value);
    rf_batch_release(batch);
    return RF_OK;
}

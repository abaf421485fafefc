/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a batch: its columns and those of its parts. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "batch/internal.h"

#define CACHE_LINE 64
#define HUGE_PAGE  ((size_t)2 << 20)

size_t rf_padded_values(size_t n, size_t size)
{
    size_t lines = (n * size + CACHE_LINE - 1) / CACHE_LINE;
    return (lines | 1) * CACHE_LINE / size;
}

static size_t bytes_of_reals(const rf_batch *batch, size_t reals)
{
    return reals * batch->stride * rf_batch_value_size(batch);
}

size_t rf_columns_bytes(const rf_batch *batch, size_t reals, size_t words)
{
    return bytes_of_reals(batch, reals) + words * batch->word_stride * sizeof(uint32_t);
}

/* A large allocation is not written here: calloc gets zero pages from the system, which it makes when they are first
 * written.  That takes seconds for a million vehicles, and column by column a user can interrupt it. */
rf_columns rf_columns_create(const rf_batch *batch, size_t reals, size_t words)
{
    size_t bytes = rf_columns_bytes(batch, reals, words);
    bool large = bytes >= 2 * HUGE_PAGE;
    size_t alignment = large ? HUGE_PAGE : CACHE_LINE;
    char *allocation = calloc(1, bytes + alignment);
    if (allocation == NULL) return (rf_columns){0};
    char *start = allocation + (alignment - (uintptr_t)allocation % alignment) % alignment;
#if defined(MADV_HUGEPAGE)
    /* A step reads some fifty columns at once; with small pages that is fifty page walks per 512 vehicles. */
    if (large) madvise(start, bytes, MADV_HUGEPAGE);
#endif
    return (rf_columns){
        .reals = start,
        .words = (uint32_t *)(void *)(start + bytes_of_reals(batch, reals)),
        .bytes = bytes,
        .allocation = allocation,
    };
}

void rf_columns_destroy(rf_columns *columns)
{
    free(columns->allocation);
}

/* A table of columns and its memory. */
typedef struct stored_table {
    const rf_columns *memory;
    const rf_column *rows;
    int first; /* index of its first column among those of the batch */
} stored_table;

static stored_table table_of(const rf_batch *batch, int column)
{
    int first = batch->type->column_count;
    if (column < first) return (stored_table){&batch->own, batch->type->columns, 0};
    int part = 0;
    while (column >= first + rf_parts[part].column_count) first += rf_parts[part++].column_count;
    return (stored_table){&batch->parts[part], rf_parts[part].columns, first};
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

int rf_batch_column_find(const rf_batch *batch, const char *name)
{
    for (int i = 0, count = rf_batch_column_count(batch); i < count; i++) {
        if (strcmp(rf_batch_column_row(batch, i)->name, name) == 0) return i;
    }
    return -1;
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of batches of any precision, as stages of the world read and write them: in double. */
#ifndef RF_WORLD_COLUMN_H
#define RF_WORLD_COLUMN_H

#include "batch/batch.h"

/* A column of a batch, in its precision. */
typedef struct column {
    char *start;
    size_t stride; /* bytes from one component to the next */
    bool doubles;
} column;

static inline column column_of(rf_batch *batch, const char *name)
{
    column c = {.doubles = rf_batch_get_def(batch)->precision == RF_FLOAT64};
    c.start = rf_batch_column(batch, rf_batch_column_find(batch, name), &c.stride);
    return c;
}

static inline double value_of(const column *c, int component, size_t row)
{
    const void *values = c->start + (size_t)component * c->stride;
    return c->doubles ? ((const double *)values)[row] : (double)((const float *)values)[row];
}

static inline void set_value(const column *c, int component, size_t row, double value)
{
    void *values = c->start + (size_t)component * c->stride;
    if (c->doubles) {
        ((double *)values)[row] = value;
    } else {
        ((float *)values)[row] = (float)value;
    }
}

/* The words of a component of a column. */
static inline uint32_t *words_at(rf_batch *batch, const char *name, int component)
{
    const column c = column_of(batch, name);
    return (uint32_t *)(void *)(c.start + (size_t)component * c.stride);
}

#endif

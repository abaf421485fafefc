/* SPDX-License-Identifier: BSD-3-Clause */
/* The optional parts of a batch: enabling, and initial values by the tables of parts/parts.h. */
#include <string.h>

#include "batch/internal.h"

/* Values per vehicle of a part: of its 32-bit columns or of its floating-point columns. */
static size_t part_width(const rf_part *part, bool words)
{
    size_t width = 0;
    for (int i = 0; i < part->column_count; i++) {
        if (rf_column_is_word(&part->columns[i]) == words) width += part->columns[i].width;
    }
    return width;
}

/* Sets a column of a part to its initial value, of `count` vehicles, or of all where vehicles is NULL. */
static void reset_column(rf_batch *batch, int index, const rf_part_initial *initial, const size_t *vehicles,
                         size_t count)
{
    const rf_column *column = rf_batch_column_row(batch, index);
    size_t stride, state_stride, size = rf_batch_value_size(batch);
    char *start = rf_batch_column(batch, index, &stride), *state = NULL;
    if (initial != NULL && initial->state != NULL) {
        state = rf_batch_column(batch, rf_batch_column_find(batch, initial->state), &state_stride);
    }
    double value = initial == NULL ? 0 : initial->value;
    for (size_t k = 0; k < column->width; k++) {
        char *to = start + k * stride;
        for (size_t i = 0; i < count; i++) {
            size_t vehicle = vehicles == NULL ? i : vehicles[i];
            if (state != NULL) {
                memcpy(to + vehicle * size, state + k * state_stride + vehicle * size, size);
            } else {
                rf_batch_write_value(batch, column, to, vehicle, value);
            }
        }
    }
}

/* Sets a part of vehicles to its initial state, with or without its settings. */
static void reset_part(rf_batch *batch, int part, const size_t *vehicles, size_t count, bool settings)
{
    const rf_part *row = &rf_parts[part];
    int first = rf_batch_column_find(batch, row->columns[0].name);
    for (int i = 0; i < row->column_count; i++) {
        const rf_part_initial *initial = rf_part_initial_of(row, row->columns[i].name);
        if (settings || initial == NULL || !initial->setting) {
            reset_column(batch, first + i, initial, vehicles, count);
        }
    }
}

void rf_batch_initialize_part(rf_batch *batch, int part)
{
    reset_part(batch, part, NULL, batch->stride, true);
}

size_t rf_batch_part_bytes(const rf_batch *batch, int part)
{
    const rf_part *row = &rf_parts[part];
    return rf_batch_bytes_of_reals(batch, part_width(row, false)) +
           rf_batch_bytes_of_words(batch, part_width(row, true));
}

/* Lets the vehicles run the extended model, or those where the part says so. */
static void note_extension(rf_batch *batch, int part)
{
    const rf_part *row = &rf_parts[part];
    if (!batch->type->extended || batch->def.effects != RF_EFFECTS_FULL) return;
    if (row->extends) batch->model = RF_MODEL_EXTENDED;
    if (row->extends_of == NULL) return;
    size_t stride;
    int column = rf_batch_column_find(batch, row->extends_of);
    batch->extended_of[batch->extended_ofs++] = rf_batch_column(batch, column, &stride);
}

rf_status rf_batch_make_part(rf_batch *batch, int part)
{
    if (batch->parts[part].reals != NULL) return RF_OK;
    const rf_part *row = &rf_parts[part];
    batch->parts[part] = rf_columns_create(rf_batch_bytes_of_reals(batch, part_width(row, false)),
                                           rf_batch_bytes_of_words(batch, part_width(row, true)));
    if (batch->parts[part].reals == NULL) return RF_NO_MEMORY;
    note_extension(batch, part);
    int first = rf_batch_column_find(batch, row->columns[0].name);
    for (int i = 0; i < row->column_count; i++) { /* the others are zero already */
        const rf_part_initial *initial = rf_part_initial_of(row, row->columns[i].name);
        if (initial != NULL) reset_column(batch, first + i, initial, NULL, batch->stride);
    }
    return RF_OK;
}

rf_status rf_batch_enable_part(rf_batch *batch, int part)
{
    if (part < 0 || part >= RF_PART_COUNT) return RF_BAD_ARGUMENT;
    if (!rf_batch_acquire(batch)) return RF_BUSY;
    rf_status status = rf_batch_make_part(batch, part);
    rf_batch_release(batch);
    return status;
}

bool rf_batch_has_part(const rf_batch *batch, int part)
{
    return batch->parts[part].reals != NULL;
}

bool rf_batch_have_part(const rf_batch *batch, int part, const size_t *vehicles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (vehicles[i] >= batch->def.n) return false;
    }
    return rf_batch_has_part(batch, part);
}

rf_status rf_batch_reset_part(rf_batch *batch, int part, const size_t *vehicles, size_t count)
{
    if (part < 0 || part >= RF_PART_COUNT || !rf_batch_have_part(batch, part, vehicles, count)) {
        return RF_BAD_ARGUMENT;
    }
    if (!rf_batch_acquire(batch)) return RF_BUSY;
    reset_part(batch, part, vehicles, count, false);
    rf_batch_release(batch);
    return RF_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "wire/block.h"

#include <math.h>
#include <string.h>

#include "base/platform.h"
#include "math/scalar.h"

static const char *const names[RF_WIRE_COLUMN_COUNT] = {
#define NAME(name, components) #name,
    RF_WIRE_COLUMNS(NAME)
#undef NAME
};

static int index_of(const char *name, uint64_t set)
{
    for (uint64_t left = set; left != 0; left &= left - 1) {
        int i = __builtin_ctzll(left);
        /* the first letter avoids most calls: with one vehicle, finding columns takes half of the time */
        if (names[i][0] == name[0] && strcmp(names[i], name) == 0) return i;
    }
    return -1;
}

static bool needs_outputs(const rf_vehicle_type *type, uint64_t set)
{
    for (int i = 0; i < type->column_count; i++) {
        if (type->columns[i].role == RF_ROLE_OUTPUT && index_of(type->columns[i].name, set) >= 0) return true;
    }
    return false;
}

static rf_status compute_outputs(rf_batch *batch, rf_wire_source *source, size_t component_stride)
{
    if (!needs_outputs(rf_batch_type(batch), source->set)) return RF_OK;
    size_t width = (size_t)rf_vehicle_role_width(rf_batch_type(batch), RF_ROLE_OUTPUT);
    source->outputs = rf_aligned_alloc(64, width * component_stride);
    if (source->outputs == NULL) return RF_NO_MEMORY;
    rf_batch_output_locked(batch, source->outputs);
    return RF_OK;
}

static rf_wire_column stored_column(rf_batch *batch, int column, int components)
{
    rf_wire_column found = {.components = components,
                            .word = rf_column_is_word(rf_batch_column_row(batch, column))};
    found.start = rf_batch_column(batch, column, &found.component_stride);
    return found;
}

/* Index of the first column of a role. */
static int first_of_role(const rf_vehicle_type *type, rf_role role)
{
    int i = 0;
    while (type->columns[i].role != role) i++;
    return i;
}

rf_status rf_wire_source_open(rf_batch *batch, uint64_t set, rf_wire_source *source)
{
    const rf_vehicle_type *type = rf_batch_type(batch);
    const rf_batch_def *def = rf_batch_get_def(batch);
    memset(source, 0, sizeof *source);
    source->n = def->n;
    source->set = set;
    source->single = def->precision == RF_FLOAT32;
    size_t output_stride = rf_batch_stride(batch) * (source->single ? sizeof(float) : sizeof(double));
    rf_status status = compute_outputs(batch, source, output_stride);
    if (status != RF_OK) return status;

    size_t outputs_before = 0;
    for (int i = 0, count = rf_batch_column_count(batch); i < count; i++) {
        const rf_column *row = rf_batch_column_row(batch, i);
        int found = index_of(row->name, set);
        bool output = row->role == RF_ROLE_OUTPUT;
        if (found >= 0) {
            source->columns[found] =
                output ? (rf_wire_column){.start = (char *)source->outputs + outputs_before * output_stride,
                                          .component_stride = output_stride,
                                          .components = row->width}
                       : stored_column(batch, i, row->width);
        }
        if (output) outputs_before += row->width;
    }
    if (set & RF_WIRE_BIT(actuators)) {
        source->columns[RF_WIRE_actuators] =
            stored_column(batch, first_of_role(type, RF_ROLE_INPUT), type->actuators);
    }
    return RF_OK;
}

void rf_wire_source_close(rf_wire_source *source)
{
    rf_aligned_free(source->outputs);
    source->outputs = NULL;
}

static void load_column(rf_wire_values *to, int width, const rf_wire_source *source, int column, size_t begin,
                        size_t n)
{
    const char *start = source->columns[column].start;
    int components = source->columns[column].components;
    for (int c = 0; c < width; c++) {
        if (start == NULL || c >= components) {
            memset(to[c], 0, n * sizeof(double));
            continue;
        }
        const void *from = start + (size_t)c * source->columns[column].component_stride;
        if (source->columns[column].word) {
            const uint32_t *words = (const uint32_t *)from + begin;
            for (size_t i = 0; i < n; i++) to[c][i] = words[i];
        } else if (source->single) {
            const float *floats = (const float *)from + begin;
            for (size_t i = 0; i < n; i++) to[c][i] = (double)floats[i];
        } else {
            memcpy(to[c], (const double *)from + begin, n * sizeof(double));
        }
    }
}

void rf_wire_block_load(rf_wire_block *block, const rf_wire_source *source, size_t begin)
{
    size_t left = source->n - begin;
    block->n = left < RF_WIRE_BLOCK ? left : RF_WIRE_BLOCK;
#define LOAD(name, components)                                                                               \
    if (source->set & RF_WIRE_BIT(name))                                                                     \
        load_column(block->name, components, source, RF_WIRE_##name, begin, block->n);
    RF_WIRE_COLUMNS(LOAD)
#undef LOAD
}

void rf_wire_block_use_estimate(rf_wire_block *block)
{
    for (size_t i = 0; i < block->n; i++) {
        if (block->flies_on_estimate[0][i] == 0 || block->estimator_state[0][i] == 0) continue;
        double w = block->att_est[0][i], x = block->att_est[1][i], y = block->att_est[2][i];
        double z = block->att_est[3][i], north = 1 - 2 * (y * y + z * z), east = 2 * (x * y + w * z);
        double down = 2 * (x * z - w * y); /* of the forward axis */
        for (int k = 0; k < 3; k++) {
            block->pos[k][i] = block->pos_est[k][i];
            block->vel[k][i] = block->vel_est[k][i];
        }
        block->euler[0][i] = rf_atan2(2 * (y * z + w * x), 1 - 2 * (x * x + y * y));
        block->euler[1][i] = rf_atan2(-down, sqrt(north * north + east * east));
        block->euler[2][i] = rf_atan2(east, north);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "batch/batch.h"

#include <stdlib.h>

#include "batch/internal.h"

bool rf_batch_acquire(rf_batch *batch)
{
    if (!rf_access_claim(&batch->access)) return false;
    rf_access_begin_write(&batch->access);
    return true;
}

void rf_batch_release(rf_batch *batch)
{
    rf_access_end_write(&batch->access);
    rf_access_unclaim(&batch->access);
}

size_t rf_batch_value_size(const rf_batch *batch)
{
    return batch->def.precision == RF_FLOAT64 ? sizeof(double) : sizeof(float);
}

size_t rf_batch_bytes_of_reals(const rf_batch *batch, size_t width)
{
    return width * batch->stride * rf_batch_value_size(batch);
}

size_t rf_batch_bytes_of_words(const rf_batch *batch, size_t width)
{
    return width * batch->word_stride * sizeof(uint32_t);
}

rf_batch_def rf_batch_default(void)
{
    return (rf_batch_def){
        .n = 1,
        .precision = RF_FLOAT64,
        .integrator = RF_INTEGRATOR_RK4,
        .effects = RF_EFFECTS_FULL,
        .dt = 1e-3,
        .periods = {[RF_STAGE_SAFETY] = 4,
                    [RF_STAGE_FAULTS] = 2,
                    [RF_STAGE_ENVIRONMENT] = 10,
                    [RF_STAGE_REBOUND] = 1,
                    [RF_STAGE_SENSORS] = 4,
                    [RF_STAGE_NAVIGATOR] = 10,
                    [RF_STAGE_OUTER] = 10,
                    [RF_STAGE_MIDDLE] = 4,
                    [RF_STAGE_INNER] = 2,
                    [RF_STAGE_POWER] = 10},
        .threads = 1,
        .simd = rf_simd_available()[0],
    };
}

static bool def_is_valid(const rf_batch_def *def)
{
    return def->type >= 0 && def->type < rf_vehicle_type_count() && def->n >= 1 &&
           def->n <= RF_MAXIMUM_VEHICLES && def->precision >= 0 && def->precision < RF_PRECISION_COUNT &&
           def->integrator >= 0 && def->integrator < RF_INTEGRATOR_COUNT && def->effects >= 0 &&
           def->effects < RF_EFFECTS_COUNT &&
           (def->effects != RF_EFFECTS_PLAIN || rf_vehicle_type_at(def->type)->plain) &&
           def->dt >= RF_MINIMUM_DT && def->dt <= RF_MAXIMUM_DT && def->threads >= 1 && def->simd != NULL;
}

static size_t stored_width(const rf_vehicle_type *type)
{
    int width = 0;
    for (int role = RF_ROLE_STATE; role < RF_ROLE_FLAG; role++)
        width += rf_vehicle_role_width(type, (rf_role)role);
    return (size_t)width;
}

static uint64_t hash_columns(uint64_t hash, const rf_column *columns, int count)
{
    for (int i = 0; i < count; i++) {
        for (const char *c = columns[i].name; *c != '\0'; c++) {
            hash = (hash ^ (unsigned char)*c) * 1099511628211u;
        }
        hash = (hash ^ columns[i].width) * 1099511628211u;
        hash = (hash ^ columns[i].role) * 1099511628211u;
    }
    return hash;
}

/* FNV-1a over names, widths and roles: tables with the same hash store the same columns. */
static uint64_t layout_of(const rf_vehicle_type *type)
{
    uint64_t hash = hash_columns(14695981039346656037u, type->columns, type->column_count);
    for (int part = 0; part < RF_PART_COUNT; part++) {
        hash = hash_columns(hash, rf_parts[part].columns, rf_parts[part].column_count);
    }
    return hash;
}

rf_status rf_batch_create(const rf_batch_def *def, rf_batch **out)
{
    if (!def_is_valid(def)) return RF_BAD_ARGUMENT;
    rf_batch *batch = calloc(1, sizeof *batch);
    if (batch == NULL) return RF_NO_MEMORY;
    batch->def = *def;
    batch->type = rf_vehicle_type_at(def->type);
    batch->kernels = rf_kernels_of(def->simd, def->precision, def->type);
    batch->layout = layout_of(batch->type);
    batch->model = def->effects;
    batch->stride = rf_padded_values(def->n, rf_batch_value_size(batch));
    batch->word_stride = rf_padded_values(batch->stride, sizeof(uint32_t));
    size_t flags = (size_t)rf_vehicle_role_width(batch->type, RF_ROLE_FLAG);
    batch->own = rf_columns_create(rf_batch_bytes_of_reals(batch, stored_width(batch->type)),
                                   rf_batch_bytes_of_words(batch, flags));
    if (batch->own.reals == NULL) {
        free(batch);
        return RF_NO_MEMORY;
    }
    batch->origin = rf_origin_at(RF_ORIGIN_LAT, RF_ORIGIN_LON, RF_ORIGIN_HEIGHT);
    rf_access_init(&batch->access);
    atomic_store(&batch->events_size, 0);
    *out = batch;
    return RF_OK;
}

uint64_t rf_batch_layout_version(const rf_batch *batch)
{
    return batch->layout;
}

rf_status rf_batch_create_like(const rf_batch *batch, size_t n, rf_batch **out)
{
    rf_batch_def def = batch->def;
    def.n = n;
    def.precision = RF_FLOAT64;
    rf_status status = rf_batch_create(&def, out);
    if (status != RF_OK) return status;
    (*out)->origin = batch->origin;
    (*out)->tick = batch->tick;
    return RF_OK;
}

void rf_batch_destroy(rf_batch *batch)
{
    if (batch == NULL) return;
    free(batch->airframes);
    for (int i = 0; i < RF_WORKSPACE_COUNT; i++) free(batch->workspace[i]);
    rf_events_destroy(batch->events);
    for (int part = 0; part < RF_PART_COUNT; part++) rf_columns_destroy(&batch->parts[part]);
    rf_columns_destroy(&batch->own);
    free(batch);
}

const rf_batch_def *rf_batch_get_def(const rf_batch *batch)
{
    return &batch->def;
}

const rf_vehicle_type *rf_batch_type(const rf_batch *batch)
{
    return batch->type;
}

size_t rf_batch_bytes(const rf_batch *batch)
{
    size_t bytes = batch->own.bytes;
    for (int part = 0; part < RF_PART_COUNT; part++) bytes += batch->parts[part].bytes;
    return bytes;
}

size_t rf_batch_stride(const rf_batch *batch)
{
    return batch->stride;
}

uint64_t rf_batch_tick(const rf_batch *batch)
{
    return batch->tick;
}

rf_status rf_batch_set_tick(rf_batch *batch, uint64_t tick)
{
    if (tick > RF_MAXIMUM_TICK) return RF_BAD_ARGUMENT;
    if (!rf_batch_acquire(batch)) return RF_BUSY;
    batch->tick = tick;
    rf_batch_release(batch);
    return RF_OK;
}

rf_status rf_batch_set_controllers(rf_batch *batch, bool on)
{
    if (!rf_batch_acquire(batch)) return RF_BUSY;
    batch->controllers = on;
    rf_batch_release(batch);
    return RF_OK;
}

bool rf_batch_controllers(const rf_batch *batch)
{
    return batch->controllers;
}

void *rf_batch_workspace(rf_batch *batch, int of, size_t bytes)
{
    void **memory = &batch->workspace[of];
    if (batch->workspace_bytes[of] < bytes) {
        free(*memory);
        *memory = calloc(1, bytes);
        batch->workspace_bytes[of] = *memory == NULL ? 0 : bytes;
    }
    return *memory;
}

rf_status rf_batch_claim(rf_batch *batch)
{
    return rf_access_claim(&batch->access) ? RF_OK : RF_BUSY;
}

void rf_batch_unclaim(rf_batch *batch)
{
    rf_access_unclaim(&batch->access);
}

void rf_batch_begin_write(rf_batch *batch)
{
    rf_access_begin_write(&batch->access);
}

void rf_batch_end_write(rf_batch *batch)
{
    rf_access_end_write(&batch->access);
}

rf_status rf_batch_begin_read(rf_batch *batch)
{
    return rf_access_begin_read(&batch->access) ? RF_OK : RF_BUSY;
}

void rf_batch_end_read(rf_batch *batch)
{
    rf_access_end_read(&batch->access);
}

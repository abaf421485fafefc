/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands to a batch outside of its stages: navigator reset and release, accepting commands, airframes of mixed
 * models, origin of the map. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sil.h"
#include "batch/internal.h"
#include "parts/navigator/columns.h"
#include "parts/navigator/modes.h"

/* A stored column by its name. */
static char *column_named(rf_batch *batch, const char *name, size_t *stride)
{
    return rf_batch_column(batch, rf_batch_column_find(batch, name), stride);
}

/* Copies one component of the value of a vehicle, of either precision. */
static void copy_value(const rf_batch *batch, char *to, const char *from, size_t vehicle)
{
    size_t size = rf_batch_value_size(batch);
    memcpy(to + vehicle * size, from + vehicle * size, size);
}

/* Whether a reset keeps a column of the navigator. */
static bool is_setting(const char *name)
{
#define IS_NAME(setting, value)                                                                              \
    if (strcmp(name, #setting) == 0) return true;
    NAVIGATOR_SETTINGS(IS_NAME)
#undef IS_NAME
    return strcmp(name, "sil_frame") == 0;
}

static void reset_navigator(rf_batch *batch, size_t vehicle)
{
    const rf_part *part = &rf_parts[RF_PART_navigator];
    for (int i = 0; i < part->column_count; i++) {
        if (is_setting(part->columns[i].name)) continue;
        size_t stride, size = rf_column_is_word(&part->columns[i]) ? 4 : rf_batch_value_size(batch);
        char *start = column_named(batch, part->columns[i].name, &stride);
        for (int k = 0; k < part->columns[i].width; k++) {
            memset(start + (size_t)k * stride + vehicle * size, 0, size);
        }
    }
    size_t stride;
    char *home = column_named(batch, "home", &stride), *pos = column_named(batch, "pos", &stride);
    for (size_t k = 0; k < 3; k++) copy_value(batch, home + k * stride, pos + k * stride, vehicle);
    ((uint32_t *)(void *)column_named(batch, "navigator_flags", &stride))[vehicle] = NAVIGATOR_HAS_HOME;
}

void rf_navigator_initialize(rf_batch *batch)
{
    const struct {
        const char *name;
        double value;
    } settings[] = {
#define SETTING(name, value) {#name, value},
        NAVIGATOR_SETTINGS(SETTING)
#undef SETTING
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        rf_batch_fill_locked(batch, rf_batch_column_find(batch, settings[i].name), 0, settings[i].value);
    }
    for (size_t vehicle = 0; vehicle < batch->stride; vehicle++) reset_navigator(batch, vehicle);
}

static bool are_vehicles(const rf_batch *batch, const size_t *vehicles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (vehicles[i] >= batch->def.n) return false;
    }
    return rf_batch_has_part(batch, RF_PART_navigator);
}

rf_status rf_batch_navigator_reset(rf_batch *batch, const size_t *vehicles, size_t count)
{
    if (!are_vehicles(batch, vehicles, count)) return RF_BAD_ARGUMENT;
    if (!rf_batch_acquire(batch)) return RF_BUSY;
    for (size_t i = 0; i < count; i++) reset_navigator(batch, vehicles[i]);
    rf_batch_release(batch);
    return RF_OK;
}

rf_status rf_batch_navigator_release(rf_batch *batch, const size_t *vehicles, size_t count)
{
    if (!are_vehicles(batch, vehicles, count)) return RF_BAD_ARGUMENT;
    if (!rf_batch_acquire(batch)) return RF_BUSY;
    size_t stride;
    uint32_t *mode = (uint32_t *)(void *)column_named(batch, "navigator_mode", &stride);
    uint32_t *flags = (uint32_t *)(void *)column_named(batch, "navigator_flags", &stride);
    for (size_t i = 0; i < count; i++) {
        mode[vehicles[i]] = NAVIGATOR_NONE;
        flags[vehicles[i]] = NAVIGATOR_HAS_HOME;
    }
    rf_batch_release(batch);
    return RF_OK;
}

rf_status rf_batch_navigator_restart_offset(rf_batch *batch, const size_t *vehicles, size_t count)
{
    if (!are_vehicles(batch, vehicles, count)) return RF_BAD_ARGUMENT;
    if (!rf_batch_acquire(batch)) return RF_BUSY;
    size_t stride;
    uint32_t *flags = (uint32_t *)(void *)column_named(batch, "navigator_flags", &stride);
    for (size_t i = 0; i < count; i++) flags[vehicles[i]] &= ~(uint32_t)NAVIGATOR_OFFSET_FIXED;
    rf_batch_release(batch);
    return RF_OK;
}

rf_status rf_batch_accept(rf_batch *batch, size_t first, size_t count)
{
    if (!rf_batch_has_part(batch, RF_PART_navigator) || first > batch->def.n ||
        count > batch->def.n - first) {
        return RF_BAD_ARGUMENT;
    }
    if (count == 0 || batch->kernels->accept == NULL) return RF_OK;
    if (!rf_batch_acquire(batch)) return RF_BUSY;
    size_t width = (size_t)batch->def.simd->width[batch->def.precision];
    rf_kernel_args args = rf_batch_kernel_args(batch);
    args.begin = first / width * width;
    args.end = (first + count + width - 1) / width * width;
    rf_kernel_run(batch->kernels->accept, &args);
    rf_batch_release(batch);
    return RF_OK;
}

size_t rf_batch_airframe_size(const rf_batch *batch)
{
    return (size_t)(rf_vehicle_role_width(batch->type, RF_ROLE_PARAM) +
                    rf_vehicle_role_width(batch->type, RF_ROLE_GAIN));
}

rf_status rf_batch_set_airframe(rf_batch *batch, int airframe, const double *values)
{
    if (airframe < 0 || airframe >= SIL_AIRFRAMES) return RF_BAD_ARGUMENT;
    if (!rf_batch_acquire(batch)) return RF_BUSY;
    size_t size = rf_batch_airframe_size(batch);
    if (batch->airframes == NULL) batch->airframes = calloc(SIL_AIRFRAMES * size, sizeof(double));
    rf_status status = batch->airframes == NULL ? RF_NO_MEMORY : RF_OK;
    if (status == RF_OK) memcpy(batch->airframes + (size_t)airframe * size, values, size * sizeof(double));
    rf_batch_release(batch);
    return status;
}

rf_status rf_batch_set_origin(rf_batch *batch, double lat_deg, double lon_deg, double height)
{
    if (!(fabs(lat_deg) <= 90 && fabs(lon_deg) <= 180 && fabs(height) <= RF_MAX_DISTANCE)) {
        return RF_BAD_ARGUMENT;
    }
    if (!rf_batch_acquire(batch)) return RF_BUSY;
    batch->origin = rf_origin_at(lat_deg, lon_deg, height);
    rf_batch_release(batch);
    return RF_OK;
}

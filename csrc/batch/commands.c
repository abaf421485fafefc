/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands to a batch outside of its stages: release of navigators, accepting commands, airframes of mixed
 * models, origin of the map, terrain map. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch/internal.h"
#include "parts/navigator/columns.h"
#include "parts/navigator/modes.h"

/* A stored column by its name. */
static char *column_named(rf_batch *batch, const char *name, size_t *stride)
{
    return rf_batch_column(batch, rf_batch_column_find(batch, name), stride);
}

rf_status rf_batch_navigator_release(rf_batch *batch, const size_t *vehicles, size_t count)
{
    if (!rf_batch_have_part(batch, RF_PART_navigator, vehicles, count)) return RF_BAD_ARGUMENT;
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
    if (!rf_batch_have_part(batch, RF_PART_navigator, vehicles, count)) return RF_BAD_ARGUMENT;
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
    if (count == 0 || batch->kernels->control->accept == NULL) return RF_OK;
    if (!rf_batch_acquire(batch)) return RF_BUSY;
    size_t width = (size_t)batch->def.simd->width[batch->def.precision];
    rf_kernel_args args = rf_batch_kernel_args(batch);
    args.begin = first / width * width;
    args.end = (first + count + width - 1) / width * width;
    rf_kernel_run(batch->kernels->control->accept, &args);
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

rf_status rf_batch_set_terrain_map(rf_batch *batch, const rf_terrain_map *map)
{
    if (map != NULL && !rf_terrain_map_is_valid(map)) return RF_BAD_ARGUMENT;
    if (!rf_batch_acquire(batch)) return RF_BUSY;
    batch->terrain_map = map == NULL ? (rf_terrain_map){0} : *map;
    rf_batch_release(batch);
    return RF_OK;
}

rf_status rf_batch_set_libraries(rf_batch *batch, rf_library *const *libraries, size_t count)
{
    if (count != batch->def.n) return RF_BAD_ARGUMENT;
    if (!rf_batch_acquire(batch)) return RF_BUSY;
    batch->libraries = libraries;
    batch->library_count = count;
    rf_batch_release(batch);
    return RF_OK;
}

rf_library *rf_batch_library(const rf_batch *batch, size_t row)
{
    return row < batch->library_count ? batch->libraries[row] : NULL;
}

rf_status rf_batch_set_scene(rf_batch *batch, const rf_scene *scene)
{
    if (!rf_batch_acquire(batch)) return RF_BUSY;
    batch->scene = scene;
    free(batch->workspace[RF_WORKSPACE_COLLISIONS]); /* which lists what is near the scene */
    batch->workspace[RF_WORKSPACE_COLLISIONS] = NULL;
    batch->workspace_bytes[RF_WORKSPACE_COLLISIONS] = 0;
    rf_batch_release(batch);
    return RF_OK;
}

const rf_scene *rf_batch_scene(const rf_batch *batch)
{
    return batch->scene;
}

rf_status rf_batch_set_relief(rf_batch *batch, const rf_relief *relief)
{
    if (!rf_batch_acquire(batch)) return RF_BUSY;
    batch->relief = relief;
    rf_batch_release(batch);
    return RF_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A batch: many vehicles of one type, one buffer of columns.
 *
 *   memory   +-- column 0 ---------------+-- column 1 ---------------+ ...     +-- 32-bit columns --+
 *            | v0 v1 v2 ... v(n-1) pad   | v0 v1 v2 ... v(n-1) pad   |         | status  armed ...  |
 *            +--- stride values ---------+---------------------------+         +--------------------+
 *
 * A column of the table with width w takes w such columns.  Every column starts on a cache line; the stride is an
 * odd number of cache lines, so that the values of one vehicle in different columns do not map to one cache set (a
 * stride of 4096 values costs more than half the speed).  The padding holds valid vehicles, which are stepped with the
 * others and never returned.  Each enabled part (parts/parts.h) has its own buffer of the same layout. */
#ifndef RF_BATCH_BATCH_H
#define RF_BATCH_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "batch/kernel.h"
#include "batch/simd.h"
#include "scene/relief.h"
#include "scene/scene.h"
#include "vehicles/registry.h"

typedef struct rf_batch rf_batch;

/* Definition of a batch.  Fill it with rf_batch_default first. */
typedef struct rf_batch_def {
    int type;                         /* a number of vehicles/registry.h */
    size_t n;                         /* vehicles, 1 to RF_MAXIMUM_VEHICLES */
    int precision;                    /* RF_FLOAT64 or RF_FLOAT32 */
    int integrator;                   /* RF_INTEGRATOR_... */
    int effects;                      /* RF_EFFECTS_... */
    double dt;                        /* s, one integrator step, RF_MINIMUM_DT to RF_MAXIMUM_DT */
    uint32_t periods[RF_STAGE_COUNT]; /* integrator steps between two runs of each stage; 0: never */
    int threads;                      /* maximum number of threads of one step */
    const rf_simd *simd;
} rf_batch_def;

#define RF_MAXIMUM_VEHICLES ((size_t)1 << 26)
#define RF_MINIMUM_DT       1e-9
#define RF_MAXIMUM_DT       1.0
#define RF_MAXIMUM_TICK                                                                                      \
    ((uint64_t)1 << 62) /* of rf_batch_set_tick and snapshots: no count of steps overflows */

rf_batch_def rf_batch_default(void);
rf_status rf_batch_create(const rf_batch_def *def, rf_batch **out);

/* Creates a batch of n vehicles in float64, with the definition, origin and time of another otherwise. */
rf_status rf_batch_create_like(const rf_batch *batch, size_t n, rf_batch **out);
void rf_batch_destroy(rf_batch *batch);

const rf_batch_def *rf_batch_get_def(const rf_batch *batch);
const rf_vehicle_type *rf_batch_type(const rf_batch *batch);
size_t rf_batch_bytes(const rf_batch *batch);
uint64_t rf_batch_tick(const rf_batch *batch); /* integrator steps since creation or reset */
bool rf_batch_controllers(const rf_batch *batch);

/* The columns of a batch: those of its type, then those of every part, whether it is enabled or not. */
int rf_batch_column_count(const rf_batch *batch);
const rf_column *rf_batch_column_row(const rf_batch *batch, int column);
int rf_batch_column_find(const rf_batch *batch, const char *name); /* or -1 */

/* A number that no other batch has, now or before, and that changes when a part is enabled: columns stay where they are as long as
 * it is the same. */
uint64_t rf_batch_columns_version(const rf_batch *batch);

/* Whether the values of a column are 32-bit words. */
static inline bool rf_column_is_word(const rf_column *column)
{
    return column->role == RF_ROLE_FLAG || column->role == RF_ROLE_PART_WORD;
}

/* Address of component 0 of a stored column, and the distance from one component to the next [bytes]; NULL for a
 * column of a disabled part. */
void *rf_batch_column(rf_batch *batch, int column, size_t *component_stride);

/* All functions below that change a batch return RF_BUSY while another thread steps or changes it; those that read wait
 * for it (batch/access.h).  In a child forked during that time all of them return RF_BUSY for this batch; other batches
 * are usable. */

rf_status rf_batch_set_tick(rf_batch *batch, uint64_t tick);
rf_status rf_batch_set_controllers(rf_batch *batch, bool on);

/* Sets one component of a column for every vehicle, the padding included. */
rf_status rf_batch_fill(rf_batch *batch, int column, int component, double value);

/* Steps every vehicle.  The stages that are due run before a step, in the order of rf_stage; navigator and control
 * loops run only while the controllers are on. */
rf_status rf_batch_step(rf_batch *batch, uint32_t steps);

/* Computes the output columns into out[width][stride], 64-byte aligned, stride as rf_batch_stride. */
rf_status rf_batch_output(rf_batch *batch, void *out);

/* rf_batch_output, and unless it is NULL the time derivative of the state columns into derivative[width][stride]. */
rf_status rf_batch_derivative(rf_batch *batch, void *out, void *derivative);
size_t rf_batch_stride(const rf_batch *batch);     /* values */
size_t rf_batch_value_size(const rf_batch *batch); /* bytes */

/* Reading of several columns of one tick.  Waits while another thread writes; only const functions and those named
 * _locked may be called until the end. */
rf_status rf_batch_begin_read(rf_batch *batch);
void rf_batch_end_read(rf_batch *batch);
void rf_batch_output_locked(rf_batch *batch, void *out); /* rf_batch_output while it is read */

/* A claim keeps other threads from stepping or changing a batch.  Within it, a turn of writing waits for readers and
 * keeps them out; between two turns they read. */
rf_status rf_batch_claim(rf_batch *batch);
void rf_batch_unclaim(rf_batch *batch);
void rf_batch_begin_write(rf_batch *batch);
void rf_batch_end_write(rf_batch *batch);

/* Steps batches in a turn of writing, in one run of the pool; a work item takes all its steps independently of the
 * others. */
void rf_batch_step_locked(rf_batch *const *batches, size_t count, uint32_t steps);

/* Enables a part of the vehicles, in its initial state.  A part cannot be disabled. */
rf_status rf_batch_enable_part(rf_batch *batch, int part);
bool rf_batch_has_part(const rf_batch *batch, int part);

/* Resets an enabled part of vehicles to its initial state, except its settings. */
rf_status rf_batch_reset_part(rf_batch *batch, int part, const size_t *vehicles, size_t count);

/* Computes what the environment stage holds for these vehicles anew, at their present states, and takes no step in time:
 * gusts and turbulence stay as they are; so it does for the ground of a terrain map. */
rf_status rf_batch_refresh(rf_batch *batch, const size_t *vehicles, size_t count);

/* Computes `rotor_jet` of all vehicles of a batch that has the part downwash, in a turn of writing. */
void rf_batch_update_jets_locked(rf_batch *batch);

/* Computes mass and inertia for collisions of some vehicles around a row, RF_BODIES_AT_ONCE that begin at a multiple of it, of a
 * batch that has the part, in a turn of writing. */
#define RF_BODIES_AT_ONCE 16 /* of the widest lane */
void rf_batch_update_bodies_locked(rf_batch *batch, size_t row);

/* Checks the safety boundaries of all vehicles of a batch, as their stage does at this tick, in a turn of writing. */
void rf_batch_check_safety_locked(rf_batch *batch);

/* The stages of the world that have memory of their own. */
enum { RF_WORKSPACE_DOWNWASH, RF_WORKSPACE_SAFETY, RF_WORKSPACE_COLLISIONS, RF_WORKSPACE_COUNT };

/* Memory for a stage of the world, at least `bytes`, which stays with the batch; it is zero at first and where it grows.
 * NULL if there is none.  For the thread that claimed the batch. */
void *rf_batch_workspace(rf_batch *batch, int of, size_t bytes);

/* Puts the navigators of vehicles into mode NONE: they write no set-points until the next command. */
rf_status rf_batch_navigator_release(rf_batch *batch, const size_t *vehicles, size_t count);

/* Lets a position offset in the body frame count from the present position, even an offset that is tracked already. */
rf_status rf_batch_navigator_restart_offset(rf_batch *batch, const size_t *vehicles, size_t count);

/* Accepts the commands in the inputs of these vehicles now instead of at the next navigator update. */
rf_status rf_batch_accept(rf_batch *batch, size_t first, size_t count);

/* Params and gains of one airframe of a mixed model, in the order of the columns.  A command that names the airframe
 * (base/sil.h) copies them to its vehicle. */
size_t rf_batch_airframe_size(const rf_batch *batch); /* values */
rf_status rf_batch_set_airframe(rf_batch *batch, int airframe, const double *values);

/* Origin of the local NED frame, for set-points in latitude and longitude. */
rf_status rf_batch_set_origin(rf_batch *batch, double lat_deg, double lon_deg, double height);

/* The map below the vehicles whose word `on_terrain_map` is 1, or NULL for none.  Its heights are not copied: they must
 * live, unchanged, until another map is set or the batch is destroyed. */
rf_status rf_batch_set_terrain_map(rf_batch *batch, const rf_terrain_map *map);

/* What stands in the world, or NULL for nothing; it must live until another is set or the batch is destroyed. */
rf_status rf_batch_set_scene(rf_batch *batch, const rf_scene *scene);
const rf_scene *rf_batch_scene(const rf_batch *batch);

/* The models of vehicles that step themselves, one of each; they must live until others are set or the batch is destroyed.
 * RF_BAD_ARGUMENT unless there are as many as vehicles. */
rf_status rf_batch_set_libraries(rf_batch *batch, rf_library *const *libraries, size_t count);

/* The model of a vehicle that steps itself, or NULL. */
rf_library *rf_batch_library(const rf_batch *batch, size_t row);

/* The terrain map for rays of sensors, or NULL; likewise. */
rf_status rf_batch_set_relief(rf_batch *batch, const rf_relief *relief);

/* Snapshots: everything that a step depends on, in rf_batch_snapshot_size bytes.  The layout version identifies the
 * columns; restoring a snapshot of another layout version or format returns RF_OTHER_VERSION. */
uint64_t rf_batch_layout_version(const rf_batch *batch);
size_t rf_batch_snapshot_size(const rf_batch *batch);
rf_status rf_batch_save(rf_batch *batch, void *bytes);
void rf_batch_save_locked(const rf_batch *batch, void *bytes); /* rf_batch_save while it is read */
rf_status rf_batch_restore(rf_batch *batch, const void *bytes,
                           size_t size); /* unless RF_OK, without an effect */

/* Returns what rf_batch_restore would, and the tick of the snapshot, without an effect. */
rf_status rf_batch_check_snapshot(rf_batch *batch, const void *bytes, size_t size, uint64_t *tick);

/* Format and layout version of a snapshot; false if the bytes are not a snapshot. */
bool rf_snapshot_version(const void *bytes, size_t size, uint32_t *format, uint64_t *layout);
#define RF_SNAPSHOT_FORMAT 6

#endif

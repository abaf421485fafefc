/* SPDX-License-Identifier: BSD-3-Clause */
/* A batch: many vehicles of one type, one buffer of columns.
 *
 *   memory   +-- column 0 ---------------+-- column 1 ---------------+ ...     +-- 32-bit columns --+
 *            | v0 v1 v2 ... v(n-1) pad   | v0 v1 v2 ... v(n-1) pad   |         | status  armed ...  |
 *            +--- stride values ---------+---------------------------+         +--------------------+
 *
 * A column of the table with width w takes w such columns.  Every column starts on a cache line; the stride is an
 * odd number of cache lines, so that the same vehicle's values in different columns never compete for one cache
 * set (a stride of 4096 values costs more than half the speed).  The padding holds valid vehicles, which are
 * stepped with the rest and never seen. */
#ifndef RF_BATCH_BATCH_H
#define RF_BATCH_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "batch/kernel.h"
#include "batch/simd.h"
#include "vehicles/registry.h"

typedef struct rf_batch rf_batch;

/* What a batch is made of.  Fill with rf_batch_default first. */
typedef struct rf_batch_def {
    int type;               /* index into rf_vehicle_types */
    size_t n;               /* vehicles, 1 to RF_MOST_VEHICLES */
    int precision;          /* RF_FLOAT64 or RF_FLOAT32 */
    int integrator;         /* RF_INTEGRATOR_... */
    int effects;            /* RF_EFFECTS_... */
    double dt;              /* s, one integrator step */
    uint32_t loop_steps[3]; /* integrator steps per update: velocity, attitude, rate loop */
    int threads;            /* at most so many threads for one step */
    const rf_simd *simd;
} rf_batch_def;

#define RF_MOST_VEHICLES ((size_t)1 << 26)

rf_batch_def rf_batch_default(void);
rf_status rf_batch_create(const rf_batch_def *def, rf_batch **out);
void rf_batch_destroy(rf_batch *batch);

const rf_batch_def *rf_batch_get_def(const rf_batch *batch);
const rf_vehicle_type *rf_batch_type(const rf_batch *batch);
size_t rf_batch_bytes(const rf_batch *batch);
uint64_t rf_batch_tick(const rf_batch *batch); /* integrator steps since creation or reset */
bool rf_batch_controllers(const rf_batch *batch);

/* Where component c of a stored column of the type's table begins, and how far apart two components are [bytes];
 * NULL for a column of a navigator that is off. */
void *rf_batch_column(rf_batch *batch, int column, size_t *component_stride);

/* Everything below gives RF_BUSY while another thread is using the batch.  A child forked meanwhile inherits a
 * batch that stays busy; its other batches are its own. */

rf_status rf_batch_set_tick(rf_batch *batch, uint64_t tick);
rf_status rf_batch_set_controllers(rf_batch *batch, bool on);

/* Sets one component of a column for every vehicle, the padding included. */
rf_status rf_batch_fill(rf_batch *batch, int column, int component, double value);

/* Steps every vehicle; controllers, when on, run at their rates before the steps they are due. */
rf_status rf_batch_step(rf_batch *batch, uint32_t steps);

/* Computes the output columns into out[width][out_stride], 64-byte aligned, stride as rf_batch_stride. */
rf_status rf_batch_output(rf_batch *batch, void *out);
size_t rf_batch_stride(const rf_batch *batch); /* values */

/* For reading several columns of one moment: between these no other thread can step or change the batch.  Only
 * functions that say so may be called meanwhile. */
rf_status rf_batch_hold(rf_batch *batch);
void rf_batch_let_go(rf_batch *batch);
void rf_batch_output_held(rf_batch *batch, void *out); /* rf_batch_output of a batch that is held */

/* Gives the vehicles RflySim's ports and a navigator (control/navigator.h), which runs with the velocity loop. */
rf_status rf_batch_enable_navigator(rf_batch *batch);
bool rf_batch_navigator(const rf_batch *batch);

/* Takes in the commands in the ports of these vehicles now; a step would do so when the velocity loop is due. */
rf_status rf_batch_accept(rf_batch *batch, size_t first, size_t count);

/* The params and gains of one airframe of a mixed model, in the order of the columns: a command that names it
 * (base/sil.h) gives them to its vehicle. */
size_t rf_batch_airframe_size(const rf_batch *batch); /* values */
rf_status rf_batch_set_airframe(rf_batch *batch, int airframe, const double *values);

/* Where the local frame touches the ellipsoid, for set-points in latitude and longitude. */
rf_status rf_batch_set_origin(rf_batch *batch, double lat_deg, double lon_deg, double height);

/* Snapshots: everything that a step depends on, in rf_batch_snapshot_size bytes. */
size_t rf_batch_snapshot_size(const rf_batch *batch);
rf_status rf_batch_save(rf_batch *batch, void *bytes);
rf_status rf_batch_restore(rf_batch *batch, const void *bytes, size_t size);

#endif

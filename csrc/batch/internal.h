/* SPDX-License-Identifier: BSD-3-Clause */
/* The batch itself, private to this folder. */
#ifndef RF_BATCH_INTERNAL_H
#define RF_BATCH_INTERNAL_H

#include "batch/access.h"
#include "batch/batch.h"
#include "batch/event_tables.h"
#include "batch/memory.h"

struct rf_batch {
    rf_batch_def def;
    const rf_vehicle_type *type;
    const rf_kernel_set *kernels;
    int model;          /* that is stepped: RF_EFFECTS_... or RF_MODEL_EXTENDED */
    size_t stride;      /* values */
    size_t word_stride; /* words */
    rf_columns own;
    rf_columns parts[RF_PART_COUNT];
    rf_origin origin;
    rf_terrain_map terrain_map; /* heights is NULL: none */
    const uint32_t
        *extended_of[RF_PART_COUNT]; /* columns: vehicles where one is not 0 run the extended model */
    int extended_ofs;                /* number of them */
    const rf_scene *scene;           /* or NULL */
    const rf_relief *relief;         /* the terrain map for rays, or NULL */
    rf_library *const *libraries;    /* of vehicles that step themselves; not owned */
    size_t library_count;
    double *airframes; /* of a mixed model, or NULL */
    void *workspace[RF_WORKSPACE_COUNT];
    size_t workspace_bytes[RF_WORKSPACE_COUNT];
    rf_events *events;         /* NULL: none */
    atomic_size_t events_size; /* of their bytes */
    uint64_t tick;
    uint32_t
        substeps; /* of a step of a learning environment that is being taken, from tick `since` on; else 0 */
    uint64_t since;
    uint64_t layout; /* rf_batch_layout_version: to compute it takes longer than to restore a snapshot */
    bool controllers;
    bool safety_checked; /* by a stage of the world, at this tick: the first step does not check again */
    rf_access access;
};

/* Claim a batch and begin to write, for the length of a call. */
bool rf_batch_acquire(rf_batch *batch);
void rf_batch_release(rf_batch *batch);

/* Bytes of columns of that width, padding included. */
size_t rf_batch_bytes_of_reals(const rf_batch *batch, size_t width);
size_t rf_batch_bytes_of_words(const rf_batch *batch, size_t width);

/* Arguments that all kernels of a batch have in common. */
rf_kernel_args rf_batch_kernel_args(const rf_batch *batch);

/* Vehicles to step: n rounded up to whole lanes, not to the padded stride, so that a small batch stays cheap. */
size_t rf_batch_stepped(const rf_batch *batch);

/* Vehicles per piece of work.  A piece takes all its steps before the next one starts; its columns fit the second-level
 * cache. */
#define RF_PIECE_VEHICLES 128

/* Pieces of work for the pool: their number, the vehicles of one, and the threads for so many vehicle steps. */
size_t rf_batch_pieces(const rf_batch *batch);
void rf_batch_piece(const rf_batch *batch, size_t piece, rf_kernel_args *args);
int rf_batch_share(const rf_batch *batch, double vehicle_steps);

/* Runs stages and steps of the vehicles of the arguments, beginning at a tick. */
void rf_batch_step_piece(const rf_batch *batch, rf_kernel_args *args, uint64_t tick, uint32_t steps);

/* Runs the environment stage for those of them whose word is 1, without a step in time. */
void rf_batch_refresh_piece(const rf_batch *batch, const rf_kernel_args *piece, const uint32_t *words);

/* Events of a snapshot: valid at its tick with these parts, NULL for the present ones; made of its bytes, NULL for none;
 * taken over by a locked batch.  `fresh` ones are new, and have no state. */
rf_status rf_events_check(const rf_batch *batch, const void *bytes, size_t size, uint64_t tick,
                          const uint64_t *part_bytes, bool fresh);
rf_status rf_events_make(const rf_batch *batch, const void *bytes, size_t size, rf_events **out);
void rf_events_replace(rf_batch *batch, rf_events *events, const void *bytes, size_t size);
void rf_events_save(const rf_batch *batch, void *bytes); /* while it is read */

/* Runs a kernel with denormals flushed to zero. */
void rf_kernel_run(rf_kernel kernel, const rf_kernel_args *args);

/* Sets an enabled part of all vehicles of a locked batch to its initial state. */
void rf_batch_initialize_part(rf_batch *batch, int part);

/* rf_batch_fill of a stored column of a locked batch. */
void rf_batch_fill_locked(rf_batch *batch, int column, int component, double value);

/* rf_batch_enable_part of a locked batch. */
rf_status rf_batch_make_part(rf_batch *batch, int part);

/* Whether all these are vehicles of the batch, and the part is enabled. */
bool rf_batch_have_part(const rf_batch *batch, int part, const size_t *vehicles, size_t count);

/* The part of a column, or RF_PART_none. */
int rf_batch_column_part(const rf_batch *batch, int column);

/* Writes a value into a stored component of a column, which begins at `start`. */
void rf_batch_write_value(const rf_batch *batch, const rf_column *column, char *start, size_t vehicle,
                          double value);

/* Bytes of the columns of a part, whether it is enabled or not. */
size_t rf_batch_part_bytes(const rf_batch *batch, int part);

#endif

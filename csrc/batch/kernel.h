/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of a kernel: columns and a range of vehicles, not the batch.  One set of kernels exists per vehicle type,
 * instruction set and precision; simd.c lists the tables. */
#ifndef RF_BATCH_KERNEL_H
#define RF_BATCH_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "base/library.h"
#include "math/wgs84.h"
#include "models/terrain_map.h"
#include "parts/parts.h"
#include "scene/sight.h"

/* The stages of a tick, in the order in which they run before the step.  Each has its own period. */
enum rf_stage {
    RF_STAGE_SAFETY,
    RF_STAGE_FAULTS,
    RF_STAGE_ENVIRONMENT,
    RF_STAGE_REBOUND,
    RF_STAGE_SENSORS,
    RF_STAGE_NAVIGATOR, /* commands and guidance */
    RF_STAGE_OUTER,     /* control loops, slowest first */
    RF_STAGE_MIDDLE,
    RF_STAGE_INNER,
    RF_STAGE_POWER,
    RF_STAGE_COUNT
};

typedef struct rf_kernel_args {
    void *columns;      /* first column of floating-point values, 64-byte aligned */
    size_t stride;      /* values from one column to the next */
    uint32_t *words;    /* first 32-bit column */
    size_t word_stride; /* words from one column to the next */
    size_t begin, end;  /* vehicles, multiples of the lane width */
    size_t vehicles;    /* of the batch: those behind fill up a lane */
    double dt;          /* s, one integrator step */
    int integrator;     /* RF_INTEGRATOR_... */
    uint32_t steps;     /* integrator steps to take */
    int model;          /* RF_EFFECTS_... or RF_MODEL_EXTENDED, for stages that compute its derivative */
    uint32_t prefetch;  /* whether the columns exceed the caches */
    double period;      /* s, between two runs of this stage */
    uint64_t tick;      /* integrator steps before these, or before this run of a stage */
    uint32_t substeps;  /* of a step of a learning environment, which began at tick `since`; else 0 */
    uint64_t since;
    const uint32_t *refreshed; /* NULL in a step; else 1 for the vehicles of rf_batch_refresh, 0 for others */
    int begins;                /* whether those begin anew, as a learning environment lets them */
    uint32_t update;           /* runs of this stage before, the low half of their number */
    void *part[RF_PART_COUNT]; /* first column of each part, NULL while it is disabled */
    uint32_t *part_words[RF_PART_COUNT];
    const rf_origin *origin;           /* of the map */
    const rf_terrain_map *terrain_map; /* or NULL */
    rf_sight sight;                    /* what sensors see */
    rf_library *const *libraries;      /* of types whose vehicles step themselves, the model of each */
    size_t library_count;              /* number of them */
    const struct rf_own_model *own;    /* of a model of one's own (base/own_model.h), or NULL */
    const struct rf_own_arithmetic *arithmetic;
    const double *airframes; /* [SIL_AIRFRAMES][params and gains] of a mixed model, or NULL */
    void *out;               /* columns to fill, for the output kernel */
    size_t out_stride;       /* values from one of them to the next */
    void *derivative;        /* columns to fill with that of the state, or NULL; as `out` */
} rf_kernel_args;

typedef void (*rf_kernel)(const rf_kernel_args *args);

/* A kernel of a stage, and the part without which it is skipped, or RF_PART_none. */
typedef struct rf_stage_kernel {
    int stage, part;
    rf_kernel run;
} rf_stage_kernel;

#define RF_STAGE_KERNELS 16 /* maximum number of a list, with the one that ends it */

enum { RF_INTEGRATOR_RK4, RF_INTEGRATOR_EULER, RF_INTEGRATOR_COUNT };
enum { RF_EFFECTS_PLAIN, RF_EFFECTS_FULL, RF_EFFECTS_COUNT };
/* The models of a kernel: those of the effects, and the full one with what some parts add to the derivative. */
enum { RF_MODEL_EXTENDED = RF_EFFECTS_COUNT, RF_MODEL_COUNT };
enum { RF_FLOAT64, RF_FLOAT32, RF_PRECISION_COUNT };

/* The kernels of control loops and guidance. */
typedef struct rf_control_set {
    rf_stage_kernel stages[RF_STAGE_KERNELS]; /* as those of rf_kernel_set, after which they run */
    rf_kernel accept;                         /* accepts navigator commands outside of the stages, or NULL */
    uint32_t offboard;                        /* bits of enum sil_offboard that the guidance supports */
} rf_control_set;

typedef struct rf_kernel_set {
    rf_kernel step[RF_MODEL_COUNT]; /* plain, or extended, may be NULL */
    rf_stage_kernel
        stages[RF_STAGE_KERNELS]; /* those of one stage run in this order; run is NULL after the last */
    rf_kernel output;             /* fills the output columns */
    rf_kernel jet;                /* of vehicles with rotors: computes `rotor_jet`, or NULL */
    rf_kernel body;               /* of types with contacts: computes mass and inertia for them, or NULL */
    const rf_control_set *control;
} rf_kernel_set;

#endif

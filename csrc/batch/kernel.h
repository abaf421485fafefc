/* SPDX-License-Identifier: BSD-3-Clause */
/* What a kernel sees: columns and a range of vehicles, never the batch.  One set of kernels exists per vehicle
 * type, instruction set and precision; simd.c picks the tables once. */
#ifndef RF_BATCH_KERNEL_H
#define RF_BATCH_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "base/origin.h"

/* Loops of the controllers that are due, slowest first. */
enum rf_control_loop {
    RF_LOOP_VELOCITY = 1u << 0, /* position and velocity */
    RF_LOOP_ATTITUDE = 1u << 1,
    RF_LOOP_RATE = 1u << 2,  /* rate and allocation */
    RF_LOOP_ACCEPT = 1u << 3 /* none of them: the navigator takes in commands */
};

#define RF_AIRFRAMES 4 /* that a mixed model can have */

typedef struct rf_kernel_args {
    void *columns;      /* first column of floating-point values, 64-byte aligned */
    size_t stride;      /* values from one column to the next */
    uint32_t *words;    /* first 32-bit column */
    size_t word_stride; /* words from one column to the next */
    size_t begin, end;  /* vehicles, multiples of the lane width */
    double dt;          /* s, one integrator step */
    uint32_t steps;     /* integrator steps to take */
    uint32_t prefetch;  /* whether the columns are too large for the caches */
    uint32_t loops;     /* rf_control_loop bits, for the control kernel */
    double loop_dt[3];  /* s, period of each loop: velocity, attitude, rate */
    void *navigator;    /* its first column, NULL when it is off */
    uint32_t *navigator_words;
    const rf_origin *origin; /* of the map */
    const double *airframes; /* [RF_AIRFRAMES][params and gains] of a mixed model, or NULL */
    void *out;               /* columns to fill, for the output kernel */
    size_t out_stride;       /* values from one of them to the next */
} rf_kernel_args;

typedef void (*rf_kernel)(const rf_kernel_args *args);

typedef struct rf_kernel_set {
    rf_kernel step[2][2]; /* [integrator][effects]: rk4, euler; plain, full */
    rf_kernel control;    /* NULL for a type without controllers */
    rf_kernel output[2];  /* [effects] */
} rf_kernel_set;

enum { RF_INTEGRATOR_RK4, RF_INTEGRATOR_EULER, RF_INTEGRATOR_COUNT };
enum { RF_EFFECTS_PLAIN, RF_EFFECTS_FULL, RF_EFFECTS_COUNT };
enum { RF_FLOAT64, RF_FLOAT32, RF_PRECISION_COUNT };

/* One table per instruction set and precision, indexed by vehicle type as in vehicles/registry.h, and the measure
 * of that set's multiply-add throughput (peak.h). */
#define RF_KERNELS(set)                                                                                      \
    extern const rf_kernel_set rf_kernels_##set##_f64[], rf_kernels_##set##_f32[];                           \
    double rf_peak_gflops_##set##_f64(void);                                                                 \
    double rf_peak_gflops_##set##_f32(void);

RF_KERNELS(base)
RF_KERNELS(avx2)
RF_KERNELS(avx512)
RF_KERNELS(strict)

#endif

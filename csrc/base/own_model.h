/* SPDX-License-Identifier: BSD-3-Clause */
/* A model with the functions of pyrfly_model.h, as a type of vehicles: where its columns are, and what computes them. */
#ifndef RF_BASE_OWN_MODEL_H
#define RF_BASE_OWN_MODEL_H

#include "base/column.h"
#include "pyrfly_model.h"

/* Most rows of a role, those of all vehicles included. */
#define RF_OWN_ROWS 96

/* Vehicles of a call, unless a model takes all of them at once. */
#define RF_OWN_BLOCK 64

/* Values of a row are a multiple of it, and rows begin at a cache line: whole lanes of all instruction sets. */
#define RF_OWN_LANE 8

/* Arithmetic of steps on rows, by the instruction set (vehicles/own_model/blocks.c); `count` values. */
typedef struct rf_own_arithmetic {
    void (*advance)(double *next, const double *from, double weight, double *at, const double *state,
                    double node, const double *slope, size_t count);
    void (*add)(double *next, const double *from, double weight, const double *slope, size_t count);
    void (*normalize)(double *const *q, size_t count);
} rf_own_arithmetic;

/* The model's own rows of a role: the first among the values of a batch, or among its outputs; their number. */
typedef struct rf_own_rows {
    uint16_t first, count;
} rf_own_rows;

typedef struct rf_own_model {
    rf_own_rows rows[PYRFLY_SHARED]; /* by enum pyrfly_role */
    int whole;                       /* whether a call has all vehicles of a batch */
    pyrfly_function derivative, finish, outputs, control, sense; /* as those of pyrfly_model */
    void *context;
} rf_own_model;

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of the functions of a model, with rows of double precision, whatever that of the batch.  A template, included by
 * vehicles/own_model/model.h and control.h. */

#include <stdlib.h>

#include "base/own_model.h"

_Static_assert((int)PYRFLY_OWN_STATE == BODY_ROWS, "rows of the state that all vehicles have");
_Static_assert((int)PYRFLY_AIR_DENSITY == ROWS_OF(TYPED(input)),
               "rows of the input; behind them the air density");
_Static_assert((int)PYRFLY_OWN_PARAM == ROWS_OF(TYPED(param)), "rows of the parameters");

/* Rows of `width` values each, one behind the other, as a function of a model gets them. */
typedef struct TYPED(rows) {
    double *row[RF_OWN_ROWS];
} TYPED(rows);

/* Takes memory for `count` rows, and returns what is left of it. */
static double *TYPED(take)(TYPED(rows) * rows, double *memory, size_t count, size_t width)
{
    for (size_t i = 0; i < count; i++) rows->row[i] = memory + i * width;
    return memory + count * width;
}

static void TYPED(load_rows)(double *const *row, size_t count, const real *column, size_t stride,
                             size_t vehicles)
{
    for (size_t i = 0; i < count; i++, column += stride) {
        for (size_t v = 0; v < vehicles; v++) row[i][v] = (double)column[v];
    }
}

static void TYPED(store_rows)(double *const *row, size_t count, real *column, size_t stride, size_t vehicles)
{
    for (size_t i = 0; i < count; i++, column += stride) {
        for (size_t v = 0; v < vehicles; v++) column[v] = (real)row[i][v];
    }
}

/* Rows of a role from the columns at a vehicle: `shared` ones from the row `first` on, and those of the model behind them. */
static void TYPED(load_role)(const TYPED(rows) * rows, int role, const rf_own_model *own, size_t first,
                             size_t shared, const real *column, size_t stride, size_t vehicles)
{
    const rf_own_rows *mine = &own->rows[role];
    TYPED(load_rows)(rows->row, shared, column + first * stride, stride, vehicles);
    TYPED(load_rows)(rows->row + shared, mine->count, column + mine->first * stride, stride, vehicles);
}

/* Lanes to values of rows from `at` on, and back; `at` is a multiple of the lane width. */
static void TYPED(put_lanes)(double *const *row, size_t at, const lane *lanes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
#if LANE_PRECISION == 64
        lane_store(row[i] + at, lanes[i]);
#else
        const real *values = (const real *)(const void *)&lanes[i];
        for (size_t v = 0; v < LANE_WIDTH; v++) row[i][at + v] = (double)values[v];
#endif
    }
}

static void TYPED(get_lanes)(double *const *row, size_t at, lane *lanes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
#if LANE_PRECISION == 64
        lanes[i] = lane_load(row[i] + at);
#else
        real *values = (real *)(void *)&lanes[i];
        for (size_t v = 0; v < LANE_WIDTH; v++) values[v] = (real)row[i][at + v];
#endif
    }
}

/* Vehicles of `count` from `first` on that are some, and do not only fill up a lane. */
static size_t TYPED(present)(size_t first, size_t count, size_t vehicles)
{
    return first + count <= vehicles ? count : first < vehicles ? vehicles - first : 0;
}

/* Values of the rows of a block that fit on the stack of a thread. */
#define OWN_STACK 8192

/* Memory for the rows of a call: on the stack, or for a model that takes all vehicles at once elsewhere. */
typedef struct TYPED(memory) {
    _Alignas(64) double stack[OWN_STACK];
    void *heap;
    double *values;
    size_t width; /* of a row */
} TYPED(memory);

/* Prepares memory for so many rows and vehicles, which are then computed in blocks of its width. */
static void TYPED(open_memory)(TYPED(memory) * m, const rf_own_model *own, size_t rows, size_t vehicles)
{
    const size_t fits = OWN_STACK / rows / RF_OWN_LANE * RF_OWN_LANE;
    m->heap = NULL;
    m->values = m->stack;
    m->width = fits < RF_OWN_BLOCK ? fits : RF_OWN_BLOCK;
    if (!own->whole || vehicles <= fits) return;
    const size_t all = (vehicles + RF_OWN_LANE - 1) / RF_OWN_LANE * RF_OWN_LANE;
    m->heap = malloc(rows * all * sizeof *m->values + 64);
    if (m->heap == NULL) return; /* in blocks, as other models */
    m->values = (double *)(((uintptr_t)m->heap + 63) / 64 * 64);
    m->width = all;
}

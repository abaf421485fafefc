/* SPDX-License-Identifier: BSD-3-Clause */
/* The model of the vehicles of a lane: derivative and outputs of the present state.  A template, included by
 * vehicles/own_model/model.h. */

#include <string.h>

#include "vehicles/own_model/call.h"

/* Inputs and parameters of the vehicles of a lane from `at` on, after faults, with gusts, and the gravity of the environment. */
static void TYPED(put_plant)(const TYPED(rows) * input, const TYPED(rows) * param, size_t at,
                             const TYPED(plant) * m)
{
    TYPED(put_lanes)(input->row, at, (const lane *)&m->in, PYRFLY_AIR_DENSITY);
    TYPED(put_lanes)(input->row + PYRFLY_AIR_DENSITY, at, &m->density, 1);
    TYPED(put_lanes)(param->row, at, (const lane *)&m->p, PYRFLY_OWN_PARAM);
}

/* Rows that are read alone: of a batch of double precision its columns, else copies in the memory of the rows. */
static void TYPED(see_rows)(double **row, size_t count, real *column, size_t stride, size_t vehicles)
{
#if LANE_PRECISION == 64
    (void)vehicles;
    for (size_t i = 0; i < count; i++) row[i] = column + i * stride;
#else
    TYPED(load_rows)(row, count, column, stride, vehicles);
#endif
}

/* The model's own inputs and parameters. */
static void TYPED(see_own)(TYPED(rows) * input, TYPED(rows) * param, const rf_own_model *own, real *column,
                           size_t stride, size_t vehicles)
{
    const rf_own_rows *inputs = &own->rows[PYRFLY_INPUT], *params = &own->rows[PYRFLY_PARAM];
    TYPED(see_rows)
    (input->row + PYRFLY_OWN_INPUT, inputs->count, column + inputs->first * stride, stride, vehicles);
    TYPED(see_rows)
    (param->row + PYRFLY_OWN_PARAM, params->count, column + params->first * stride, stride, vehicles);
}

/* What the functions of the model get of the vehicles of a lane. */
typedef struct TYPED(lane_call) {
    TYPED(rows) state, input, param, result;
    _Alignas(64) double memory[4 * RF_OWN_ROWS * LANE_WIDTH];
} TYPED(lane_call);

static pyrfly_block TYPED(call_lane)(TYPED(lane_call) * c, const TYPED(state) * s, const TYPED(plant) * m)
{
    const block *b = m->b;
    const rf_own_model *own = b->own;
    const rf_own_rows *states = &own->rows[PYRFLY_STATE];
    double *memory = c->memory;
    memset(c->memory, 0,
           sizeof c->memory); /* what a function leaves out, and behind the last vehicle, is 0 */
    memory = TYPED(take)(&c->state, memory, RF_OWN_ROWS, LANE_WIDTH);
    memory = TYPED(take)(&c->input, memory, RF_OWN_ROWS, LANE_WIDTH);
    memory = TYPED(take)(&c->param, memory, RF_OWN_ROWS, LANE_WIDTH);
    TYPED(take)(&c->result, memory, RF_OWN_ROWS, LANE_WIDTH);
    TYPED(put_lanes)(c->state.row, 0, (const lane *)s, BODY_ROWS);
    TYPED(load_rows)
    (c->state.row + PYRFLY_OWN_STATE, states->count, b->column + states->first * b->stride, b->stride,
     LANE_WIDTH);
    TYPED(put_plant)(&c->input, &c->param, 0, m);
    TYPED(see_own)(&c->input, &c->param, own, b->column, b->stride, LANE_WIDTH);
    return (pyrfly_block){.size = sizeof(pyrfly_block),
                          .count = (uint32_t)TYPED(present)(b->first, LANE_WIDTH, b->vehicles),
                          .time = (double)b->tick * (double)b->dt,
                          .period = (double)b->dt,
                          .state = (const double *const *)c->state.row,
                          .input = (const double *const *)c->input.row,
                          .param = (const double *const *)c->param.row,
                          .context = own->context};
}

/* The derivative that the model tells, and of its own state. */
static __attribute__((noinline)) void TYPED(derive_lane)(const TYPED(state) * s, const TYPED(plant) * m,
                                                         TYPED(state) * d)
{
    TYPED(lane_call) c;
    pyrfly_block call = TYPED(call_lane)(&c, s, m);
    call.derivative = c.result.row;
    m->b->own->derivative(&call);
    TYPED(get_lanes)(c.result.row, 0, (lane *)d, BODY_ROWS);
}

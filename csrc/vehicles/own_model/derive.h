/* SPDX-License-Identifier: BSD-3-Clause */
/* The model of the vehicles of a lane: derivative and outputs of the present state.  A template, included by
 * vehicles/own_model/model.h. */

#include "vehicles/own_model/call.h"

/* Inputs, after faults and with gusts, of the vehicles of a lane from `at` on. */
static void TYPED(put_inputs)(const TYPED(rows) * input, size_t at, const TYPED(plant) * m)
{
    TYPED(put_lanes)(input->row, at, (const lane *)&m->in, PYRFLY_AIR_DENSITY);
    TYPED(put_lanes)(input->row + PYRFLY_AIR_DENSITY, at, &m->density, 1);
}

/* What the functions of the model get of the vehicles of a lane. */
typedef struct TYPED(lane_call) {
    TYPED(rows) state, input, param, result;
    double memory[4 * RF_OWN_ROWS * LANE_WIDTH];
} TYPED(lane_call);

static pyrfly_block TYPED(call_lane)(TYPED(lane_call) * c, const TYPED(state) * s, const TYPED(plant) * m)
{
    const block *b = m->b;
    const rf_own_model *own = b->own;
    const rf_own_rows *mine = own->rows;
    double *memory = c->memory;
    memory = TYPED(take)(&c->state, memory, RF_OWN_ROWS, LANE_WIDTH);
    memory = TYPED(take)(&c->input, memory, RF_OWN_ROWS, LANE_WIDTH);
    memory = TYPED(take)(&c->param, memory, RF_OWN_ROWS, LANE_WIDTH);
    TYPED(take)(&c->result, memory, RF_OWN_ROWS, LANE_WIDTH);
    TYPED(put_lanes)(c->state.row, 0, (const lane *)s, BODY_ROWS);
    TYPED(load_rows)
    (c->state.row + PYRFLY_OWN_STATE, mine[PYRFLY_STATE].count,
     b->column + mine[PYRFLY_STATE].first * b->stride, b->stride, LANE_WIDTH);
    TYPED(put_inputs)(&c->input, 0, m);
    TYPED(load_rows)
    (c->input.row + PYRFLY_OWN_INPUT, mine[PYRFLY_INPUT].count,
     b->column + mine[PYRFLY_INPUT].first * b->stride, b->stride, LANE_WIDTH);
    TYPED(load_role)
    (&c->param, PYRFLY_PARAM, own, TYPED(PARAM_ROW), PYRFLY_OWN_PARAM, b->column, b->stride, LANE_WIDTH);
    return (pyrfly_block){.size = sizeof(pyrfly_block),
                          .count = LANE_WIDTH,
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

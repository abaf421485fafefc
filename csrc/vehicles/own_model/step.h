/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps and outputs of a model of one's own, over blocks of vehicles: the core integrates, the model has the derivative.  A
 * template, included after batch/step_kernels.h. */

/* What a step has of a block of vehicles: their state, that of a stage, its derivative, and the sum of them. */
typedef struct TYPED(work) {
    const rf_kernel_args *args;
    const rf_own_model *own;
    size_t first, count; /* vehicles */
    size_t width;        /* values of a row */
    size_t states;       /* rows of the state */
    TYPED(rows) state, at, slope, next, input, param;
    int disturbed; /* whether parts may add to the derivative */
} TYPED(work);

/* Rows of a block. */
static size_t TYPED(work_rows)(const rf_own_model *own)
{
    return 4 * ((size_t)PYRFLY_OWN_STATE + own->rows[PYRFLY_STATE].count) + (size_t)PYRFLY_OWN_INPUT +
           own->rows[PYRFLY_INPUT].count + (size_t)PYRFLY_OWN_PARAM + own->rows[PYRFLY_PARAM].count;
}

static double *TYPED(lay_out)(TYPED(work) * w, double *memory)
{
    memory = TYPED(take)(&w->state, memory, w->states, w->width);
    memory = TYPED(take)(&w->at, memory, w->states, w->width);
    memory = TYPED(take)(&w->slope, memory, w->states, w->width);
    memory = TYPED(take)(&w->next, memory, w->states, w->width);
    memory =
        TYPED(take)(&w->input, memory, (size_t)PYRFLY_OWN_INPUT + w->own->rows[PYRFLY_INPUT].count, w->width);
    return TYPED(take)(&w->param, memory, (size_t)PYRFLY_OWN_PARAM + w->own->rows[PYRFLY_PARAM].count,
                       w->width);
}

static void TYPED(load_work)(TYPED(work) * w)
{
    const size_t present = TYPED(present)(w->first, w->count, w->args->vehicles);
    for (size_t i = 0; i < w->states; i++) { /* vehicles that only fill up a lane rest */
        for (size_t v = present; v < w->count; v++) w->slope.row[i][v] = 0;
    }
    const rf_kernel_args *args = w->args;
    real *column = (real *)args->columns + w->first;
    TYPED(load_role)
    (&w->state, PYRFLY_STATE, w->own, 0, PYRFLY_OWN_STATE, column, args->stride, w->count);
    TYPED(see_own)(&w->input, &w->param, w->own, column, args->stride, w->count);
    for (size_t v = 0; v < w->count; v += LANE_WIDTH) {
        const block b = block_at(args, w->first + v);
        TYPED(plant) m;
        TYPED(load_extended_plant)(&m, &b);
        TYPED(put_plant)(&w->input, &w->param, v, &m);
        w->disturbed = TYPED(disturbed)(&b);
    }
}

/* Adds what parts do to the derivative at a state. */
static __attribute__((noinline)) void TYPED(disturb_block)(TYPED(work) * w, const TYPED(rows) * at)
{
    for (size_t v = 0; v < w->count; v += LANE_WIDTH) {
        const block b = block_at(w->args, w->first + v);
        TYPED(plant) m;
        TYPED(state) s, d;
        TYPED(load_extended_plant)(&m, &b);
        TYPED(get_lanes)(at->row, v, (lane *)&s, BODY_ROWS);
        TYPED(get_lanes)(w->slope.row, v, (lane *)&d, BODY_ROWS);
        TYPED(disturb)(&s, &m, &d);
        TYPED(put_lanes)(w->slope.row, v, (const lane *)&d, BODY_ROWS);
    }
}

/* q' = q (0, w) / 2 of all vehicles, added times dt to `from`, into `to`. */
static void TYPED(turn)(TYPED(work) * w, double *const *to, double *const *from, double dt)
{
    double *const *q = from + PYRFLY_ATT, *const *out = to + PYRFLY_ATT, *const *rate = to + PYRFLY_RATE;
    const double half = dt / 2;
    for (size_t v = 0; v < w->count; v++) {
        const double a = q[0][v], b = q[1][v], c = q[2][v], d = q[3][v];
        const double x = rate[0][v], y = rate[1][v], z = rate[2][v];
        out[0][v] = a + half * -(b * x + c * y + d * z);
        out[1][v] = b + half * (a * x + c * z - d * y);
        out[2][v] = c + half * (a * y - b * z + d * x);
        out[3][v] = d + half * (a * z + b * y - c * x);
    }
}

/* Position and attitude of an Euler step from the new velocities, as all families do. */
static void TYPED(semi_implicit)(TYPED(work) * w, double dt)
{
    for (size_t i = 0; i < 3; i++) {
        double *const pos = w->next.row[PYRFLY_POS + i], *const from = w->state.row[PYRFLY_POS + i],
                      *const vel = w->next.row[PYRFLY_VEL + i];
        for (size_t v = 0; v < w->count; v++) pos[v] = from[v] + dt * vel[v];
    }
    TYPED(turn)(w, w->next.row, w->state.row, dt);
}

/* Rounds the state after a step to the precision of the batch, so that it does not depend on how many steps a call takes. */
static void TYPED(round_block)(TYPED(work) * w, uint32_t k)
{
#if LANE_PRECISION == 32
    for (size_t v = 0; v < w->count; v += LANE_WIDTH) {
        const block b = block_at(w->args, w->first + v);
        vec3 before, after;
        TYPED(get_lanes)(w->state.row, v, (lane *)&before, 3);
        for (size_t i = 0; i < LANE_WIDTH; i++) {
            for (size_t row = 0; row < 3; row++) w->next.row[row][v + i] -= w->state.row[row][v + i];
        }
        TYPED(get_lanes)(w->next.row, v, (lane *)&after, 3);
        after = vec3_add_dithered(before, after, dither_of(first_step(w->args, &b) + k));
        TYPED(put_lanes)(w->next.row, v, (const lane *)&after, 3);
    }
    for (size_t row = PYRFLY_VEL; row < w->states; row++) {
        for (size_t v = 0; v < w->count; v++) w->next.row[row][v] = (double)(real)w->next.row[row][v];
    }
#else
    (void)w, (void)k;
#endif
}

/* What a function gets of a block, `k` steps on; it writes the derivative. */
static pyrfly_block TYPED(call_block)(const TYPED(work) * w, uint32_t k)
{
    return (pyrfly_block){.size = sizeof(pyrfly_block),
                          .count = (uint32_t)TYPED(present)(w->first, w->count, w->args->vehicles),
                          .time = (double)(w->args->tick + k) * w->args->dt,
                          .period = w->args->dt,
                          .state = (const double *const *)w->state.row,
                          .input = (const double *const *)w->input.row,
                          .param = (const double *const *)w->param.row,
                          .derivative = w->slope.row,
                          .context = w->own->context};
}

/* One step; its result is `state` again. */
static void TYPED(step_rows)(TYPED(work) * w, const scheme *by, uint32_t k)
{
    const rf_own_arithmetic *does = w->args->arithmetic;
    const size_t values = w->states * w->width;
    double *const state = w->state.row[0], *const at = w->at.row[0], *const slope = w->slope.row[0],
                  *const next = w->next.row[0];
    pyrfly_block call = TYPED(call_block)(w, k);
    const double *from = state;
    for (int stage = 0;; stage++, from = next) {
        w->own->derivative(&call);
        if (w->disturbed) TYPED(disturb_block)(w, stage == 0 ? &w->state : &w->at);
        if (stage == by->stages - 1) break;
        does->advance(next, from, by->weight[stage], at, state, by->node[stage], slope, values);
        call.state = (const double *const *)w->at.row;
    }
    does->add(next, from, by->weight[by->stages - 1], slope, values);
    if (by->stages == 1) TYPED(semi_implicit)(w, w->args->dt);
    does->normalize(w->next.row + PYRFLY_ATT, w->width);
    if (w->own->finish != NULL) {
        call.state = (const double *const *)w->next.row;
        call.derivative = NULL;
        call.next = w->next.row;
        w->own->finish(&call);
    }
    TYPED(round_block)(w, k);
    const TYPED(rows) stepped = w->next;
    w->next = w->state;
    w->state = stepped;
}

/* Stores the state of the vehicles of a lane, except of those that are faulty. */
static void TYPED(store_lane)(TYPED(work) * w, size_t v)
{
    const block b = block_at(w->args, w->first + v);
    const rf_own_rows *mine = &w->own->rows[PYRFLY_STATE];
    uint32_t *status = block_flag(&b, RF_FLAG_STATUS);
    TYPED(state) s;
    lane own[RF_OWN_ROWS], squares = lane_of(0);
    TYPED(get_lanes)(w->state.row, v, (lane *)&s, BODY_ROWS);
    TYPED(get_lanes)(w->state.row + PYRFLY_OWN_STATE, v, own, mine->count);
    for (size_t i = 0; i < mine->count; i++) squares += own[i] * own[i];
    const mask bits = words_load(status) | TYPED(check_envelope)(&s) | body_not_finite(squares);
    words_store(status, bits);
    const mask sound = bits == 0;
    rows_store_where(sound, (const lane *)&s, BODY_ROWS, b.column, b.stride);
    rows_store_where(sound, own, mine->count, b.column + mine->first * b.stride, b.stride);
}

static void TYPED(step_work)(TYPED(work) * w, double *memory)
{
    const rf_kernel_args *args = w->args;
    const scheme by = scheme_of(args->integrator, (real)args->dt);
    TYPED(lay_out)(w, memory);
    TYPED(load_work)(w);
    for (uint32_t k = 0; k < args->steps; k++) TYPED(step_rows)(w, &by, k);
    for (size_t v = 0; v < w->count; v += LANE_WIDTH) TYPED(store_lane)(w, v);
}

static TYPED(work) TYPED(work_of)(const rf_kernel_args *args, size_t width)
{
    return (TYPED(work)){.args = args,
                         .own = args->own,
                         .width = width,
                         .states = (size_t)PYRFLY_OWN_STATE + args->own->rows[PYRFLY_STATE].count};
}

static void TYPED(step_extended)(const rf_kernel_args *args)
{
    const rf_own_model *own = args->own;
    TYPED(memory) memory;
    TYPED(open_memory)(&memory, own, TYPED(work_rows)(own), args->end - args->begin);
    TYPED(work) w = TYPED(work_of)(args, memory.width);
    for (w.first = args->begin; w.first < args->end; w.first += w.width) {
        w.count = args->end - w.first < w.width ? args->end - w.first : w.width;
        TYPED(step_work)(&w, memory.values);
    }
    free(memory.heap);
}

/* The outputs and derivatives of the model's own columns, for the vehicles of a lane. */
static void TYPED(further)(const block *b, const rf_kernel_args *args)
{
    const rf_own_model *own = args->own;
    const rf_own_rows *outputs = &own->rows[PYRFLY_OUTPUT], *states = &own->rows[PYRFLY_STATE];
    TYPED(state) s;
    TYPED(plant) m;
    TYPED(lane_call) c;
    TYPED(load_state)(&s, b);
    TYPED(load_extended_plant)(&m, b);
    pyrfly_block call = TYPED(call_lane)(&c, &s, &m);
    if (own->outputs != NULL) {
        real *const out = (real *)args->out + b->first;
        call.output = c.result.row;
        own->outputs(&call);
        TYPED(store_rows)
        (c.result.row, PYRFLY_OWN_OUTPUT,
         out + (offsetof(body_output, displayed_actuators) / sizeof(lane)) * args->out_stride,
         args->out_stride, LANE_WIDTH);
        TYPED(store_rows)
        (c.result.row + PYRFLY_OWN_OUTPUT, outputs->count, out + outputs->first * args->out_stride,
         args->out_stride, LANE_WIDTH);
        call.output = NULL;
    }
    if (args->derivative == NULL) return;
    call.derivative = c.result.row;
    own->derivative(&call);
    TYPED(store_rows)
    (c.result.row + PYRFLY_OWN_STATE, states->count,
     (real *)args->derivative + b->first + PYRFLY_OWN_STATE * args->out_stride, args->out_stride, LANE_WIDTH);
}

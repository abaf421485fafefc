/* SPDX-License-Identifier: BSD-3-Clause */
/* The sensors of a model of one's own, over blocks of vehicles.  A template, included after vehicles/own_model/step.h. */

#include "parts/random.h"

/* Streams of math/philox.h: eight rows of noise each. */
enum { TYPED(NOISE_STREAM) = 0x4F574E53 };

/* What a run of the sensors has of a block of vehicles besides what a step has. */
typedef struct TYPED(senses) {
    TYPED(work) work;
    TYPED(rows) force, sensor, noise;
} TYPED(senses);

static size_t TYPED(sense_rows)(const rf_own_model *own)
{
    return TYPED(work_rows)(own) + 3 + 2 * (size_t)own->rows[PYRFLY_SENSOR].count;
}

static void TYPED(lay_out_senses)(TYPED(senses) * s, double *memory)
{
    const size_t values = s->work.own->rows[PYRFLY_SENSOR].count, width = s->work.width;
    memory = TYPED(lay_out)(&s->work, memory);
    memory = TYPED(take)(&s->force, memory, 3, width);
    memory = TYPED(take)(&s->sensor, memory, values, width);
    TYPED(take)(&s->noise, memory, values, width);
}

/* The derivative of vehicles with fault flags, which keep their state, is 0. */
static void TYPED(hold_faulty)(TYPED(work) * w)
{
    const block b = block_at(w->args, w->first);
    const uint32_t *status = block_flag(&b, RF_FLAG_STATUS);
    for (size_t v = 0; v < w->count; v++) {
        for (size_t row = 0; status[v] != 0 && row < w->states; row++) w->slope.row[row][v] = 0;
    }
}

/* Adds impacts to the derivative of the vehicles of a lane, and computes their specific force. */
static void TYPED(feel)(TYPED(senses) * s, size_t v)
{
    const block b = block_at(s->work.args, s->work.first + v);
    TYPED(plant) m;
    TYPED(state) at, d;
    TYPED(load_extended_plant)(&m, &b);
    TYPED(get_lanes)(s->work.state.row, v, (lane *)&at, BODY_ROWS);
    TYPED(get_lanes)(s->work.slope.row, v, (lane *)&d, BODY_ROWS);
    if (s->work.args->model == RF_MODEL_EXTENDED) collision_add_impacts(&b, &d.vel, &d.rate);
    const vec3 free_fall = TYPED(free_fall)(&at, &m, &b, EXTENDED);
    const vec3 force = to_body(rotation_from_quat(at.att), sub(d.vel, free_fall));
    TYPED(put_lanes)(s->work.slope.row, v, (const lane *)&d, BODY_ROWS);
    TYPED(put_lanes)(s->force.row, v, (const lane *)&force, 3);
}

/* The noise of the vehicles of a lane. */
static void TYPED(draw)(TYPED(senses) * s, size_t v)
{
    const block b = block_at(s->work.args, s->work.first + v);
    const size_t values = s->work.own->rows[PYRFLY_SENSOR].count;
    random_block words;
    lane normal[2];
    for (size_t i = 0; i < values; i += 2) {
        if (i % 8 == 0) block_random(&words, &b, TYPED(NOISE_STREAM) + (uint32_t)(i / 8));
        noise_of_words(words.word[i % 8 / 2], &normal[0], &normal[1]);
        TYPED(put_lanes)(s->noise.row + i, v, normal, i + 1 < values ? 2 : 1);
    }
}

static void TYPED(sense_block)(TYPED(senses) * s)
{
    TYPED(work) *const w = &s->work;
    const rf_own_rows *mine = &w->own->rows[PYRFLY_SENSOR];
    real *const column = (real *)w->args->columns + mine->first * w->args->stride + w->first;
    TYPED(load_work)(w);
    TYPED(load_rows)(s->sensor.row, mine->count, column, w->args->stride, w->count);
    pyrfly_block call = TYPED(call_block)(w, 0);
    w->own->derivative(&call);
    if (w->disturbed) TYPED(disturb_block)(w, &w->state);
    TYPED(hold_faulty)(w);
    for (size_t v = 0; v < w->count; v += LANE_WIDTH) {
        TYPED(feel)(s, v);
        TYPED(draw)(s, v);
    }
    call.period = w->args->period;
    call.specific_force = (const double *const *)s->force.row;
    call.sensor = s->sensor.row;
    call.noise = (const double *const *)s->noise.row;
    w->own->sense(&call);
    TYPED(store_rows)(s->sensor.row, mine->count, column, w->args->stride, w->count);
}

static void TYPED(sense_own_blocks)(const rf_kernel_args *args)
{
    const rf_own_model *own = args->own;
    TYPED(memory) memory;
    TYPED(open_memory)(&memory, own, TYPED(sense_rows)(own), args->end - args->begin);
    TYPED(senses) s = {.work = TYPED(work_of)(args, memory.width)};
    for (s.work.first = args->begin; s.work.first < args->end; s.work.first += memory.width) {
        const size_t left = args->end - s.work.first;
        s.work.count = left < memory.width ? left : memory.width;
        TYPED(lay_out_senses)(&s, memory.values);
        TYPED(sense_block)(&s);
    }
    free(memory.heap);
}

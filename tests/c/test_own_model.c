/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of one's own: an oscillator with a state of its own, x'' = -w^2 x, beside a body that falls. */
#define _GNU_SOURCE
#include "test.h"

#include "base/platform.h"
#include "batch/batch.h"
#include "batch/simd.h"

#define VEHICLES 131 /* more than a piece, and no multiple of a lane */

static void derivative(const pyrfly_block *b)
{
    for (uint32_t i = 0; i < b->count; i++) {
        const double w = b->param[PYRFLY_OWN_PARAM][i];
        for (int row = 0; row < PYRFLY_OWN_STATE; row++) b->derivative[row][i] = 0;
        for (int k = 0; k < 3; k++) b->derivative[PYRFLY_POS + k][i] = b->state[PYRFLY_VEL + k][i];
        b->derivative[PYRFLY_VEL + 2][i] = b->param[PYRFLY_GRAVITY][i] * (1 - b->input[PYRFLY_COMMAND][i]);
        b->derivative[PYRFLY_OWN_STATE][i] = b->state[PYRFLY_OWN_STATE + 1][i];
        b->derivative[PYRFLY_OWN_STATE + 1][i] = -w * w * b->state[PYRFLY_OWN_STATE][i];
    }
}

static void outputs(const pyrfly_block *b)
{
    for (uint32_t i = 0; i < b->count; i++) {
        for (int k = 0; k < 8; k++) b->output[PYRFLY_DISPLAYED + k][i] = k;
        b->output[PYRFLY_OWN_OUTPUT][i] = 2 * b->state[PYRFLY_OWN_STATE][i];
    }
}

/* Carries the vehicle while it is armed, and counts its runs. */
static void control(const pyrfly_block *b)
{
    for (uint32_t i = 0; i < b->count; i++) {
        b->controller[PYRFLY_OWN_CONTROLLER][i] += 1;
        b->command[0][i] = b->armed[i];
    }
}

/* Counts its runs, and keeps the noise. */
static void sense(const pyrfly_block *b)
{
    for (uint32_t i = 0; i < b->count; i++) {
        b->sensor[PYRFLY_OWN_SENSOR][i] += 1;
        for (int k = 1; k < 11; k++) b->sensor[PYRFLY_OWN_SENSOR + k][i] = b->noise[PYRFLY_OWN_SENSOR + k][i];
    }
}

static const rf_column columns[] = {
    {"swing", "m", "", "displacement and its rate", 2, PYRFLY_STATE},
    {"omega", "rad/s", "", "angular frequency", 1, PYRFLY_PARAM},
    {"runs", "1", "", "runs of the controller", 1, PYRFLY_CONTROLLER},
    {"samples", "1", "", "runs of the sensors", 1, PYRFLY_SENSOR},
    {"hiss", "1", "", "noise", 10, PYRFLY_SENSOR},
    {"twice", "m", "", "two displacements", 1, PYRFLY_OUTPUT},
};

/* A batch of the model, of which one half is armed, with an instruction set. */
static rf_batch *oscillators_by(const rf_simd *simd, int precision, int whole)
{
    static int known[2];
    const rf_own_model model = {
        .whole = whole, .derivative = derivative, .outputs = outputs, .control = control, .sense = sense};
    if (known[whole] == 0) {
        known[whole] = rf_type_add_model(whole ? "whole" : "swinging", "an oscillator", columns, 6, &model);
    }
    rf_batch_def def = rf_batch_default();
    def.type = known[whole];
    def.n = VEHICLES;
    def.precision = precision;
    def.threads = 2;
    if (simd != NULL) def.simd = simd;
    rf_batch *batch;
    if (rf_batch_create(&def, &batch) != RF_OK) return NULL;
    rf_batch_fill(batch, rf_batch_column_find(batch, "att"), 0, 1);
    rf_batch_fill(batch, rf_batch_column_find(batch, "mass"), 0, 2);
    rf_batch_fill(batch, rf_batch_column_find(batch, "gravity"), 0, 10);
    for (int k = 0; k < 3; k++) rf_batch_fill(batch, rf_batch_column_find(batch, "inertia"), k, 1);
    rf_batch_fill(batch, rf_batch_column_find(batch, "swing"), 0, 1);
    rf_batch_fill(batch, rf_batch_column_find(batch, "omega"), 0, 3);
    size_t stride;
    uint32_t *armed = rf_batch_column(batch, rf_batch_column_find(batch, "armed"), &stride);
    for (size_t i = VEHICLES / 2; i < VEHICLES; i++) armed[i] = 1;
    rf_batch_set_controllers(batch, true);
    return batch;
}

static rf_batch *oscillators(int precision, int whole)
{
    return oscillators_by(NULL, precision, whole);
}

static double value_at(rf_batch *batch, const char *name, int component, size_t vehicle)
{
    size_t stride;
    const char *start = rf_batch_column(batch, rf_batch_column_find(batch, name), &stride);
    start += (size_t)component * stride;
    return rf_batch_get_def(batch)->precision == RF_FLOAT64 ? ((const double *)(const void *)start)[vehicle]
                                                            : ((const float *)(const void *)start)[vehicle];
}

static void swings_like_the_closed_form(void)
{
    for (int whole = 0; whole < 2; whole++) {
        for (int precision = RF_FLOAT64; precision <= RF_FLOAT32; precision++) {
            const double near = precision == RF_FLOAT64 ? 1e-9 : 2e-4;
            rf_batch *batch = oscillators(precision, whole);
            ENSURE(batch != NULL);
            ENSURE(rf_batch_step(batch, 1000) == RF_OK);
            for (size_t i = 0; i < VEHICLES; i += 13) {
                ENSURE_NEAR(value_at(batch, "swing", 0, i), cos(3), near);
                ENSURE_NEAR(value_at(batch, "vel", 2, i), i < VEHICLES / 2 ? 10 : 0, 100 * near);
                ENSURE_NEAR(value_at(batch, "runs", 0, i), 500, 0);
            }
            rf_batch_destroy(batch);
        }
    }
}

static void gives_outputs_and_derivatives_of_its_own(void)
{
    rf_batch *batch = oscillators(RF_FLOAT64, 0);
    ENSURE(batch != NULL);
    const size_t stride = rf_batch_stride(batch), outs = 3 * 5 + 8 + 9 + 1, states = PYRFLY_OWN_STATE + 2;
    double *memory = rf_aligned_alloc(64, (outs + states) * stride * sizeof *memory);
    ENSURE(rf_batch_derivative(batch, memory, memory + outs * stride) == RF_OK);
    const double *derivative_of = memory + outs * stride;
    ENSURE_NEAR(memory[(outs - 1) * stride + VEHICLES - 1], 2, 0);
    ENSURE_NEAR(memory[(3 * 5 + 3) * stride], 3, 0); /* displayed */
    ENSURE_NEAR(derivative_of[(PYRFLY_OWN_STATE + 1) * stride + 5], -9, 1e-12);
    rf_aligned_free(memory);
    rf_batch_destroy(batch);
}

/* Noise is that of float32 in both precisions, but for its sums. */
static void noise_does_not_depend_on_blocks_and_instruction_sets(void)
{
    rf_batch *known = oscillators(RF_FLOAT64, 0);
    ENSURE(rf_batch_step(known, 42) == RF_OK);
    for (const rf_simd *const *simd = rf_simd_available(); *simd != NULL; simd++) {
        for (int k = 0; k < 4; k++) {
            rf_batch *batch = oscillators_by(*simd, k / 2 == 0 ? RF_FLOAT64 : RF_FLOAT32, k % 2);
            for (int step = 0; step < 42; step += 7) ENSURE(rf_batch_step(batch, 7) == RF_OK);
            for (size_t i = 0; i < VEHICLES; i++) {
                ENSURE_NEAR(value_at(batch, "samples", 0, i), 11, 0);
                for (int row = 0; row < 10; row++) {
                    ENSURE_NEAR(value_at(batch, "hiss", row, i), value_at(known, "hiss", row, i), 0);
                }
            }
            rf_batch_destroy(batch);
        }
    }
    ENSURE(value_at(known, "hiss", 0, 0) != value_at(known, "hiss", 9, 0));
    rf_batch_destroy(known);
}

TEST_SUITE(own_model)
{
    RUN(swings_like_the_closed_form);
    RUN(gives_outputs_and_derivatives_of_its_own);
    RUN(noise_does_not_depend_on_blocks_and_instruction_sets);
}

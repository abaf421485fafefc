/* SPDX-License-Identifier: BSD-3-Clause */
/* The navigator under the sanitizers: any bits in its inputs, with every instruction set and precision; its memory. */
#include "base/sil.h"
#include "batch/batch.h"

#include <stdint.h>
#include <stdlib.h>

#include "math/philox.h"
#include "quadrotors.h"
#include "test.h"

enum { FLEET = 37, ROUNDS = 40 };

static rf_batch *fleet(const rf_simd *simd, int precision)
{
    rf_batch_def def = rf_batch_default();
    def.n = FLEET;
    def.simd = simd;
    def.precision = precision;
    return quadrotors(def);
}

static uint32_t bits(uint32_t round, uint32_t vehicle, uint32_t component)
{
    uint32_t word = random_words(2024, vehicle, component, round).word[0];
    return component == 0 && round % 2 == 0 ? word | SIL_COMMAND_ENABLE | SIL_COMMAND_ARMED : word;
}

static void write_bits(rf_batch *batch, uint32_t round)
{
    bool wide = rf_batch_get_def(batch)->precision == RF_FLOAT64;
    for (uint32_t v = 0; v < FLEET; v++) {
        for (int i = 0; i < SIL_INTS; i++) {
            ((uint32_t *)(void *)values(batch, "sil_ints", i))[v] = bits(round, v, (uint32_t)i);
        }
        for (int i = 0; i < SIL_FLOATS; i++) {
            uint32_t word = bits(round, v, 100 + (uint32_t)i);
            float value;
            memcpy(&value, &word, sizeof value);
            void *row = values(batch, "sil_floats", i);
            if (wide) ((double *)row)[v] = value;
            if (!wide) ((float *)row)[v] = value;
        }
    }
}

static bool all_finite(rf_batch *batch, const char *name)
{
    bool wide = rf_batch_get_def(batch)->precision == RF_FLOAT64;
    for (int i = 0; i < rf_batch_column_row(batch, column_number(batch, name))->width; i++) {
        void *row = values(batch, name, i);
        for (size_t v = 0; v < FLEET; v++) {
            if (!isfinite(wide ? ((double *)row)[v] : (double)((float *)row)[v])) return false;
        }
    }
    return true;
}

static void any_bits_in_the_inputs_are_harmless(void)
{
    for (const rf_simd *const *simd = rf_simd_available(); *simd != NULL; simd++) {
        for (int precision = 0; precision < RF_PRECISION_COUNT; precision++) {
            rf_batch *batch = fleet(*simd, precision);
            for (uint32_t round = 0; round < ROUNDS; round++) {
                write_bits(batch, round);
                if (round % 3 == 0) ENSURE(rf_batch_accept(batch, round % FLEET, 1) == RF_OK);
                ENSURE(rf_batch_step(batch, 25) == RF_OK);
            }
            ENSURE(all_finite(batch, "pos") && all_finite(batch, "vel") && all_finite(batch, "att"));
            ENSURE(all_finite(batch, "pos_sp") && all_finite(batch, "vel_sp") && all_finite(batch, "att_sp"));
            ENSURE(all_finite(batch, "navigator_goal") && all_finite(batch, "velocity_integral"));
            rf_batch_destroy(batch);
        }
    }
}

static void a_disabled_navigator_has_no_columns(void)
{
    rf_batch_def def = rf_batch_default();
    rf_batch *batch;
    ENSURE(rf_batch_create(&def, &batch) == RF_OK);
    size_t stride, bytes = rf_batch_bytes(batch);
    ENSURE(rf_batch_column(batch, column_number(batch, "home"), &stride) == NULL);
    ENSURE(rf_batch_column(batch, column_number(batch, "sil_ints"), &stride) == NULL);
    ENSURE(rf_batch_fill(batch, column_number(batch, "home"), 0, 1) == RF_BAD_ARGUMENT);
    ENSURE(rf_batch_accept(batch, 0, 1) == RF_BAD_ARGUMENT);
    ENSURE(rf_batch_enable_part(batch, RF_PART_navigator) == RF_OK &&
           rf_batch_enable_part(batch, RF_PART_navigator) == RF_OK);
    ENSURE(rf_batch_has_part(batch, RF_PART_navigator) && rf_batch_bytes(batch) > bytes);
    ENSURE(rf_batch_accept(batch, 0, 1) == RF_OK && rf_batch_accept(batch, 1, 0) == RF_OK);
    ENSURE(rf_batch_accept(batch, 0, 2) == RF_BAD_ARGUMENT);
    ENSURE(rf_batch_accept(batch, 2, 0) == RF_BAD_ARGUMENT);
    ENSURE(rf_batch_accept(batch, 1, SIZE_MAX) == RF_BAD_ARGUMENT);
    rf_batch_destroy(batch);
}

static void a_snapshot_brings_its_navigator_along(void)
{
    rf_batch *one = fleet(rf_simd_available()[0], RF_FLOAT64);
    write_bits(one, 4);
    rf_batch_step(one, 50);
    size_t size = rf_batch_snapshot_size(one);
    void *saved = malloc(size), *again = malloc(size);
    ENSURE(saved != NULL && again != NULL && rf_batch_save(one, saved) == RF_OK);
    rf_batch_def def = *rf_batch_get_def(one);
    rf_batch *other;
    ENSURE(rf_batch_create(&def, &other) == RF_OK);
    ENSURE(rf_batch_restore(other, saved, size - 1) == RF_BAD_SNAPSHOT);
    ENSURE(rf_batch_restore(other, saved, size) == RF_OK && rf_batch_has_part(other, RF_PART_navigator));
    ENSURE(rf_batch_save(other, again) == RF_OK && memcmp(saved, again, size) == 0);
    free(saved);
    free(again);
    rf_batch_destroy(one);
    rf_batch_destroy(other);
}

static void origins_and_airframes_are_checked(void)
{
    rf_batch *batch = fleet(rf_simd_available()[0], RF_FLOAT32);
    ENSURE(rf_batch_set_origin(batch, 90, -180, -1000) == RF_OK);
    ENSURE(rf_batch_set_origin(batch, 90.1, 0, 0) == RF_BAD_ARGUMENT);
    ENSURE(rf_batch_set_origin(batch, 0, NAN, 0) == RF_BAD_ARGUMENT);
    ENSURE(rf_batch_set_origin(batch, 0, 0, INFINITY) == RF_BAD_ARGUMENT);
    double *values = calloc(rf_batch_airframe_size(batch), sizeof *values);
    ENSURE(values != NULL);
    ENSURE(rf_batch_set_airframe(batch, SIL_AIRFRAMES, values) == RF_BAD_ARGUMENT);
    ENSURE(rf_batch_set_airframe(batch, -1, values) == RF_BAD_ARGUMENT);
    ENSURE(rf_batch_set_airframe(batch, SIL_AIRFRAMES - 1, values) == RF_OK);
    free(values);
    rf_batch_destroy(batch);
}

TEST_SUITE(navigator)
{
    RUN(any_bits_in_the_inputs_are_harmless);
    RUN(a_disabled_navigator_has_no_columns);
    RUN(a_snapshot_brings_its_navigator_along);
    RUN(origins_and_airframes_are_checked);
}

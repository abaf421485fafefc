/* SPDX-License-Identifier: BSD-3-Clause */
/* Vehicles whose models are functions of a library (libraries/functions.h). */
#include "test.h"

#include "batch/batch.h"
#include "libraries/functions.h"

/* A model that moves north by 1 m in each of its steps; all models here are it, as of one library in memory. */
static double north, given[RF_MODEL_COMMANDS];
static int steps;

static void take_commands(const double *values)
{
    memcpy(given, values, sizeof given);
}

static void start_at(const double *pos, const double *angles)
{
    north = pos[0] + angles[2];
}

static void step_once(void)
{
    north += 1;
    steps++;
}

static void tell_motion(double *out, int count)
{
    memset(out, 0, (size_t)count * sizeof *out);
    out[RF_MOTION_POS] = north;
    out[RF_MOTION_EULER + 2] = 3.14159265358979323846;
}

static rf_functions model(void)
{
    rf_functions functions = {0};
    functions.of[RF_FUNCTION_DllInputPWMs] = (rf_library_function)(void (*)(void))take_commands;
    functions.of[RF_FUNCTION_DllInitPosAngState] = (rf_library_function)(void (*)(void))start_at;
    functions.of[RF_FUNCTION_Dllstep] = step_once;
    functions.of[RF_FUNCTION_DlloutVehileInfo60d] = (rf_library_function)(void (*)(void))tell_motion;
    return functions;
}

/* A column of the batch, of component 0. */
static double *column(rf_batch *batch, const char *name, size_t *stride)
{
    return rf_batch_column(batch, rf_batch_column_find(batch, name), stride);
}

static void steps_what_it_was_given(void)
{
    rf_batch_def def = rf_batch_default();
    def.type = rf_type_add_own("rflysim_model");
    ENSURE(def.type >= rf_vehicle_own_types && def.type == rf_type_add_own("rflysim_model"));
    def.n = 1;
    rf_batch *batch;
    ENSURE(rf_batch_create(&def, &batch) == RF_OK);
    rf_functions functions = model();
    rf_functions_open(&functions, NULL);
    rf_library *library = &functions.library;
    library->per_step = 2;
    library->ports->start_pos[0] = 10;
    library->ports->start_angles[2] = 0.5;
    ENSURE(library->start(library) == 0 && library->ports->motion[RF_MOTION_POS] == 11.5);

    ENSURE(rf_batch_set_libraries(batch, &library, 2) == RF_BAD_ARGUMENT);
    ENSURE(rf_batch_set_libraries(batch, &library, 1) == RF_OK);
    size_t stride;
    column(batch, "command", &stride)[15 * stride / sizeof(double)] = 0.25;
    steps = 0;
    ENSURE(rf_batch_step(batch, 5) == RF_OK);
    ENSURE(steps == 10 && given[15] == 0.25);
    ENSURE_NEAR(column(batch, "pos", &stride)[0], 21.5, 0);
    const double *att = column(batch, "att", &stride); /* of the angles, as there was none */
    ENSURE_NEAR(att[0], 0, 1e-15);
    ENSURE_NEAR(att[3 * stride / sizeof(double)], 1, 1e-15);
    rf_batch_destroy(batch);
    rf_functions_close(&functions);
}

static void an_unknown_type_is_not_added(void)
{
    ENSURE(rf_type_add_own("no such type") == -1);
}

TEST_SUITE(library)
{
    RUN(steps_what_it_was_given);
    RUN(an_unknown_type_is_not_added);
}

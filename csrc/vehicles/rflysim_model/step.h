/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of models in libraries: their inputs from the columns, as many steps as fit before the next stage, their outputs
 * into the columns.  A model that fails, or tells a state outside the flight envelope, is held there with a fault flag. */

#include <string.h>

#include "base/library.h"
#include "math/trig.h"
#include "parts/collision/held.h"
#include "parts/free_inputs/columns.h"
#include "parts/free_outputs/columns.h"
#include "parts/ground_plane/held.h"
#include "parts/rebound/held.h"

/* Numbers of a part that a port gets, or gives; the first row of the part. */
typedef struct TYPED(port) {
    int part;
    size_t row, width, offset;
} TYPED(port);

#define PORT(part_name, row, port)                                                                           \
    {                                                                                                        \
        RF_PART_##part_name, row, sizeof((rf_library_ports *)0)->port / sizeof(double),                      \
            offsetof(rf_library_ports, port)                                                                 \
    }

static const TYPED(port) TYPED(inputs)[] = {
    PORT(free_inputs, 0, autopilot),
    PORT(free_inputs, WIDTH_autopilot_input_port, scene),
    PORT(rebound, offsetof(rebound, rebound_inputs) / sizeof(lane), collision),
    PORT(navigator, offsetof(navigator, sil_floats) / sizeof(lane), sil_floats),
};

static const TYPED(port) TYPED(outputs_of)[] = {
    PORT(free_outputs, 0, free_outputs),
    PORT(free_outputs, WIDTH_free_output_port, display_outputs),
    PORT(free_outputs, WIDTH_free_output_port + WIDTH_display_output_port, autopilot_outputs),
};

#undef PORT

/* Copies the numbers of a port from the columns of its part, or to them, for one vehicle. */
static void TYPED(copy_port)(const rf_kernel_args *args, const TYPED(port) * port, size_t vehicle,
                             rf_library_ports *ports, bool out)
{
    if (args->part[port->part] == NULL) return;
    real *column = (real *)args->part[port->part] + port->row * args->stride + vehicle;
    double *values = (double *)(void *)((char *)ports + port->offset);
    for (size_t i = 0; i < port->width; i++, column += args->stride) {
        if (out)
            *column = (real)values[i];
        else
            values[i] = (double)*column;
    }
}

/* What was hit last counts in one call: the numbers of others (parts/rebound) come before those of our own collisions. */
static void TYPED(give_reports)(const rf_kernel_args *args, size_t vehicle, rf_library *library)
{
    enum { MARKER, HIT, SIZE, VELOCITY = 6 };
    double *words = library->ports->collision;
    const real *rebound_of = args->part[RF_PART_rebound];
    if (rebound_of == NULL || words[MARKER] == 0) {
        memcpy(words, library->told, sizeof library->told);
        library->told[HIT] = library->told[SIZE] = 0;
        memset(library->told + VELOCITY, 0, 3 * sizeof *library->told);
        return;
    }
    const real *hold = rebound_of + offsetof(rebound, rebound_hold) / sizeof(lane) * args->stride + vehicle;
    const real age = hold[args->stride];
    if (age > *hold) words[MARKER] = 0;
    if (age > (real)1.5 * (real)args->dt) words[HIT] = words[SIZE] = 0;
}

static void TYPED(give)(const rf_kernel_args *args, const TYPED(input) * in, size_t first,
                        size_t lane_of_block, rf_library *library)
{
    rf_library_ports *ports = library->ports;
    const real *rows = (const real *)(const void *)in;
    const size_t vehicle = first + lane_of_block;
    for (size_t i = 0; i < RF_MODEL_COMMANDS; i++) {
        ports->commands[i] = (double)rows[i * LANE_WIDTH + lane_of_block];
    }
    for (size_t i = 0; i < sizeof TYPED(inputs) / sizeof *TYPED(inputs); i++) {
        TYPED(copy_port)(args, &TYPED(inputs)[i], vehicle, ports, false);
    }
    TYPED(give_reports)(args, vehicle, library);
    if (args->part[RF_PART_navigator] == NULL) return;
    const uint32_t *words = args->part_words[RF_PART_navigator] + vehicle +
                            offsetof(navigator_words, sil_ints) / sizeof(mask) * args->word_stride;
    for (size_t i = 0; i < 8; i++) ports->sil_ints[i] = (int32_t)words[i * args->word_stride];
}

/* The motion of the ports into the state of one vehicle of a block. */
static void TYPED(take)(const rf_library_ports *ports, size_t lane_of_block, TYPED(state) * s)
{
    static const struct {
        size_t row, from, count;
    } rows[] = {
        {offsetof(TYPED(state), pos) / sizeof(lane), RF_MOTION_POS, 3},
        {offsetof(TYPED(state), vel) / sizeof(lane), RF_MOTION_VEL, 3},
        {offsetof(TYPED(state), att) / sizeof(lane), RF_MOTION_ATT, 4},
        {offsetof(TYPED(state), rate) / sizeof(lane), RF_MOTION_RATE, 3},
        {offsetof(TYPED(state), model_accel) / sizeof(lane), RF_MOTION_ACCEL, 3},
        {offsetof(TYPED(state), model_display) / sizeof(lane), RF_MOTION_DISPLAYED, 8},
        {offsetof(TYPED(state), model_time) / sizeof(lane), RF_MOTION_TIME, 1},
    };
    real *state = (real *)(void *)s;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t k = 0; k < rows[i].count; k++) {
            state[(rows[i].row + k) * LANE_WIDTH + lane_of_block] = (real)ports->motion[rows[i].from + k];
        }
    }
}

#include "vehicles/rflysim_model/ground.h"
#include "vehicles/rflysim_model/sensed.h"

/* The commands of actuators that collisions broke are 0. */
static void TYPED(lose_actuators)(TYPED(input) * in, const block *b)
{
    const lane_int lost = actuators_lost(b);
    for (int i = 0; i < ACTUATORS; i++) {
        if (lost >> i & 1) ((lane *)in)[i] *= actuator_unbroken(b, i);
    }
}

/* Lets the models of a block begin their steps. */
static void TYPED(begin)(const rf_kernel_args *args, const block *b)
{
    const uint32_t *status = block_flag(b, RF_FLAG_STATUS);
    TYPED(input) in;
    TYPED(load_input)(&in, b);
    TYPED(fault_commands)(&in, b);
    TYPED(lose_actuators)(&in, b);
    TYPED(ground) ground;
    TYPED(look_at_ground)(b, in.terrain, &ground);
    for (size_t i = 0; i < LANE_WIDTH && b->first + i < args->library_count; i++) {
        if (status[i] != 0) continue;
        rf_library *library = args->libraries[b->first + i];
        TYPED(give)(args, &in, b->first, i, library);
        TYPED(give_ground)(&ground, i, args->steps * args->dt, library);
        library->begin(library, args->steps * library->per_step);
    }
}

/* Takes the outputs of the models of a block; `failed`: 1 where one failed, else 0. */
static void TYPED(finish)(const rf_kernel_args *args, const block *b, TYPED(state) * s, uint32_t *failed)
{
    const uint32_t *status = block_flag(b, RF_FLAG_STATUS);
    for (size_t i = 0; i < LANE_WIDTH && b->first + i < args->library_count; i++) {
        if (status[i] != 0) continue;
        rf_library *library = args->libraries[b->first + i];
        failed[i] = library->finish(library) != 0;
        if (failed[i]) continue;
        TYPED(take)(library->ports, i, s);
        if (args->part[RF_PART_sensors] != NULL) TYPED(measure)(b, i, library);
        for (size_t k = 0; k < sizeof TYPED(outputs_of) / sizeof *TYPED(outputs_of); k++) {
            TYPED(copy_port)(args, &TYPED(outputs_of)[k], b->first + i, library->ports, true);
        }
    }
}

/* The models of all vehicles have begun before the first is waited for: those in other processes run at once. */
static void TYPED(step_at_once)(const rf_kernel_args *args)
{
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const block b = block_at(args, i);
        TYPED(begin)(args, &b);
    }
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const block b = block_at(args, i);
        _Alignas(64) uint32_t failed[LANE_WIDTH] = {0};
        TYPED(state) s, before;
        TYPED(load_state)(&s, &b);
        rows_copy((lane *)&before, (const lane *)&s, ROWS_OF(TYPED(state)));
        TYPED(finish)(args, &b, &s, failed);
        uint32_t *status = block_flag(&b, RF_FLAG_STATUS);
        mask bits = words_load(status) | TYPED(check_envelope)(&s);
        bits |= words_of(words_load(failed) != 0, RF_VEHICLE_MODEL_FAILED);
        rows_select((lane *)&s, bits != 0, (const lane *)&before, (const lane *)&s, ROWS_OF(TYPED(state)));
        words_store(status, bits);
        rows_store((const lane *)&s, ROWS_OF(TYPED(state)), b.column, b.stride);
    }
}

static void TYPED(step_full)(const rf_kernel_args *args)
{
    rf_kernel_args some = *args;
    const double looks = LOOKS_AT_GROUND / args->dt;
    uint32_t most = args->steps;
    if (args->part[RF_PART_ground_plane] != NULL && looks < most) most = looks > 1 ? (uint32_t)looks : 1;
    for (uint32_t taken = 0; taken < args->steps; taken += some.steps) {
        some.steps = args->steps - taken < most ? args->steps - taken : most;
        TYPED(step_at_once)(&some);
    }
}

#undef LOOKS_AT_GROUND

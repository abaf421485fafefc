/* SPDX-License-Identifier: BSD-3-Clause */
/* The controller of a model of one's own, over blocks of vehicles.  A template, included after vehicles/control.h. */

#include "parts/environment/held.h"
#include "vehicles/hovering/arrival.h"
#include "vehicles/own_model/call.h"

_Static_assert((int)PYRFLY_OWN_GAIN == ROWS_OF(TYPED(gain)), "rows of the gains");
_Static_assert((int)PYRFLY_OWN_SETPOINT == ROWS_OF(TYPED(setpoint)), "rows of the set-points");
#define SAME_BIT(name) _Static_assert((int)PYRFLY_##name == (int)RF_SETPOINT_##name, "bits of set-points");
SAME_BIT(POSITION)
SAME_BIT(VELOCITY)
SAME_BIT(ACCELERATION)
SAME_BIT(YAW)
SAME_BIT(YAW_RATE)
SAME_BIT(ATTITUDE)
SAME_BIT(BODY_RATE)
SAME_BIT(THRUST)
SAME_BIT(HEADING_FRAME)
#undef SAME_BIT

/* What a run of the controller has of a block of vehicles. */
typedef struct TYPED(run) {
    const rf_kernel_args *args;
    const rf_own_model *own;
    size_t first, count; /* vehicles */
    TYPED(rows) state, input, param, gain, setpoint, controller, sensor, command;
} TYPED(run);

/* Rows that all vehicles have, by enum pyrfly_role, and where they begin among the columns. */
static const struct {
    size_t first, count;
} TYPED(shared)[PYRFLY_OUTPUT] = {
    [PYRFLY_STATE] = {0, PYRFLY_OWN_STATE},
    [PYRFLY_INPUT] = {TYPED(INPUT_ROW), PYRFLY_OWN_INPUT},
    [PYRFLY_PARAM] = {TYPED(PARAM_ROW), PYRFLY_OWN_PARAM},
    [PYRFLY_GAIN] = {TYPED(GAIN_ROW), PYRFLY_OWN_GAIN},
    [PYRFLY_SETPOINT] = {TYPED(SETPOINT_ROW), PYRFLY_OWN_SETPOINT},
    [PYRFLY_CONTROLLER] = {0, PYRFLY_OWN_CONTROLLER},
    [PYRFLY_SENSOR] = {0, PYRFLY_OWN_SENSOR},
};

/* The rows of each role of a run, in the order of enum pyrfly_role. */
#define RUN_ROWS(r)                                                                                          \
    {                                                                                                        \
        &(r)->state, &(r)->input, &(r)->param, &(r)->gain, &(r)->setpoint, &(r)->controller, &(r)->sensor    \
    }

static size_t TYPED(run_rows)(const rf_own_model *own)
{
    size_t rows = ACTUATORS;
    for (int role = 0; role < PYRFLY_OUTPUT; role++)
        rows += TYPED(shared)[role].count + own->rows[role].count;
    return rows;
}

static void TYPED(lay_out)(TYPED(run) * r, double *memory, size_t width)
{
    TYPED(rows) *const of[] = RUN_ROWS(r);
    for (int role = 0; role < PYRFLY_OUTPUT; role++) {
        memory = TYPED(take)(of[role], memory, TYPED(shared)[role].count + r->own->rows[role].count, width);
    }
    TYPED(take)(&r->command, memory, ACTUATORS, width);
}

/* Puts what the controller knows of the vehicles of a lane in place of the true state, and gusts into the wind. */
static void TYPED(load_known)(TYPED(run) * r, size_t v)
{
    const block b = block_at(r->args, r->first + v);
    TYPED(state) s;
    TYPED(input) in;
    TYPED(load_known_state)(&s, &b);
    TYPED(load_input)(&in, &b);
    in.wind = environment_wind(&b, in.wind);
    const lane density = (real)ATMOSPHERE_DENSITY * environment_density_ratio(&b);
    TYPED(put_lanes)(r->state.row, v, (const lane *)&s, BODY_ROWS);
    TYPED(put_lanes)(r->input.row, v, (const lane *)&in, PYRFLY_AIR_DENSITY);
    TYPED(put_lanes)(r->input.row + PYRFLY_AIR_DENSITY, v, &density, 1);
}

static void TYPED(load_run)(TYPED(run) * r)
{
    const rf_kernel_args *args = r->args;
    const real *column = (const real *)args->columns + r->first;
    TYPED(rows) *const of[] = RUN_ROWS(r);
    for (int role = 0; role < PYRFLY_OUTPUT; role++) {
        TYPED(load_role)
        (of[role], role, r->own, TYPED(shared)[role].first, TYPED(shared)[role].count, column, args->stride,
         r->count);
    }
    TYPED(load_rows)
    (r->command.row, ACTUATORS, column + TYPED(INPUT_ROW) * args->stride, args->stride, r->count);
    for (size_t v = 0; v < r->count; v += LANE_WIDTH) TYPED(load_known)(r, v);
}

/* Stores the commands of the vehicles of a lane, and whether they have arrived. */
static void TYPED(store_run)(TYPED(run) * r, size_t v)
{
    const block b = block_at(r->args, r->first + v);
    const mask armed = words_load(block_flag(&b, RF_FLAG_ARMED)) != 0;
    const mask bits = words_load(block_flag(&b, RF_FLAG_SETPOINT_MASK));
    lane command[ACTUATORS];
    TYPED(state) s;
    TYPED(setpoint) sp;
    TYPED(get_lanes)(r->command.row, v, command, ACTUATORS);
    TYPED(store_actuators)(command, armed, &b);
    TYPED(get_lanes)(r->state.row, v, (lane *)&s, BODY_ROWS);
    TYPED(load_setpoint)(&sp, &b);
    const mask there = hovering_rests(sub(sp.pos_sp, s.pos), s.vel);
    TYPED(store_arrived)(words_have(bits, RF_SETPOINT_POSITION) & there, mask_true(), &b);
}

static void TYPED(run_block)(TYPED(run) * r)
{
    const rf_kernel_args *args = r->args;
    const rf_own_rows *mine = &r->own->rows[PYRFLY_CONTROLLER];
    const block b = block_at(args, r->first);
    TYPED(load_run)(r);
    const pyrfly_block call = {.size = sizeof call,
                               .count = (uint32_t)TYPED(present)(r->first, r->count, args->vehicles),
                               .time = (double)args->tick * args->dt,
                               .period = args->period,
                               .state = (const double *const *)r->state.row,
                               .input = (const double *const *)r->input.row,
                               .param = (const double *const *)r->param.row,
                               .gain = (const double *const *)r->gain.row,
                               .setpoint = (const double *const *)r->setpoint.row,
                               .setpoint_mask = block_flag(&b, RF_FLAG_SETPOINT_MASK),
                               .armed = block_flag(&b, RF_FLAG_ARMED),
                               .controller = r->controller.row,
                               .sensor = r->sensor.row,
                               .command = r->command.row,
                               .context = r->own->context};
    r->own->control(&call);
    TYPED(store_rows)
    (r->controller.row, mine->count, b.column + mine->first * b.stride, b.stride, r->count);
    for (size_t v = 0; v < r->count; v += LANE_WIDTH) TYPED(store_run)(r, v);
}

static void TYPED(control_own_blocks)(const rf_kernel_args *args)
{
    const rf_own_model *own = args->own;
    TYPED(memory) memory;
    TYPED(open_memory)(&memory, own, TYPED(run_rows)(own), args->end - args->begin);
    TYPED(run) r = {.args = args, .own = own};
    for (r.first = args->begin; r.first < args->end; r.first += memory.width) {
        r.count = args->end - r.first < memory.width ? args->end - r.first : memory.width;
        TYPED(lay_out)(&r, memory.values, memory.width);
        TYPED(run_block)(&r);
    }
    free(memory.heap);
}

#undef RUN_ROWS

/* SPDX-License-Identifier: BSD-3-Clause */
/* Step and output kernels of a vehicle type, over its blocks; a template, included after vehicles/type.h and the model
 * of the type.
 *
 * A block of LANE_WIDTH vehicles is loaded into structs, stepped with its state in registers and on the stack, checked
 * and stored.  A vehicle whose new state is outside the flight envelope keeps its previous state and gets fault flags. */

/* Changes the actuator commands, the first inputs, to those that the actuators get. */
LANE_INLINE void TYPED(fault_commands)(TYPED(input) * in, const block *b)
{
    if (actuators_at_fault(b) != 0) {
        lane command[ACTUATORS]; /* so that the inputs may be in registers */
        rows_copy(command, (const lane *)in, ACTUATORS);
        RF_SET_NAME(rf_faults_change_commands)(b, ACTUATORS, command);
        rows_copy((lane *)in, command, ACTUATORS);
    }
#ifndef TYPE_STEP /* a model in a library damages itself */
    rebound_change_commands(b, ACTUATORS, (lane *)in);
#endif
}

LANE_INLINE void TYPED(load_plant)(TYPED(plant) * m, const block *b, int full)
{
    TYPED(input) in;
    TYPED(load_input)(&in, b);
    TYPED(load_param)(&m->p, b);
#ifdef TYPE_WATER
    m->water = water_here(b);
#endif
    if (full) {
        TYPED(fault_commands)(&in, b);
        in.wind = faults_wind(b, in.wind);
    }
    if (environment_enabled(b)) {
        in.wind = environment_wind(b, in.wind);
        m->p.gravity = environment_gravity(b, m->p.gravity);
#ifdef TYPE_AIR
        TYPED(scale_air)(&m->p, environment_density_ratio(b), environment_ground_effect(b));
#endif
    }
#ifdef TYPE_POWER
    if (power_may_change(b)) TYPED(scale_voltage)(&m->p, power_voltage_ratio(b));
#endif
#ifdef TYPE_EXTENDED
    if (full == EXTENDED) TYPED(extend)(m, b);
#endif
    TYPED(prepare)(m, &in, full);
}

/* Not inlined: one copy serves the derivative and the stages of a type; the step keeps its own, in registers. */
static __attribute__((noinline, unused)) void TYPED(load_extended_plant)(TYPED(plant) * m, const block *b)
{
    TYPED(load_plant)(m, b, EXTENDED);
}

/* Acceleration of a free fall [m/s^2, NED]. */
LANE_INLINE vec3 TYPED(free_fall)(const TYPED(state) * s, const TYPED(plant) * m, const block *b, int full)
{
#ifdef TYPE_EXTENDED
    if (full == EXTENDED) {
        const earth_below below = earth_of(b);
        return earth_below_free_fall(&below, s->pos, s->vel, m->p.gravity);
    }
#endif
    (void)s, (void)b, (void)full;
    return vec3_of(lane_of(0), lane_of(0), m->p.gravity);
}

/* out = a + k b of the rows that a step integrates. */
LANE_INLINE void TYPED(combine)(lane *out, const lane *a, lane k, const lane *b, const TYPED(plant) * m,
                                int full)
{
#ifdef TYPE_SPARE
    (void)full;
    TYPED(add_scaled)(out, a, k, b, m);
#else
    (void)m;
    rows_add_scaled(out, a, k, b, TYPED(integrated_rows)(full));
#endif
}

/* One step by derivatives in `stages` places (batch/scheme.h).  The increments of the position are summed before they are
 * added to it: far from the origin, float32 resolves their sum, but not each of them, and that with `dither`
 * (math/dither.h). */
LANE_INLINE void TYPED(step_once)(TYPED(state) * s, const TYPED(plant) * m, const scheme *by, lane dither,
                                  int full)
{
    TYPED(state) k, at, next;
    rows_copy((lane *)&at, (const lane *)s, ROWS_OF(TYPED(state)));
    rows_copy((lane *)&next, (const lane *)s, ROWS_OF(TYPED(state)));
    next.pos = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    for (int stage = 0; stage < by->stages; stage++) {
        TYPED(derivative)(&at, m, full, &k);
        TYPED(combine)((lane *)&next, (lane *)&next, lane_of(by->weight[stage]), (lane *)&k, m, full);
        if (stage < by->stages - 1) {
            TYPED(combine)((lane *)&at, (lane *)s, lane_of(by->node[stage]), (lane *)&k, m, full);
        }
    }
    if (by->stages == 1) body_semi_implicit((lane *)&next, (const lane *)s, lane_of(by->weight[0]));
    next.pos = vec3_add_dithered(s->pos, next.pos, dither);
    rows_copy((lane *)s, (const lane *)&next, ROWS_OF(TYPED(state)));
}

/* Loads the state that a step changes; the rest is not read, and is 0 in the plain model. */
LANE_INLINE void TYPED(load_changed)(TYPED(state) * s, const block *b, int full)
{
    const int rows = TYPED(changed_rows)(full);
    rows_load((lane *)s, rows, b->column, b->stride);
    for (int row = rows; row < ROWS_OF(TYPED(state)); row++) ((lane *)s)[row] = lane_of(0);
}

/* Prefetches the columns four cache lines ahead.  A step reads more columns at once than the hardware prefetcher tracks;
 * from main memory this saves a tenth of the time of the full model, from the caches it costs 3 %.  The plain model
 * reads too few columns to gain; which parameters a type with TYPE_LOAD reads is not known here. */
LANE_INLINE void TYPED(prefetch)(const block *b)
{
    const size_t ahead = 4 * PREFETCH_LINE;
#ifdef TYPE_LOAD
    const size_t rows = TYPED(PARAM_ROW);
#else
    const size_t rows = TYPED(GAIN_ROW);
#endif
    for (size_t row = 0; row < rows; row++) {
        __builtin_prefetch(b->column + row * b->stride + ahead);
    }
}

/* Steps of a block by a scheme, whose first has a number for `dither_of`. */
LANE_INLINE void TYPED(step_block)(const block *b, const scheme *by, packed number, uint32_t steps, int full)
{
    TYPED(state) s;
    TYPED(plant) m;
    TYPED(load_changed)(&s, b, full);
    TYPED(load_plant)(&m, b, full);
#ifdef TYPE_GROUND
    TYPED(see_ground)(&s, &m, full);
#endif

    for (uint32_t k = 0; k < steps; k++) {
#ifdef TYPE_ADVANCE
        if (full == EXTENDED) TYPED(begin_step)(&s, &m);
#endif
        TYPED(step_once)(&s, &m, by, dither_of(number + k), full);
        TYPED(normalize)(&s, &m, full);
#ifdef TYPE_ADVANCE
        if (full == EXTENDED) TYPED(advance)(&s, &m, lane_of(b->dt));
#endif
    }

    uint32_t *status = block_flag(b, RF_FLAG_STATUS);
    mask bits = words_load(status) | TYPED(check_envelope)(&s);
    if (mask_any(bits != 0)) {
        TYPED(state) before;
        TYPED(load_state)(&before, b);
        rows_select((lane *)&s, bits != 0, (lane *)&before, (lane *)&s, ROWS_OF(TYPED(state)));
        words_store(status, bits);
    }
    rows_store((lane *)&s, TYPED(changed_rows)(full), b->column, b->stride);
#ifdef TYPE_ADVANCE
    if (full == EXTENDED) TYPED(keep)(&m, b, bits != 0);
#endif
}

LANE_INLINE void TYPED(step)(const rf_kernel_args *args, int full)
{
    const scheme by = scheme_of(args->integrator, (real)args->dt);
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const block b = block_at(args, i);
        if (full && args->prefetch && i % PREFETCH_LINE == 0) TYPED(prefetch)(&b);
        TYPED(step_block)(&b, &by, first_step(args, &b), args->steps, full);
    }
}

/* Derivatives of what a type with TYPE_SPARE does not integrate are 0. */
LANE_INLINE void TYPED(clear)(TYPED(state) * derivative)
{
#ifdef TYPE_SPARE
    for (int row = 0; row < ROWS_OF(TYPED(state)); row++) ((lane *)derivative)[row] = lane_of(0);
#endif
    (void)derivative;
}

/* Derivative of a state, and acceleration of a free fall [m/s^2, NED].  Not inlined: one copy of each model serves the
 * outputs and the sensors. */
#define DERIVE(name, full)                                                                                   \
    static __attribute__((noinline)) vec3 TYPED(name)(const TYPED(state) * s, const block *b,                \
                                                      TYPED(state) * derivative)                             \
    {                                                                                                        \
        TYPED(plant) m;                                                                                      \
        if (full == EXTENDED)                                                                                \
            TYPED(load_extended_plant)(&m, b);                                                               \
        else                                                                                                 \
            TYPED(load_plant)(&m, b, full);                                                                  \
        TYPED(clear)(derivative);                                                                            \
        TYPED(derivative)(s, &m, full, derivative);                                                          \
        return TYPED(free_fall)(s, &m, b, full);                                                             \
    }

#ifdef TYPE_PLAIN
DERIVE(derive_plain, 0)
#endif
#ifndef TYPE_ONE_MODEL
DERIVE(derive_full, 1)
#endif
#ifdef TYPE_EXTENDED
DERIVE(derive_extended, EXTENDED)
#endif
#undef DERIVE

LANE_INLINE vec3 TYPED(derive_any)(const TYPED(state) * s, const block *b, int model,
                                   TYPED(state) * derivative)
{
    (void)model; /* of a type with one model */
#ifdef TYPE_PLAIN
    if (model == RF_EFFECTS_PLAIN) return TYPED(derive_plain)(s, b, derivative);
#endif
#ifdef TYPE_ONE_MODEL
    return TYPED(derive_extended)(s, b, derivative);
#else
#ifdef TYPE_EXTENDED
    if (model == RF_MODEL_EXTENDED) return TYPED(derive_extended)(s, b, derivative);
#endif
    return TYPED(derive_full)(s, b, derivative);
#endif
}

/* As derive_any; the derivative of a vehicle with fault flags, which keeps its state, is 0. */
LANE_INLINE vec3 TYPED(derive)(const TYPED(state) * s, const block *b, int model, TYPED(state) * derivative)
{
    const vec3 free_fall = TYPED(derive_any)(s, b, model, derivative);
    const mask held = words_load(block_flag(b, RF_FLAG_STATUS)) != 0;
    if (mask_any(held)) {
        lane *rows = (lane *)derivative;
        for (int row = 0; row < ROWS_OF(TYPED(state)); row++) {
            rows[row] = lane_select(held, lane_of(0), rows[row]);
        }
    }
    return free_fall;
}

#ifdef TYPE_OUTPUTS
/* Stores the outputs of a body, as the type changes them, and those behind them. */
LANE_INLINE void TYPED(store_outputs)(const TYPED(state) * s, const block *b, const body_output *of,
                                      real *out, size_t stride)
{
    TYPED(param) p;
    TYPED(output) all;
    rows_copy((lane *)&all, (const lane *)of, ROWS_OF(body_output));
    TYPED(load_param)(&p, b);
    TYPED(outputs)(s, &p, &all);
    rows_store((lane *)&all, ROWS_OF(TYPED(output)), out, stride);
}
#endif

/* Stores the output columns of a block in the rows `out`, and computes the derivative of its present state. */
LANE_INLINE void TYPED(output_block)(const block *b, int model, real *out, size_t stride, TYPED(state) * d)
{
    TYPED(state) s;
    TYPED(load_state)(&s, b);
    vec3 free_fall = TYPED(derive)(&s, b, model, d);
    vec3 accel = d->vel, angular_accel = d->rate;
    if (model == RF_MODEL_EXTENDED) collision_add_impacts(b, &accel, &angular_accel);
    body_output of_body = body_outputs(body_of(&s), accel, free_fall, angular_accel);
    TYPED(show)(&s, of_body.displayed_actuators);
#ifdef TYPE_OUTPUTS
    TYPED(store_outputs)(&s, b, &of_body, out, stride);
#else
    rows_store((lane *)&of_body, ROWS_OF(body_output), out, stride);
#endif
}

#ifdef TYPE_FURTHER
static void TYPED(further)(const block *b, const rf_kernel_args *args);
#endif

/* Computes the output columns and, if asked for, the derivative of the present state; changes nothing else. */
static void TYPED(output_blocks)(const rf_kernel_args *args)
{
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const block b = block_at(args, i);
        TYPED(state) d;
        TYPED(output_block)(&b, args->model, (real *)args->out + i, args->out_stride, &d);
        if (args->derivative != NULL) {
            rows_store((lane *)&d, ROWS_OF(TYPED(state)), (real *)args->derivative + i, args->out_stride);
        }
#ifdef TYPE_FURTHER
        TYPED(further)(&b, args);
#endif
    }
}

#if !defined(TYPE_ONE_MODEL) && !defined(TYPE_STEP)
static void TYPED(step_full)(const rf_kernel_args *args)
{
    TYPED(step)(args, 1);
}
#endif

#ifdef TYPE_PLAIN
static void TYPED(step_plain)(const rf_kernel_args *args)
{
    TYPED(step)(args, 0);
}
#endif

#if defined(TYPE_EXTENDED) && !defined(TYPE_STEP)
static void TYPED(step_extended)(const rf_kernel_args *args)
{
    TYPED(step)(args, EXTENDED);
}
#endif

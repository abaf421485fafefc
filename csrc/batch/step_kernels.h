/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops that step a vehicle type over its blocks; a template, included after the type's own header with
 *
 *     TYPED(state) input param output     structs of lanes made from the column lists, in the order of the columns
 *     TYPED(plant)                        what is constant during a call: has a member p, the params
 *     TYPED(prepare)(plant, input, full)  fills the rest of the plant
 *     TYPED(derivative)(state, plant, full, derivative)
 *     TYPED(step_euler)(state, plant, dt, full)     semi-implicit Euler
 *     TYPED(tidy)(state)                  after every step
 *     TYPED(examine)(state)               status bits of a state
 *     TYPED(outputs)(state, plant, full, output)
 *
 * A block of LANE_WIDTH vehicles is loaded into structs, stepped with its state in registers and stack, examined
 * and stored.  A vehicle whose new state is outside the envelope keeps its old one and is flagged.  The first flag
 * column must be the status. */

enum {
    TYPED(INPUT_ROW) = ROWS_OF(TYPED(state)),
    TYPED(PARAM_ROW) = TYPED(INPUT_ROW) + ROWS_OF(TYPED(input)),
};

LANE_INLINE void TYPED(load_state)(TYPED(state) * s, const real *column, size_t stride)
{
    rows_load((lane *)s, ROWS_OF(TYPED(state)), column, stride);
}

LANE_INLINE void TYPED(load_param)(TYPED(param) * p, const real *column, size_t stride)
{
    rows_load((lane *)p, ROWS_OF(TYPED(param)), column + TYPED(PARAM_ROW) * stride, stride);
}

LANE_INLINE void TYPED(load_plant)(TYPED(plant) * m, const real *column, size_t stride, int full)
{
    TYPED(input) in;
    rows_load((lane *)&in, ROWS_OF(TYPED(input)), column + TYPED(INPUT_ROW) * stride, stride);
    TYPED(load_param)(&m->p, column, stride);
    TYPED(prepare)(m, &in, full);
}

/* Classical Runge-Kutta of fourth order, the ODE4 of RflySim. */
LANE_INLINE void TYPED(step_rk4)(TYPED(state) * s, const TYPED(plant) * m, real dt, int full)
{
    enum { rows = ROWS_OF(TYPED(state)) };
    const real reach[3] = {dt / 2, dt / 2, dt};
    const real weight[4] = {dt / 6, dt / 3, dt / 3, dt / 6};
    TYPED(state) k, at = *s, next = *s;
    for (int stage = 0; stage < 4; stage++) {
        TYPED(derivative)(&at, m, full, &k);
        rows_add_scaled((lane *)&next, (lane *)&next, lane_of(weight[stage]), (lane *)&k, rows);
        if (stage < 3) rows_add_scaled((lane *)&at, (lane *)s, lane_of(reach[stage]), (lane *)&k, rows);
    }
    *s = next;
}

/* Asks for the columns some cache lines ahead.  A step walks more of them at once than the processor's own
 * prefetching follows; from main memory this gains a tenth for the full model, from the caches it costs 3 %.  The
 * plain model reads too few of the columns for it. */
LANE_INLINE void TYPED(prefetch)(const real *column, size_t stride)
{
    const size_t ahead = 4 * PREFETCH_LINE;
    const size_t rows = (size_t)TYPED(PARAM_ROW) + ROWS_OF(TYPED(param));
    for (size_t row = 0; row < rows; row++) __builtin_prefetch(column + row * stride + ahead);
}

LANE_INLINE void TYPED(step)(const rf_kernel_args *args, int integrator, int full)
{
    const size_t stride = args->stride;
    const real dt = (real)args->dt;
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        real *column = (real *)args->columns + i;
        uint32_t *status = args->words + i;
        TYPED(state) s;
        TYPED(plant) m;
        if (full && args->prefetch && i % PREFETCH_LINE == 0) TYPED(prefetch)(column, stride);
        TYPED(load_state)(&s, column, stride);
        TYPED(load_plant)(&m, column, stride, full);

        for (uint32_t k = 0; k < args->steps; k++) {
            if (integrator == RF_INTEGRATOR_RK4) {
                TYPED(step_rk4)(&s, &m, dt, full);
            } else {
                TYPED(step_euler)(&s, &m, dt, full);
            }
            TYPED(tidy)(&s);
        }

        mask bits = words_load(status) | TYPED(examine)(&s);
        if (mask_any(bits != 0)) {
            TYPED(state) before;
            TYPED(load_state)(&before, column, stride);
            rows_select((lane *)&s, bits != 0, (lane *)&before, (lane *)&s, ROWS_OF(TYPED(state)));
            words_store(status, bits);
        }
        rows_store((lane *)&s, ROWS_OF(TYPED(state)), column, stride);
    }
}

/* Fills the output columns from the present state; nothing else changes. */
LANE_INLINE void TYPED(fill_output)(const rf_kernel_args *args, int full)
{
    const size_t stride = args->stride;
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const real *column = (const real *)args->columns + i;
        TYPED(state) s;
        TYPED(plant) m;
        TYPED(output) out;
        TYPED(load_state)(&s, column, stride);
        TYPED(load_plant)(&m, column, stride, full);
        TYPED(outputs)(&s, &m, full, &out);
        rows_store((lane *)&out, ROWS_OF(TYPED(output)), (real *)args->out + i, args->out_stride);
    }
}

static void TYPED(step_rk4_plain)(const rf_kernel_args *args)
{
    TYPED(step)(args, RF_INTEGRATOR_RK4, 0);
}

static void TYPED(step_rk4_full)(const rf_kernel_args *args)
{
    TYPED(step)(args, RF_INTEGRATOR_RK4, 1);
}

static void TYPED(step_euler_plain)(const rf_kernel_args *args)
{
    TYPED(step)(args, RF_INTEGRATOR_EULER, 0);
}

static void TYPED(step_euler_full)(const rf_kernel_args *args)
{
    TYPED(step)(args, RF_INTEGRATOR_EULER, 1);
}

static void TYPED(output_plain)(const rf_kernel_args *args)
{
    TYPED(fill_output)(args, 0);
}

static void TYPED(output_full)(const rf_kernel_args *args)
{
    TYPED(fill_output)(args, 1);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops over blocks of a multirotor type; a template like vehicles/multirotor.h, included after it.
 *
 * A block of LANE_WIDTH vehicles is loaded into structs, stepped with its state in registers and stack, examined
 * and stored.  A vehicle whose new state is outside the envelope keeps its old one and is flagged. */

enum {
    TYPED(INPUT_ROW) = ROWS_OF(multirotor_state),
    TYPED(PARAM_ROW) = TYPED(INPUT_ROW) + ROWS_OF(multirotor_input),
};

LANE_INLINE void TYPED(load_plant)(multirotor_plant *m, const real *column, size_t stride, int full)
{
    multirotor_input in;
    rows_load((lane *)&in, ROWS_OF(multirotor_input), column + TYPED(INPUT_ROW) * stride, stride);
    rows_load((lane *)&m->p, ROWS_OF(multirotor_param), column + TYPED(PARAM_ROW) * stride, stride);
    TYPED(prepare)(m, &in, full);
}

LANE_INLINE void TYPED(step)(const rf_kernel_args *args, int integrator, int full)
{
    const size_t stride = args->stride;
    const real dt = (real)args->dt;
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        real *column = (real *)args->columns + i;
        uint32_t *status = args->words + i;
        multirotor_state s;
        multirotor_plant m;
        rows_load((lane *)&s, ROWS_OF(multirotor_state), column, stride);
        TYPED(load_plant)(&m, column, stride, full);

        for (uint32_t k = 0; k < args->steps; k++) {
            if (integrator == RF_INTEGRATOR_RK4) {
                TYPED(step_rk4)(&s, &m, dt, full);
            } else {
                TYPED(step_euler)(&s, &m, dt, full);
            }
        }

        mask bits = words_load(status) | TYPED(examine)(&s);
        if (mask_any(bits != 0)) {
            multirotor_state before;
            rows_load((lane *)&before, ROWS_OF(multirotor_state), column, stride);
            rows_select((lane *)&s, bits != 0, (lane *)&before, (lane *)&s, ROWS_OF(multirotor_state));
            words_store(status, bits);
        }
        rows_store((lane *)&s, ROWS_OF(multirotor_state), column, stride);
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

/* Fills the output columns from the present state; nothing else changes. */
LANE_INLINE void TYPED(output)(const rf_kernel_args *args, int full)
{
    const size_t stride = args->stride;
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        const real *column = (const real *)args->columns + i;
        multirotor_state s;
        multirotor_plant m;
        multirotor_outputs out;
        rows_load((lane *)&s, ROWS_OF(multirotor_state), column, stride);
        TYPED(load_plant)(&m, column, stride, full);
        TYPED(outputs)(&s, &m, full, &out);
        rows_store((lane *)&out, ROWS_OF(multirotor_outputs), (real *)args->out + i, args->out_stride);
    }
}

static void TYPED(output_plain)(const rf_kernel_args *args)
{
    TYPED(output)(args, 0);
}

static void TYPED(output_full)(const rf_kernel_args *args)
{
    TYPED(output)(args, 1);
}

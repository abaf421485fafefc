/* SPDX-License-Identifier: BSD-3-Clause */
/* The loop of the controllers over blocks of a multirotor type; a template like vehicles/multirotor_control.h,
 * included after it and after batch/step_kernels.h.
 *
 * Which loops are due is the same for all vehicles of a call, so it is a branch.  Each loop loads whole structs and
 * stores the controllers' memory; the compiler drops loads of what the loop does not use. */

enum {
    TYPED(GAIN_ROW) = TYPED(PARAM_ROW) + ROWS_OF(multirotor_param),
    TYPED(SETPOINT_ROW) = TYPED(GAIN_ROW) + ROWS_OF(multirotor_gain),
    TYPED(CONTROLLER_ROW) = TYPED(SETPOINT_ROW) + ROWS_OF(multirotor_setpoint),
};

LANE_INLINE void TYPED(load_gain)(multirotor_gain *g, const real *column, size_t stride)
{
    rows_load((lane *)g, ROWS_OF(multirotor_gain), column + TYPED(GAIN_ROW) * stride, stride);
}

LANE_INLINE void TYPED(load_setpoint)(multirotor_setpoint *sp, const real *column, size_t stride)
{
    rows_load((lane *)sp, ROWS_OF(multirotor_setpoint), column + TYPED(SETPOINT_ROW) * stride, stride);
}

LANE_INLINE void TYPED(load_controller)(multirotor_controller *c, const real *column, size_t stride)
{
    rows_load((lane *)c, ROWS_OF(multirotor_controller), column + TYPED(CONTROLLER_ROW) * stride, stride);
}

LANE_INLINE void TYPED(store_controller)(const multirotor_controller *c, real *column, size_t stride)
{
    rows_store((const lane *)c, ROWS_OF(multirotor_controller), column + TYPED(CONTROLLER_ROW) * stride,
               stride);
}

LANE_INLINE void TYPED(run_velocity)(real *column, size_t stride, mask armed, mask bits, real dt)
{
    multirotor_state s;
    multirotor_param p;
    multirotor_gain g;
    multirotor_setpoint sp;
    multirotor_controller c;
    TYPED(load_state)(&s, column, stride);
    TYPED(load_param)(&p, column, stride);
    TYPED(load_gain)(&g, column, stride);
    TYPED(load_setpoint)(&sp, column, stride);
    TYPED(load_controller)(&c, column, stride);
    TYPED(control_velocity)(&s, &p, &g, &sp, armed, bits, dt, &c);
    TYPED(store_controller)(&c, column, stride);
}

LANE_INLINE void TYPED(run_attitude)(real *column, size_t stride, mask bits)
{
    multirotor_state s;
    multirotor_gain g;
    multirotor_setpoint sp;
    multirotor_controller c;
    TYPED(load_state)(&s, column, stride);
    TYPED(load_gain)(&g, column, stride);
    TYPED(load_setpoint)(&sp, column, stride);
    TYPED(load_controller)(&c, column, stride);
    TYPED(control_attitude)(&s, &g, &sp, bits, &c);
    TYPED(store_controller)(&c, column, stride);
}

LANE_INLINE void TYPED(run_rate)(real *column, size_t stride, mask armed, real dt)
{
    multirotor_state s;
    multirotor_param p;
    multirotor_gain g;
    multirotor_controller c;
    lane throttle[ROTORS];
    TYPED(load_state)(&s, column, stride);
    TYPED(load_param)(&p, column, stride);
    TYPED(load_gain)(&g, column, stride);
    TYPED(load_controller)(&c, column, stride);
    TYPED(control_rate)(&s, &p, &g, armed, dt, &c, throttle);
    TYPED(store_controller)(&c, column, stride);
    /* throttle is the first of the input columns */
    rows_store(throttle, ROTORS, column + TYPED(INPUT_ROW) * stride, stride);
}

static void TYPED(control_blocks)(const rf_kernel_args *args)
{
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        real *column = (real *)args->columns + i;
        const uint32_t *words = args->words + i; /* status, armed, setpoint_mask */
        mask armed = words_load(words + args->word_stride) != 0;
        mask bits = words_load(words + 2 * args->word_stride);
        if (args->loops & RF_LOOP_VELOCITY) {
            TYPED(run_velocity)(column, args->stride, armed, bits, (real)args->loop_dt[0]);
        }
        if (args->loops & RF_LOOP_ATTITUDE) TYPED(run_attitude)(column, args->stride, bits);
        if (args->loops & RF_LOOP_RATE) TYPED(run_rate)(column, args->stride, armed, (real)args->loop_dt[2]);
    }
}

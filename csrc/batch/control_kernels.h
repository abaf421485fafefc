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

LANE_INLINE void TYPED(run_navigator)(const rf_kernel_args *args, size_t i)
{
    real *column = (real *)args->columns + i;
    uint32_t *armed_words = args->words + args->word_stride + i,
             *mask_words = armed_words + args->word_stride;
    multirotor_state s;
    multirotor_input in;
    multirotor_gain g;
    multirotor_setpoint sp;
    navigator_target t;
    TYPED(load_state)(&s, column, args->stride);
    rows_load((lane *)&in, ROWS_OF(multirotor_input), column + TYPED(INPUT_ROW) * args->stride, args->stride);
    TYPED(load_gain)(&g, column, args->stride);
    navigator_vehicle v = {.pos = s.pos,
                           .vel = s.vel,
                           .att = s.att,
                           .terrain = in.terrain,
                           .speed = g.speed_limit[0],
                           .climb = g.climb_limit,
                           .descend = g.speed_limit[1],
                           .turn = g.rate_limit[1]};
    mask armed = words_load(armed_words) != 0, airframe = navigator_airframe(args, i);
    mask leads = navigator_run(args, i, &v, &armed, &t);
    navigator_refit(args, i, airframe, TYPED(PARAM_ROW), TYPED(SETPOINT_ROW) - TYPED(PARAM_ROW));
    words_store(armed_words, words_of(armed, 1));
    if (!mask_any(leads)) return;

    TYPED(load_setpoint)(&sp, column, args->stride);
    multirotor_setpoint wanted = {t.pos, t.vel, t.acc, t.att, t.rate, t.thrust, t.yaw, t.yaw_rate};
    rows_select((lane *)&sp, leads, (const lane *)&wanted, (const lane *)&sp, ROWS_OF(multirotor_setpoint));
    rows_store((const lane *)&sp, ROWS_OF(multirotor_setpoint), column + TYPED(SETPOINT_ROW) * args->stride,
               args->stride);
    words_store(mask_words, words_select(leads, t.bits, words_load(mask_words)));
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

/* Leaves the throttle alone where it comes from outside. */
LANE_INLINE void TYPED(run_rate)(real *column, size_t stride, mask armed, mask external, real dt)
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
    real *port = column + TYPED(INPUT_ROW) * stride; /* throttle is the first of the input columns */
    if (mask_any(external)) {
        lane given[ROTORS];
        rows_load(given, ROTORS, port, stride);
        rows_select(throttle, external, given, throttle, ROTORS);
    }
    rows_store(throttle, ROTORS, port, stride);
}

static void TYPED(control_blocks)(const rf_kernel_args *args)
{
    for (size_t i = args->begin; i < args->end; i += LANE_WIDTH) {
        real *column = (real *)args->columns + i;
        const uint32_t *words = args->words + i; /* status, armed, setpoint_mask */
        if (args->navigator != NULL && (args->loops & (RF_LOOP_VELOCITY | RF_LOOP_ACCEPT)) &&
            navigator_wanted(args, i)) {
            TYPED(run_navigator)(args, i);
        }
        mask armed = words_load(words + args->word_stride) != 0;
        mask bits = words_load(words + 2 * args->word_stride);
        if (args->loops & RF_LOOP_VELOCITY) {
            TYPED(run_velocity)(column, args->stride, armed, bits, (real)args->loop_dt[0]);
        }
        if (args->loops & RF_LOOP_ATTITUDE) TYPED(run_attitude)(column, args->stride, bits);
        if (args->loops & RF_LOOP_RATE) {
            mask external = armed & navigator_external(args, i);
            TYPED(run_rate)(column, args->stride, armed, external, (real)args->loop_dt[2]);
        }
    }
}

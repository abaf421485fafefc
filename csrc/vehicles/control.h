/* SPDX-License-Identifier: BSD-3-Clause */
/* The structs of the controllers of a vehicle type; a template, included after vehicles/type.h.
 *
 * TYPE_CONTROL must define the functions named by TYPE_STAGES: TYPED(function)(const block *b) updates the vehicles of a
 * block, b->period after its last update.  The fastest control loop ends with TYPED(store_actuators).  A stage of a part
 * affects the model through input columns that it writes.
 *
 * TYPE_GUIDE must define TYPED(navigate)(const block *b, int accept_only): it accepts commands and, unless accept_only,
 * writes the set-points of the vehicles whose navigator is active. */

typedef struct TYPED(gain) {
    TYPE_LIST(GAIN)(COLUMN_MEMBER)
} TYPED(gain);

typedef struct TYPED(setpoint) {
    TYPE_LIST(SETPOINT)(COLUMN_MEMBER)
} TYPED(setpoint);

typedef struct TYPED(controller) {
    TYPE_LIST(CONTROLLER)(COLUMN_MEMBER)
} TYPED(controller);

enum {
    TYPED(SETPOINT_ROW) = TYPED(GAIN_ROW) + ROWS_OF(TYPED(gain)),
    TYPED(CONTROLLER_ROW) = TYPED(SETPOINT_ROW) + ROWS_OF(TYPED(setpoint)),
};

/* Loads the state that navigator and control loops know: the estimate, of vehicles that fly on it.  Returns the estimated
 * less the true z [m]: heights above ground are sensed, so that the ground is believed to be as much lower. */
LANE_INLINE lane TYPED(load_known_state)(TYPED(state) * s, const block *b)
{
    TYPED(load_state)(s, b);
    if (!estimator_enabled(b)) return lane_of(0);
    lane z = s->pos.z;
    estimator_motion motion = {s->pos, s->vel, s->att, s->rate};
    estimator_replace(b, &motion);
    s->pos = motion.pos;
    s->vel = motion.vel;
    s->att = motion.att;
    s->rate = motion.rate;
    return s->pos.z - z;
}

LANE_INLINE void TYPED(load_gain)(TYPED(gain) * g, const block *b)
{
    rows_load((lane *)g, ROWS_OF(TYPED(gain)), b->column + TYPED(GAIN_ROW) * b->stride, b->stride);
}

LANE_INLINE void TYPED(load_setpoint)(TYPED(setpoint) * sp, const block *b)
{
    rows_load((lane *)sp, ROWS_OF(TYPED(setpoint)), b->column + TYPED(SETPOINT_ROW) * b->stride, b->stride);
}

LANE_INLINE void TYPED(load_controller)(TYPED(controller) * c, const block *b)
{
    rows_load((lane *)c, ROWS_OF(TYPED(controller)), b->column + TYPED(CONTROLLER_ROW) * b->stride,
              b->stride);
}

/* Writes the rows from `first` to before `end`. */
LANE_INLINE void TYPED(store_controller_rows)(const TYPED(controller) * c, int first, int end, const block *b)
{
    rows_store((const lane *)c + first, end - first, b->column + (TYPED(CONTROLLER_ROW) + first) * b->stride,
               b->stride);
}

LANE_INLINE void TYPED(store_controller)(const TYPED(controller) * c, const block *b)
{
    TYPED(store_controller_rows)(c, 0, ROWS_OF(TYPED(controller)), b);
}

/* Writes the actuator commands, except of armed vehicles under direct actuator control (inPWMs). */
LANE_INLINE void TYPED(store_actuators)(lane *command, mask armed, const block *b)
{
    real *rows = b->column + TYPED(INPUT_ROW) * b->stride;
    mask external = armed & navigator_external(b);
    if (mask_any(external)) {
        lane direct[ACTUATORS];
        rows_load(direct, ACTUATORS, rows, b->stride);
        rows_select(command, external, direct, command, ACTUATORS);
    }
    rows_store(command, ACTUATORS, rows, b->stride);
}

/* Writes whether vehicles have arrived at their position set-points, of the vehicles `of`. */
LANE_INLINE void TYPED(store_arrived)(mask arrived, mask of, const block *b)
{
    words_store_where(of, block_flag(b, RF_FLAG_ARRIVED), words_of(arrived, 1));
}

/* Writes set-points and their mask where `active` is true. */
LANE_INLINE void TYPED(store_setpoint)(const TYPED(setpoint) * setpoint, mask bits, mask active,
                                       const block *b)
{
    TYPED(setpoint) sp;
    TYPED(load_setpoint)(&sp, b);
    rows_select((lane *)&sp, active, (const lane *)setpoint, (const lane *)&sp, ROWS_OF(TYPED(setpoint)));
    rows_store((const lane *)&sp, ROWS_OF(TYPED(setpoint)), b->column + TYPED(SETPOINT_ROW) * b->stride,
               b->stride);
    uint32_t *words = block_flag(b, RF_FLAG_SETPOINT_MASK);
    words_store_where(active, words, bits);
}

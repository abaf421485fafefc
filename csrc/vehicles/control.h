/* SPDX-License-Identifier: BSD-3-Clause */
/* The structs of a type's controllers, as vehicles/type.h makes those of its model; a template, included after it.
 *
 * TYPE_CONTROL has to define the functions that TYPE_LOOPS names: TYPED(function)(const block *b) updates a loop of
 * the block's vehicles, b->period after its last update.  The fastest one ends with TYPED(store_actuators).
 *
 * TYPE_GUIDE has to define TYPED(navigate)(const block *b, int accept_only): accepts commands, and unless that is all,
 * writes the set-points of the vehicles that the navigator leads. */

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

LANE_INLINE void TYPED(store_controller)(const TYPED(controller) * c, const block *b)
{
    rows_store((const lane *)c, ROWS_OF(TYPED(controller)), b->column + TYPED(CONTROLLER_ROW) * b->stride,
               b->stride);
}

/* Writes the actuator commands, except of vehicles whose commands come from outside. */
LANE_INLINE void TYPED(store_actuators)(lane *command, mask armed, const block *b)
{
    real *rows = b->column + TYPED(INPUT_ROW) * b->stride;
    mask external = armed & navigator_external(b);
    if (mask_any(external)) {
        lane given[ACTUATORS];
        rows_load(given, ACTUATORS, rows, b->stride);
        rows_select(command, external, given, command, ACTUATORS);
    }
    rows_store(command, ACTUATORS, rows, b->stride);
}

/* Writes set-points and their mask where `led` is true. */
LANE_INLINE void TYPED(store_setpoint)(const TYPED(setpoint) * wanted, mask bits, mask led, const block *b)
{
    TYPED(setpoint) sp;
    TYPED(load_setpoint)(&sp, b);
    rows_select((lane *)&sp, led, (const lane *)wanted, (const lane *)&sp, ROWS_OF(TYPED(setpoint)));
    rows_store((const lane *)&sp, ROWS_OF(TYPED(setpoint)), b->column + TYPED(SETPOINT_ROW) * b->stride,
               b->stride);
    uint32_t *words = block_flag(b, RF_FLAG_SETPOINT_MASK);
    words_store(words, words_select(led, bits, words_load(words)));
}

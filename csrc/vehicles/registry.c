/* SPDX-License-Identifier: BSD-3-Clause */
#include "vehicles/registry.h"

#include <string.h>

#include "base/sil.h"
#include "control/navigator_columns.h"
#include "vehicles/multirotor_columns.h"

/* Width of each type that a column list may name. */
#define WIDTH_lane           1
#define WIDTH_pair           2
#define WIDTH_vec3           3
#define WIDTH_quat           4
#define WIDTH_quartet        4
#define WIDTH_sym3           6
#define WIDTH_per_rotor      (ROTORS)
#define WIDTH_per_rotor_pair (2 * ROTORS)
#define WIDTH_per_rotor_vec3 (3 * ROTORS)
#define WIDTH_mixer_rows     (4 * ROTORS)
#define WIDTH_word           1
#define WIDTH_sil_float_port SIL_FLOATS
#define WIDTH_sil_int_port   SIL_INTS

#define ROW(type, name, unit, frame, doc, role)      {#name, unit, frame, doc, WIDTH_##type, role},
#define STATE_ROW(type, name, unit, frame, doc)      ROW(type, name, unit, frame, doc, RF_ROLE_STATE)
#define INPUT_ROW(type, name, unit, frame, doc)      ROW(type, name, unit, frame, doc, RF_ROLE_INPUT)
#define PARAM_ROW(type, name, unit, frame, doc)      ROW(type, name, unit, frame, doc, RF_ROLE_PARAM)
#define GAIN_ROW(type, name, unit, frame, doc)       ROW(type, name, unit, frame, doc, RF_ROLE_GAIN)
#define SETPOINT_ROW(type, name, unit, frame, doc)   ROW(type, name, unit, frame, doc, RF_ROLE_SETPOINT)
#define CONTROLLER_ROW(type, name, unit, frame, doc) ROW(type, name, unit, frame, doc, RF_ROLE_CONTROLLER)
#define FLAG_ROW(type, name, unit, frame, doc)       ROW(type, name, unit, frame, doc, RF_ROLE_FLAG)
#define OUTPUT_ROW(type, name, unit, frame, doc)     ROW(type, name, unit, frame, doc, RF_ROLE_OUTPUT)
#define NAVIGATOR_ROW(type, name, unit, frame, doc)  ROW(type, name, unit, frame, doc, RF_ROLE_NAVIGATOR)
#define WORD_ROW(type, name, unit, frame, doc)       ROW(type, name, unit, frame, doc, RF_ROLE_NAVIGATOR_WORD)

/* clang-format off */
#define MULTIROTOR_COLUMNS(MULTIROTOR_ROTOR)                                                          \
    {                                                                                                 \
        MULTIROTOR_STATE(STATE_ROW) MULTIROTOR_INPUT(INPUT_ROW) MULTIROTOR_BODY(PARAM_ROW)            \
        MULTIROTOR_ROTOR(PARAM_ROW) MULTIROTOR_GAIN(GAIN_ROW) MULTIROTOR_SETPOINT(SETPOINT_ROW)       \
        MULTIROTOR_CONTROLLER(CONTROLLER_ROW) MULTIROTOR_FLAG(FLAG_ROW) MULTIROTOR_OUTPUT(OUTPUT_ROW) \
        NAVIGATOR_MEMORY(NAVIGATOR_ROW) NAVIGATOR_WORDS(WORD_ROW)                                     \
    }

#define TYPE(name, doc, rotors) \
    {#name, doc, rotors, name##_columns, (int)(sizeof(name##_columns) / sizeof(rf_column))}
/* clang-format on */

#define ROTORS 4
static const rf_column quad_x_columns[] = MULTIROTOR_COLUMNS(MULTIROTOR_EQUAL_ROTORS);
static const rf_column rotors_4_columns[] = MULTIROTOR_COLUMNS(MULTIROTOR_FREE_ROTORS);
#undef ROTORS
#define ROTORS 3
static const rf_column rotors_3_columns[] = MULTIROTOR_COLUMNS(MULTIROTOR_FREE_ROTORS);
#undef ROTORS
#define ROTORS 6
static const rf_column rotors_6_columns[] = MULTIROTOR_COLUMNS(MULTIROTOR_FREE_ROTORS);
#undef ROTORS
#define ROTORS 8
static const rf_column rotors_8_columns[] = MULTIROTOR_COLUMNS(MULTIROTOR_FREE_ROTORS);
#undef ROTORS
#define ROTORS 16
static const rf_column rotors_16_columns[] = MULTIROTOR_COLUMNS(MULTIROTOR_FREE_ROTORS);
#undef ROTORS

const rf_vehicle_type rf_vehicle_types[RF_VEHICLE_TYPE_COUNT] = {
    [RF_QUAD_X] = TYPE(quad_x, "four equal rotors on an X", 4),
    [RF_ROTORS_3] = TYPE(rotors_3, "up to three rotors anywhere", 3),
    [RF_ROTORS_4] = TYPE(rotors_4, "up to four rotors anywhere", 4),
    [RF_ROTORS_6] = TYPE(rotors_6, "up to six rotors anywhere", 6),
    [RF_ROTORS_8] = TYPE(rotors_8, "up to eight rotors anywhere", 8),
    [RF_ROTORS_16] = TYPE(rotors_16, "up to sixteen rotors anywhere", 16),
};

int rf_vehicle_type_find(const char *name)
{
    for (int i = 0; i < RF_VEHICLE_TYPE_COUNT; i++) {
        if (strcmp(rf_vehicle_types[i].name, name) == 0) return i;
    }
    return -1;
}

int rf_vehicle_role_width(const rf_vehicle_type *type, rf_role role)
{
    int width = 0;
    for (int i = 0; i < type->column_count; i++) {
        if (type->columns[i].role == role) width += type->columns[i].width;
    }
    return width;
}

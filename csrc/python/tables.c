/* SPDX-License-Identifier: BSD-3-Clause */
/* pyrfly._core.tables, limits, event_format, vehicle_types and parts: enums, constants, structs and columns of the core
 * for Python. */
#include "python/module.h"

#include "base/limits.h"
#include "base/own_model.h"
#include "base/setpoint.h"
#include "base/sil.h"
#include "base/status.h"
#include "base/vtol_state.h"
#include "batch/events.h"
#include "batch/pool.h"
#include "models/plate_numbers.h"
#include "models/wmm.h"
#include "parts/collision/columns.h"
#include "parts/environment/effects.h"
#include "parts/faults/kinds.h"
#include "parts/navigator/modes.h"
#include "parts/safety/kinds.h"
#include "parts/sensors/kinds.h"
#include "scene/scene.h"
#include "tasks/ends.h"
#include "vehicles/registry.h"

typedef struct table_row {
    const char *name;
    long value;
    const char *vendor, *doc;
} table_row;

#define BIT_ROW(name, bit, doc)                {#name, 1L << (bit), "", doc},
#define VENDOR_BIT_ROW(name, bit, vendor, doc) {#name, 1L << (bit), vendor, doc},
#define NUMBER_ROW(name, number, doc)          {#name, number, "", doc},
#define FAULT_ROW(name, number, of, doc)       {#name, number, "", doc},
#define MODE_ROW(name, doc)                    {#name, NAVIGATOR_##name, "", doc},
#define STOP_ROW(name, number, doc)                                                                          \
    {"BOUNDARY_" #name, RF_END_BOUNDARY + (number), "", "the vehicle was frozen at the boundary " #name},

static const table_row command[] = {SIL_COMMAND_BITS(VENDOR_BIT_ROW)};
static const table_row offboard[] = {SIL_OFFBOARD_BITS(VENDOR_BIT_ROW)};
static const table_row frame[] = {SIL_FRAME_BITS(VENDOR_BIT_ROW)};
static const table_row injection[] = {SIL_FAULTS(NUMBER_ROW)};
static const table_row setpoint[] = {RF_SETPOINT_BITS(BIT_ROW)};
static const table_row fault[] = {RF_VEHICLE_FAULTS(BIT_ROW)};
static const table_row effect[] = {ENVIRONMENT_EFFECTS(BIT_ROW)};
static const table_row sensor[] = {SENSOR_KINDS(BIT_ROW)};
static const table_row fault_kind[] = {FAULT_KINDS(FAULT_ROW)};
static const table_row faulty_sensor[] = {FAULTY_SENSORS(BIT_ROW)};
static const table_row faulty_link[] = {FAULTY_LINKS(BIT_ROW)};
static const table_row boundary[] = {SAFETY_BOUNDARIES(NUMBER_ROW)};
static const table_row safety_action[] = {SAFETY_ACTIONS(NUMBER_ROW)};
static const table_row mode[] = {NAVIGATOR_MODES(MODE_ROW)};
static const table_row end_reason[] = {RF_EPISODE_ENDS(NUMBER_ROW) SAFETY_BOUNDARIES(STOP_ROW)};
static const table_row vtol_state[] = {RF_VTOL_STATES(NUMBER_ROW)};
static const table_row collision[] = {COLLISION_CODES(NUMBER_ROW)};
static const table_row input[] = {
    {"INTS", SIL_INTS, "", "number of integers of inSILInts"},
    {"COMMAND", SIL_INT_COMMAND, "", "index of the command word"},
    {"OFFBOARD", SIL_INT_OFFBOARD, "", "index of the bit field of valid set-points"},
    {"FRAME", SIL_INT_FRAME, "", "index of the airframe"},
    {"LATITUDE", SIL_INT_LATITUDE, "", "index of the latitude [1e-7 deg]"},
    {"LONGITUDE", SIL_INT_LONGITUDE, "", "index of the longitude [1e-7 deg]"},
    {"FLOATS", SIL_FLOATS, "", "number of floats of inSILFloats"},
    {"POS", SIL_POSITION, "", "first index of the position"},
    {"VEL", SIL_VELOCITY, "", "first index of the velocity"},
    {"ACC", SIL_ACCELERATION, "", "first index of the acceleration"},
    {"ATT", SIL_ATTITUDE, "", "first index of roll, pitch, yaw"},
    {"ATT_RATE", SIL_BODY_RATE, "", "first index of the angular velocity"},
    {"THRUST", SIL_THRUST, "", "index of the normalized thrust"},
};

#define FINITE_ROW(command, offboard, first, count, open) {command, offboard, first, count, open},

static const int finite_rows[][5] = {SIL_FINITE(FINITE_ROW)};

static PyObject *table_of(const table_row *rows, size_t count)
{
    PyObject *table = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; table != NULL && i < count; i++) {
        PyObject *row = Py_BuildValue("(slss)", rows[i].name, rows[i].value, rows[i].vendor, rows[i].doc);
        if (row == NULL) {
            Py_CLEAR(table);
            break;
        }
        PyTuple_SET_ITEM(table, (Py_ssize_t)i, row);
    }
    return table;
}

static PyObject *finite_table(void)
{
    const Py_ssize_t count = sizeof finite_rows / sizeof *finite_rows;
    PyObject *table = PyTuple_New(count);
    for (Py_ssize_t i = 0; table != NULL && i < count; i++) {
        const int *row = finite_rows[i];
        PyObject *numbers = Py_BuildValue("(iiiii)", row[0], row[1], row[2], row[3], row[4]);
        if (numbers == NULL) {
            Py_CLEAR(table);
            break;
        }
        PyTuple_SET_ITEM(table, i, numbers);
    }
    return table;
}

#define OPEN_BITS(command, any, all) Py_BuildValue("(iii)", command, any, all)
#define TABLE(rows)                  #rows, table_of(rows, sizeof(rows) / sizeof *(rows))

PyObject *tables(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return Py_BuildValue("{s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N}",
                         TABLE(command), TABLE(offboard), TABLE(frame), TABLE(injection), TABLE(setpoint),
                         TABLE(fault), TABLE(effect), TABLE(sensor), TABLE(fault_kind), TABLE(faulty_sensor),
                         TABLE(faulty_link), TABLE(boundary), TABLE(safety_action), TABLE(mode),
                         TABLE(vtol_state), TABLE(end_reason), TABLE(collision), TABLE(input), "finite",
                         finite_table(), "open", SIL_OPTIONAL(OPEN_BITS));
}

#define MEMBER(type, numpy, name)      , #name, numpy
#define MEMBER_CODE(type, numpy, name) "(ss)"

PyObject *event_format(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return Py_BuildValue("[" RF_EVENT(MEMBER_CODE) "][" RF_EVENT_ROW(MEMBER_CODE) "]" RF_EVENT(MEMBER)
                             RF_EVENT_ROW(MEMBER));
}

PyObject *limits(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return Py_BuildValue(
        "{s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:(ddd),s:i,s:n,s:"
        "i,s:K,s:d,s:i,s:i,s:i,s:i}",
        "distance", RF_MAX_DISTANCE, "speed", RF_MAX_SPEED, "angular_velocity", RF_MAX_RATE, "rotation",
        RF_MAX_ROTOR_SPEED, "idle_thrust", RF_IDLE_THRUST, "lift_fraction", RF_LIFT_FRACTION, "minimum_lift",
        RF_MINIMUM_LIFT, "thrust_left", RF_THRUST_LEFT, "touch_height", RF_TOUCH_HEIGHT, "touch_speed",
        RF_TOUCH_SPEED, "touch_time", RF_TOUCH_TIME, "flare_rate", RF_FLARE_RATE, "flare_time", RF_FLARE_TIME,
        "atmosphere_lowest", RF_ATMOSPHERE_LOWEST, "atmosphere_highest", RF_ATMOSPHERE_HIGHEST,
        "magnetic_begin", WMM_BEGIN, "magnetic_end", WMM_END, "plate_drag", PLATE_DRAG, "plate_moment",
        PLATE_MOMENT, "plate_whole", PLATE_WHOLE, "plate_flap", PLATE_FLAP_A, PLATE_FLAP_B, PLATE_FLAP_C,
        "airframes", (int)SIL_AIRFRAMES, "vehicles", (Py_ssize_t)RF_MAXIMUM_VEHICLES, "threads",
        RF_MAXIMUM_THREADS, "tick", (unsigned long long)RF_MAXIMUM_TICK, "scene_reach", RF_SCENE_REACH,
        "shapes", RF_SCENE_SHAPES, "planes", RF_SCENE_PLANES, "triangles", RF_SCENE_TRIANGLES,
        "own_model_rows", RF_OWN_ROWS);
}

/* ---- columns ---- */

static const char *const role_names[RF_ROLE_COUNT] = {
    "state",  "input", "param",  "gain", "setpoint",  "controller",
    "sensor", "flag",  "output", "part", "part word",
};

PyObject *column_rows(const rf_column *columns, int count)
{
    PyObject *rows = PyTuple_New(count);
    for (int i = 0; rows != NULL && i < count; i++) {
        const rf_column *c = &columns[i];
        PyObject *row =
            Py_BuildValue("(sissss)", c->name, (int)c->width, role_names[c->role], c->unit, c->frame, c->doc);
        if (row == NULL) {
            Py_CLEAR(rows);
            break;
        }
        PyTuple_SET_ITEM(rows, i, row);
    }
    return rows;
}

/* A dict of the constants of a type, or NULL with an exception. */
static PyObject *constants_of(const rf_vehicle_type *type)
{
    PyObject *constants = PyDict_New();
    for (const rf_constant *c = type->constants; constants != NULL && c != NULL && c->name != NULL; c++) {
        PyObject *value = PyFloat_FromDouble(c->value);
        if (value == NULL || PyDict_SetItemString(constants, c->name, value) < 0) Py_CLEAR(constants);
        Py_XDECREF(value);
    }
    return constants;
}

PyObject *vehicle_types(PyObject *module, PyObject *unused)
{
    (void)unused;
    const rf_simd *simd = module_state_of(module)->simd;
    PyObject *types = PyDict_New();
    for (int i = 0; types != NULL && i < rf_vehicle_type_count(); i++) {
        const rf_vehicle_type *type = rf_vehicle_type_at(i);
        PyObject *columns = column_rows(type->columns, type->column_count);
        PyObject *row =
            columns
                ? Py_BuildValue("{s:s,s:s,s:i,s:O,s:O,s:O,s:O,s:I,s:N,s:N}", "family", type->family, "doc",
                                type->doc, "actuators", type->actuators, "plain",
                                type->plain ? Py_True : Py_False, "extended",
                                type->extended ? Py_True : Py_False, "flies",
                                type->flies ? Py_True : Py_False, "guided", type->guided ? Py_True : Py_False,
                                "offboard", (unsigned)rf_kernels_of(simd, RF_FLOAT64, i)->control->offboard,
                                "constants", constants_of(type), "columns", columns)
                : NULL;
        if (row == NULL || PyDict_SetItemString(types, type->name, row) < 0) Py_CLEAR(types);
        Py_XDECREF(row);
    }
    return types;
}

PyObject *add_type(PyObject *module, PyObject *name)
{
    (void)module;
    const char *text = PyUnicode_AsUTF8(name);
    if (text == NULL) return NULL;
    if (rf_type_add_own(text) < 0) return PyErr_Format(PyExc_ValueError, "type: no type %R to add", name);
    Py_RETURN_NONE;
}

/* The names of the columns that the core alone writes, or NULL with an exception. */
static PyObject *results_of(const rf_part *part)
{
    PyObject *names = PyList_New(0);
    for (int i = 0; names != NULL && part->results && i < part->column_count; i++) {
        if (rf_part_is_setting(part, part->columns[i].name)) continue;
        PyObject *name = PyUnicode_FromString(part->columns[i].name);
        if (name == NULL || PyList_Append(names, name) < 0) Py_CLEAR(names);
        Py_XDECREF(name);
    }
    return names;
}

PyObject *parts(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    PyObject *found = PyDict_New();
    for (int i = 0; found != NULL && i < RF_PART_COUNT; i++) {
        PyObject *columns = column_rows(rf_parts[i].columns, rf_parts[i].column_count);
        PyObject *row = columns ? Py_BuildValue("{s:s,s:O,s:N,s:N}", "doc", rf_parts[i].doc, "extends",
                                                rf_parts[i].extends ? Py_True : Py_False, "columns", columns,
                                                "results", results_of(&rf_parts[i]))
                                : NULL;
        if (row == NULL || PyDict_SetItemString(found, rf_parts[i].name, row) < 0) Py_CLEAR(found);
        Py_XDECREF(row);
    }
    return found;
}

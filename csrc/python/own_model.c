/* SPDX-License-Identifier: BSD-3-Clause */
/* pyrfly._core.model_table, add_model and set_model_functions: models with the functions of pyrfly_model.h. */
#include "python/module.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch/access.h"
#include "batch/simd.h"

/* A text of a model, whatever its bytes. */
static PyObject *text_of(const char *text)
{
    return text == NULL ? PyUnicode_FromString("")
                        : PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

/* The start value of a column, or None. */
static PyObject *start_of(const pyrfly_column *column)
{
    if (column->start == NULL || column->width < 1 || column->width > RF_OWN_ROWS) return Py_NewRef(Py_None);
    PyObject *values = PyTuple_New(column->width);
    for (int i = 0; values != NULL && i < column->width; i++) {
        PyObject *value = PyFloat_FromDouble(column->start[i]);
        if (value == NULL) Py_CLEAR(values);
        if (values != NULL) PyTuple_SET_ITEM(values, i, value);
    }
    return values;
}

/* The columns of a model; those of another version of the header may be longer. */
static PyObject *columns_of(const pyrfly_model *model)
{
    PyObject *rows = PyTuple_New(model->column_count);
    for (uint32_t i = 0; rows != NULL && i < model->column_count; i++) {
        const char *at = (const char *)model->columns + (size_t)i * model->column_size;
        const pyrfly_column *c = (const pyrfly_column *)(const void *)at;
        PyObject *row = Py_BuildValue("NNNNiiN", text_of(c->name), text_of(c->unit), text_of(c->frame),
                                      text_of(c->doc), (int)c->role, (int)c->width, start_of(c));
        if (row == NULL) Py_CLEAR(rows);
        if (rows != NULL) PyTuple_SET_ITEM(rows, i, row);
    }
    return rows;
}

static PyObject *address_of(pyrfly_function function)
{
    void *at;
    memcpy(&at, &function, sizeof at); /* ISO C has no cast from functions to objects */
    return PyLong_FromVoidPtr(at);
}

/* Raises what is wrong with the head of a table; false where something is. */
static bool head_is_sound(const pyrfly_model *model)
{
    if (model == NULL) {
        PyErr_Format(PyExc_ValueError, "pyrfly_model_entry: the model has no table for version %d",
                     PYRFLY_MODEL_ABI);
    } else if (model->abi != PYRFLY_MODEL_ABI) {
        PyErr_Format(PyExc_ValueError, "abi: expected version %d of pyrfly_model.h, got %u", PYRFLY_MODEL_ABI,
                     model->abi);
    } else if (model->size < sizeof *model || model->column_size < sizeof(pyrfly_column) ||
               model->block_size < sizeof(pyrfly_block)) {
        PyErr_Format(PyExc_ValueError,
                     "size, column_size, block_size: expected at least %zu, %zu, %zu, got %u, %u, %u",
                     sizeof *model, sizeof(pyrfly_column), sizeof(pyrfly_block), model->size,
                     model->column_size, model->block_size);
    } else if (model->column_count > 1000 || (model->column_count > 0 && model->columns == NULL)) {
        PyErr_Format(PyExc_ValueError, "columns: expected a table of up to 1000 rows, got %u",
                     model->column_count);
    } else {
        return true;
    }
    return false;
}

PyObject *model_table(PyObject *module, PyObject *entry)
{
    (void)module;
    const pyrfly_model *(*function)(uint32_t);
    void *at = PyLong_AsVoidPtr(entry);
    if (at == NULL) return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "entry: got 0");
    memcpy(&function, &at, sizeof at);
    const pyrfly_model *model = function(PYRFLY_MODEL_ABI);
    if (!head_is_sound(model)) return NULL;
    return Py_BuildValue("{s:N,s:N,s:I,s:N,s:(NNNNNN)}", "name", text_of(model->name), "doc",
                         text_of(model->doc), "actuators", (unsigned)model->actuators, "columns",
                         columns_of(model), "functions", address_of(model->derivative),
                         address_of(model->finish), address_of(model->outputs), address_of(model->control),
                         address_of(model->sense), PyLong_FromVoidPtr(model->context));
}

/* ---- functions in Python ---- */

/* A copy of the rows of a role, None for NULL: a function may keep it. */
static PyObject *copy_of(double *const *rows, Py_ssize_t count, uint32_t vehicles)
{
    if (rows == NULL) return Py_NewRef(Py_None);
    npy_intp shape[2] = {count, vehicles};
    PyObject *array = PyArray_SimpleNew(2, shape, NPY_DOUBLE);
    if (array == NULL) return NULL;
    double *values = PyArray_DATA((PyArrayObject *)array);
    for (Py_ssize_t i = 0; i < count; i++, values += vehicles)
        memcpy(values, rows[i], vehicles * sizeof *values);
    return array;
}

static PyObject *copy_of_words(const uint32_t *words, uint32_t vehicles)
{
    if (words == NULL) return Py_NewRef(Py_None);
    npy_intp shape[1] = {vehicles};
    PyObject *array = PyArray_SimpleNew(1, shape, NPY_UINT32);
    if (array != NULL) memcpy(PyArray_DATA((PyArrayObject *)array), words, vehicles * sizeof *words);
    return array;
}

/* Copies what a function returned to the rows of a role; false with an exception. */
static bool take_result(PyObject *result, double *const *rows, Py_ssize_t count, uint32_t vehicles)
{
    PyObject *array = PyArray_FROMANY(result, NPY_DOUBLE, 2, 2, NPY_ARRAY_C_CONTIGUOUS);
    if (array == NULL) return false;
    const npy_intp *shape = PyArray_DIMS((PyArrayObject *)array);
    const bool fits = shape[0] == count && shape[1] == (npy_intp)vehicles;
    const double *values = PyArray_DATA((PyArrayObject *)array);
    for (Py_ssize_t i = 0; fits && i < count; i++, values += vehicles) {
        memcpy(rows[i], values, vehicles * sizeof *values);
    }
    Py_DECREF(array);
    if (!fits) PyErr_SetString(PyExc_ValueError, "result: another shape than that of the rows");
    return fits;
}

/* Writes values that the check of the state finds. */
static void fill_with_nan(double *const *rows, Py_ssize_t count, uint32_t vehicles)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        for (uint32_t v = 0; v < vehicles; v++) rows[i][v] = NAN;
    }
}

/* The first exception of a function in Python, until the call that it happened in raises it. */
static PyObject *failed;

static void keep_exception(void)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (trace != NULL) PyException_SetTraceback(value, trace);
    if (failed == NULL) failed = Py_XNewRef(value);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
}

bool raise_of_model(void)
{
    if (failed == NULL) return false;
    PyErr_SetObject((PyObject *)Py_TYPE(failed), failed);
    Py_CLEAR(failed);
    return true;
}

/* Functions of a model, in the order in which Python has them; behind them their context, or the rows of each role. */
enum { DERIVATIVE, FINISH, OUTPUTS, CONTROL, SENSE, FUNCTIONS };

/* Calls a function of the context, (functions..., rows by role), with the time and all arrays of a block, and copies what
 * it returns: the rows `out` of a role, and those of the controller where it is one. */
static void call_python(const pyrfly_block *b, Py_ssize_t function, double *const *out, int role)
{
    const PyGILState_STATE held = PyGILState_Ensure();
    PyObject *context = b->context, *counts = PyTuple_GET_ITEM(context, FUNCTIONS);
    Py_ssize_t rows[PYRFLY_SHARED];
    for (int i = 0; i < PYRFLY_SHARED; i++) rows[i] = PyLong_AsSsize_t(PyTuple_GET_ITEM(counts, i));
    const Py_ssize_t count = b->command != NULL ? 16 : rows[role];
#define COPY(member, of) copy_of((double *const *)b->member, rows[of], b->count)
    rf_access_compute(1);
    PyObject *result = PyObject_CallFunction(
        PyTuple_GET_ITEM(context, function), "ddNNNNNNNNNNNN", b->time, b->period, COPY(state, PYRFLY_STATE),
        COPY(input, PYRFLY_INPUT), COPY(param, PYRFLY_PARAM), COPY(gain, PYRFLY_GAIN),
        COPY(setpoint, PYRFLY_SETPOINT), copy_of_words(b->setpoint_mask, b->count),
        copy_of_words(b->armed, b->count), COPY(controller, PYRFLY_CONTROLLER), COPY(sensor, PYRFLY_SENSOR),
        function == SENSE ? COPY(derivative, PYRFLY_STATE) : Py_NewRef(Py_None), COPY(noise, PYRFLY_SENSOR),
        copy_of((double *const *)b->specific_force, 3, b->count));
    rf_access_compute(-1);
#undef COPY
    bool done = result != NULL;
    if (done && b->controller != NULL) {
        PyObject *command, *controller;
        done = PyArg_ParseTuple(result, "OO", &command, &controller) &&
               take_result(command, out, count, b->count) &&
               take_result(controller, b->controller, rows[PYRFLY_CONTROLLER], b->count);
    } else if (done) {
        done = take_result(result, out, count, b->count);
    }
    if (!done) {
        keep_exception();
        fill_with_nan(out, count, b->count);
    }
    Py_XDECREF(result);
    PyGILState_Release(held);
}

static void derivative_in_python(const pyrfly_block *block)
{
    call_python(block, DERIVATIVE, block->derivative, PYRFLY_STATE);
}

static void finish_in_python(const pyrfly_block *block)
{
    call_python(block, FINISH, block->next, PYRFLY_STATE);
}

static void outputs_in_python(const pyrfly_block *block)
{
    call_python(block, OUTPUTS, block->output, PYRFLY_OUTPUT);
}

static void control_in_python(const pyrfly_block *block)
{
    call_python(block, CONTROL, block->command, PYRFLY_INPUT);
}

static void sense_in_python(const pyrfly_block *block)
{
    call_python(block, SENSE, block->sensor, PYRFLY_SENSOR);
}

static const pyrfly_function in_python[FUNCTIONS] = {derivative_in_python, finish_in_python,
                                                     outputs_in_python, control_in_python, sense_in_python};

/* ---- types ---- */

/* Takes functions: their addresses, and that of their context; or functions in Python, None where there is none, and the
 * numbers of rows by role.  False with an exception.  What is in Python is kept as long as the process, as the types are. */
static bool take_functions(PyObject *given, rf_own_model *model)
{
    pyrfly_function *const of[FUNCTIONS] = {&model->derivative, &model->finish, &model->outputs,
                                            &model->control, &model->sense};
    if (!PyTuple_Check(given) || PyTuple_GET_SIZE(given) != FUNCTIONS + 1) {
        PyErr_Format(PyExc_TypeError, "functions: expected %d functions and their context", FUNCTIONS);
        return false;
    }
    PyObject *const last = PyTuple_GET_ITEM(given, FUNCTIONS);
    for (int i = 0; i < FUNCTIONS; i++) {
        PyObject *one = PyTuple_GET_ITEM(given, i);
        if (PyTuple_Check(last)) {
            *of[i] = one == Py_None ? NULL : in_python[i];
            continue;
        }
        void *at = PyLong_AsVoidPtr(one);
        if (at == NULL && PyErr_Occurred()) return false;
        memcpy(of[i], &at, sizeof at);
    }
    model->context = PyTuple_Check(last) ? Py_NewRef(given) : PyLong_AsVoidPtr(last);
    if (PyErr_Occurred()) return false;
    if (model->derivative != NULL) return true;
    PyErr_SetString(PyExc_ValueError, "functions: expected a derivative");
    return false;
}

/* A copy of a text that lives as long as the process, as the types do. */
static const char *kept(const char *text)
{
    const size_t bytes = strlen(text) + 1;
    char *copy = malloc(bytes);
    return copy == NULL ? "" : memcpy(copy, text, bytes);
}

/* Takes the columns of a model; false with an exception. */
static bool take_columns(PyObject *rows, rf_column *columns)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(rows); i++) {
        const char *name, *unit, *frame, *doc;
        int role, width;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(rows, i), "ssssii:columns", &name, &unit, &frame, &doc, &role,
                              &width)) {
            return false;
        }
        if (role < 0 || role >= PYRFLY_SHARED || width < 1 || width > RF_OWN_ROWS) {
            PyErr_Format(PyExc_ValueError, "columns: %s: a role or width that there is not", name);
            return false;
        }
        columns[i] =
            (rf_column){kept(name), kept(unit), kept(frame), kept(doc), (uint16_t)width, (uint8_t)role};
    }
    return true;
}

PyObject *add_model(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name, *doc;
    PyObject *rows, *addresses;
    rf_own_model model = {.derivative = NULL};
    rf_column columns[PYRFLY_SHARED * RF_OWN_ROWS];
    if (!PyArg_ParseTuple(args, "ssO!Op:add_model", &name, &doc, &PyTuple_Type, &rows, &addresses,
                          &model.whole)) {
        return NULL;
    }
    if (rf_vehicle_type_find(name) >= 0)
        return PyErr_Format(PyExc_ValueError, "name: there is a type %s", name);
    if (PyTuple_GET_SIZE(rows) > PYRFLY_SHARED * RF_OWN_ROWS) {
        return PyErr_Format(PyExc_ValueError, "columns: more than %d", PYRFLY_SHARED * RF_OWN_ROWS);
    }
    if (!take_functions(addresses, &model) || !take_columns(rows, columns)) return NULL;
    const int count = (int)PyTuple_GET_SIZE(rows);
    if (rf_type_add_model(kept(name), kept(doc), columns, count, &model) < 0) {
        return PyErr_Format(PyExc_ValueError, "name: there are %d models already", RF_ADDED_TYPES);
    }
    Py_RETURN_NONE;
}

PyObject *set_model_functions(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    PyObject *addresses;
    rf_own_model model = {.derivative = NULL};
    if (!PyArg_ParseTuple(args, "sO:set_model_functions", &name, &addresses)) return NULL;
    const int type = rf_vehicle_type_find(name);
    if (type < 0 || rf_vehicle_type_at(type)->own == NULL) {
        return PyErr_Format(PyExc_ValueError, "name: no model %s", name);
    }
    if (!take_functions(addresses, &model)) return NULL;
    rf_type_set_functions(type, &model);
    Py_RETURN_NONE;
}

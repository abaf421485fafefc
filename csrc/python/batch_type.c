/* SPDX-License-Identifier: BSD-3-Clause */
/* pyrfly._core.Batch: a batch of vehicles whose columns are NumPy views.
 *
 * The object owns the memory; its views keep the object alive. */
#include "python/module.h"

#include "base/platform.h"
#include "batch/batch.h"
#include "base/sil.h"
#include "batch/pool.h"

typedef struct BatchObject {
    PyObject_HEAD
    rf_batch *batch;
    PyObject *terrain_map; /* the tuple of set_terrain_map, which owns its heights, or NULL */
} BatchObject;

static const char *const role_names[RF_ROLE_COUNT] = {
    "state", "input", "param", "gain", "setpoint", "controller", "flag", "output", "part", "part word",
};
static const char *const precisions[] = {"float64", "float32", NULL};
static const char *const integrators[] = {"rk4", "euler", NULL};
static const char *const effects_names[] = {"plain", "full", NULL};

/* Index of `value` in a NULL-ended list, or -1 with an exception that names the argument. */
static int choice(const char *argument, PyObject *value, const char *const *names)
{
    bool text = PyUnicode_Check(value);
    for (int i = 0; text && names[i] != NULL; i++) {
        if (PyUnicode_CompareWithASCIIString(value, names[i]) == 0) return i;
    }
    PyErr_Format(text ? PyExc_ValueError : PyExc_TypeError, "%s: expected '%s' or '%s', got %R", argument,
                 names[0], names[1], value);
    return -1;
}

PyObject *raise_status(rf_status status)
{
    switch (status) {
    case RF_NO_MEMORY:
        return PyErr_NoMemory();
    case RF_BUSY:
        PyErr_SetString(PyExc_RuntimeError,
                        "another thread is using this batch, or was when this process was forked");
        return NULL;
    case RF_BAD_SNAPSHOT:
        PyErr_SetString(PyExc_ValueError,
                        "snapshot: expected one of a batch of the same vehicle type, count, "
                        "settings and version");
        return NULL;
    default:
        PyErr_SetString(PyExc_ValueError, "batch: an argument is out of range");
        return NULL;
    }
}

rf_batch *batch_of(PyObject *object)
{
    return ((BatchObject *)object)->batch;
}

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

/* Index of the column of that name, or -1 with an exception. */
static int find_column(const BatchObject *self, PyObject *name)
{
    if (!PyUnicode_Check(name)) {
        PyErr_Format(PyExc_TypeError, "name: expected the name of a column, got %R", name);
        return -1;
    }
    for (int i = 0, count = rf_batch_column_count(self->batch); i < count; i++) {
        if (PyUnicode_CompareWithASCIIString(name, rf_batch_column_row(self->batch, i)->name) == 0) return i;
    }
    PyErr_Format(PyExc_KeyError, "%s has no column %R", rf_batch_type(self->batch)->name, name);
    return -1;
}

/* ---- construction and destruction ---- */

static const char *const stage_names[RF_STAGE_COUNT] = {
    [RF_STAGE_ENVIRONMENT] = "environment",
    [RF_STAGE_SENSORS] = "sensors",
    [RF_STAGE_NAVIGATOR] = "navigator",
    [RF_STAGE_OUTER] = "outer",
    [RF_STAGE_MIDDLE] = "middle",
    [RF_STAGE_INNER] = "inner",
    [RF_STAGE_POWER] = "power",
};

static int find_stage(PyObject *name)
{
    for (int i = 0; i < RF_STAGE_COUNT && PyUnicode_Check(name); i++) {
        if (PyUnicode_CompareWithASCIIString(name, stage_names[i]) == 0) return i;
    }
    PyErr_Format(PyExc_ValueError, "periods: there is no stage %R", name);
    return -1;
}

static int parse_period(PyObject *name, PyObject *value, uint32_t steps[RF_STAGE_COUNT])
{
    int stage = find_stage(name);
    if (stage < 0) return -1;
    long long period = PyLong_AsLongLong(value);
    if (period == -1 && PyErr_Occurred()) return -1;
    if (period < 1 || period > INT32_MAX) {
        PyErr_Format(PyExc_ValueError, "periods: %s: expected 1 to 2147483647 steps, got %lld",
                     stage_names[stage], period);
        return -1;
    }
    steps[stage] = (uint32_t)period;
    return 0;
}

/* Parses {stage: integrator steps between two runs}: of a copy, because a value's __index__ may change the dict. */
static int parse_periods(PyObject *given, uint32_t steps[RF_STAGE_COUNT])
{
    PyObject *periods = PyDict_Copy(given);
    if (periods == NULL) return -1;
    Py_ssize_t at = 0;
    PyObject *name, *value;
    int result = 0;
    while (result == 0 && PyDict_Next(periods, &at, &name, &value)) {
        result = parse_period(name, value, steps);
    }
    Py_DECREF(periods);
    return result;
}

static PyObject *batch_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"type", "n",       "precision", "integrator", "effects",
                            "dt",   "periods", "threads",   NULL};
    module_state *state = PyType_GetModuleState(type);
    rf_batch_def def = rf_batch_default();
    const char *vehicle;
    PyObject *precision = NULL, *integrator = NULL, *effects = NULL, *periods = NULL;
    Py_ssize_t n;
    def.threads = state->threads;
    def.simd = state->simd;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "sn|OOOdO!i:Batch", names, &vehicle, &n, &precision,
                                     &integrator, &effects, &def.dt, &PyDict_Type, &periods, &def.threads)) {
        return NULL;
    }
    def.type = rf_vehicle_type_find(vehicle);
    if (def.type < 0) return PyErr_Format(PyExc_ValueError, "type: no vehicle type '%s'", vehicle);
    if (n < 1 || (size_t)n > RF_MAXIMUM_VEHICLES) {
        return PyErr_Format(PyExc_ValueError, "n: expected 1 to %zu vehicles, got %zd", RF_MAXIMUM_VEHICLES,
                            n);
    }
    if (!(def.dt >= RF_MINIMUM_DT && def.dt <= RF_MAXIMUM_DT)) {
        PyErr_SetString(PyExc_ValueError, "dt: expected a step of 1e-9 to 1 s");
        return NULL;
    }
    if (def.threads < 1 || def.threads > RF_MAXIMUM_THREADS) {
        return PyErr_Format(PyExc_ValueError, "threads: expected 1 to %d, got %d", RF_MAXIMUM_THREADS,
                            def.threads);
    }
    if (periods != NULL && parse_periods(periods, def.periods) < 0) return NULL;
    def.n = (size_t)n;
    if (precision != NULL && (def.precision = choice("precision", precision, precisions)) < 0) return NULL;
    if (integrator != NULL && (def.integrator = choice("integrator", integrator, integrators)) < 0)
        return NULL;
    if (effects != NULL && (def.effects = choice("effects", effects, effects_names)) < 0) return NULL;
    if (def.effects == RF_EFFECTS_PLAIN && !rf_vehicle_types[def.type].plain) {
        return PyErr_Format(PyExc_ValueError,
                            "effects: expected 'full', the only model of type '%s', got 'plain'", vehicle);
    }

    BatchObject *self = (BatchObject *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    rf_status status = rf_batch_create(&def, &self->batch);
    if (status != RF_OK) {
        Py_DECREF(self);
        return raise_status(status);
    }
    return (PyObject *)self;
}

static PyObject *batch_like(BatchObject *self, PyObject *argument)
{
    Py_ssize_t n = PyNumber_AsSsize_t(argument, PyExc_OverflowError);
    if (n == -1 && PyErr_Occurred()) return NULL;
    if (n < 1 || (size_t)n > RF_MAXIMUM_VEHICLES) {
        return PyErr_Format(PyExc_ValueError, "n: expected 1 to %zu vehicles, got %zd", RF_MAXIMUM_VEHICLES,
                            n);
    }
    PyTypeObject *type = Py_TYPE(self);
    BatchObject *like = (BatchObject *)type->tp_alloc(type, 0);
    if (like == NULL) return NULL;
    rf_status status = rf_batch_create_like(self->batch, (size_t)n, &like->batch);
    if (status != RF_OK) {
        Py_DECREF(like);
        return raise_status(status);
    }
    return (PyObject *)like;
}

static void batch_dealloc(BatchObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    rf_batch_destroy(self->batch);
    Py_XDECREF(self->terrain_map);
    type->tp_free(self);
    Py_DECREF(type);
}

/* ---- methods ---- */

static PyObject *output_array(BatchObject *self, int column);

static PyObject *batch_view(BatchObject *self, PyObject *name)
{
    int column = find_column(self, name);
    if (column < 0) return NULL;
    const rf_batch_def *def = rf_batch_get_def(self->batch);
    const rf_column *row = rf_batch_column_row(self->batch, column);
    if (row->role == RF_ROLE_OUTPUT) return output_array(self, column);

    bool word = rf_column_is_word(row);
    int typenum = word ? NPY_UINT32 : def->precision == RF_FLOAT64 ? NPY_DOUBLE : NPY_FLOAT;
    size_t component_stride;
    void *data = rf_batch_column(self->batch, column, &component_stride);
    if (data == NULL) return PyErr_Format(PyExc_ValueError, "%s: its part is disabled", row->name);
    npy_intp shape[2] = {(npy_intp)def->n, row->width};
    npy_intp strides[2] = {typenum == NPY_DOUBLE ? 8 : 4, (npy_intp)component_stride};
    PyObject *view = PyArray_New(&PyArray_Type, row->width == 1 ? 1 : 2, shape, typenum, strides, data, 0,
                                 NPY_ARRAY_ALIGNED | NPY_ARRAY_WRITEABLE, NULL);
    if (view == NULL) return NULL;
    Py_INCREF(self);
    if (PyArray_SetBaseObject((PyArrayObject *)view, (PyObject *)self) < 0) {
        Py_DECREF(view);
        return NULL;
    }
    return view;
}

static void free_output(PyObject *capsule)
{
    rf_aligned_free(PyCapsule_GetPointer(capsule, "pyrfly.output"));
}

/* New columns, 64-byte aligned, and a capsule that owns them; or NULL with an exception. */
static PyObject *new_columns(const rf_batch *batch, int width, char **memory, size_t *component_stride)
{
    size_t size = rf_batch_get_def(batch)->precision == RF_FLOAT64 ? sizeof(double) : sizeof(float);
    *component_stride = rf_batch_stride(batch) * size;
    *memory = rf_aligned_alloc(64, (size_t)width * *component_stride);
    if (*memory == NULL) return PyErr_NoMemory();
    PyObject *owner = PyCapsule_New(*memory, "pyrfly.output", free_output);
    if (owner == NULL) rf_aligned_free(*memory);
    return owner;
}

/* An array of `components` columns from `start` on; takes over the reference to the owner. */
static PyObject *array_of_columns(const rf_batch *batch, char *start, int components, size_t component_stride,
                                  PyObject *owner)
{
    const rf_batch_def *def = rf_batch_get_def(batch);
    bool wide = def->precision == RF_FLOAT64;
    npy_intp shape[2] = {(npy_intp)def->n, components};
    npy_intp strides[2] = {wide ? sizeof(double) : sizeof(float), (npy_intp)component_stride};
    PyObject *array =
        PyArray_New(&PyArray_Type, components == 1 ? 1 : 2, shape, wide ? NPY_DOUBLE : NPY_FLOAT, strides,
                    start, 0, NPY_ARRAY_ALIGNED | NPY_ARRAY_WRITEABLE, NULL);
    if (array == NULL) {
        Py_DECREF(owner);
        return NULL;
    }
    if (PyArray_SetBaseObject((PyArrayObject *)array, owner) < 0) {
        Py_DECREF(array);
        return NULL;
    }
    return array;
}

/* Computes the outputs of the present state into a new array. */
static PyObject *output_array(BatchObject *self, int column)
{
    const rf_vehicle_type *type = rf_batch_type(self->batch);
    char *memory;
    size_t component_stride, before = 0;
    PyObject *owner =
        new_columns(self->batch, rf_vehicle_role_width(type, RF_ROLE_OUTPUT), &memory, &component_stride);
    if (owner == NULL) return NULL;
    for (int i = 0; i < column; i++) {
        if (type->columns[i].role == RF_ROLE_OUTPUT) before += type->columns[i].width;
    }
    rf_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = rf_batch_output(self->batch, memory);
    Py_END_ALLOW_THREADS;
    if (status != RF_OK) {
        Py_DECREF(owner);
        return raise_status(status);
    }
    return array_of_columns(self->batch, memory + before * component_stride, type->columns[column].width,
                            component_stride, owner);
}

static PyObject *batch_derivative(BatchObject *self, PyObject *unused)
{
    (void)unused;
    const rf_vehicle_type *type = rf_batch_type(self->batch);
    int outputs = rf_vehicle_role_width(type, RF_ROLE_OUTPUT),
        states = rf_vehicle_role_width(type, RF_ROLE_STATE);
    char *memory;
    size_t component_stride;
    PyObject *owner = new_columns(self->batch, outputs + states, &memory, &component_stride);
    if (owner == NULL) return NULL;
    char *derivative = memory + (size_t)outputs * component_stride;
    rf_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = rf_batch_derivative(self->batch, memory, derivative);
    Py_END_ALLOW_THREADS;
    if (status != RF_OK) {
        Py_DECREF(owner);
        return raise_status(status);
    }
    return array_of_columns(self->batch, derivative, states, component_stride, owner);
}

static PyObject *batch_fill(BatchObject *self, PyObject *args)
{
    PyObject *name, *values;
    if (!PyArg_ParseTuple(args, "UO:fill", &name, &values)) return NULL;
    int column = find_column(self, name);
    if (column < 0) return NULL;
    const rf_column *row = rf_batch_column_row(self->batch, column);
    if (row->role == RF_ROLE_OUTPUT) {
        return PyErr_Format(PyExc_ValueError, "%s: an output cannot be filled", row->name);
    }
    PyObject *array = /* of one's own: other threads run as the column is filled */
        PyArray_FROMANY(values, NPY_DOUBLE, 0, 1, NPY_ARRAY_CARRAY_RO | NPY_ARRAY_ENSURECOPY);
    if (array == NULL) return NULL;
    npy_intp count = PyArray_SIZE((PyArrayObject *)array);
    if (count != row->width) {
        Py_DECREF(array);
        return PyErr_Format(PyExc_ValueError, "%s: expected %d values, got %zd", row->name, (int)row->width,
                            (Py_ssize_t)count);
    }
    const double *data = PyArray_DATA((PyArrayObject *)array);
    bool word = rf_column_is_word(row);
    if (word && !(data[0] >= 0 && data[0] <= UINT32_MAX)) {
        Py_DECREF(array);
        return PyErr_Format(PyExc_ValueError, "%s: expected a 32-bit number, not negative, got %R", row->name,
                            values);
    }
    rf_status status = RF_OK;
    Py_BEGIN_ALLOW_THREADS;
    for (int i = 0; i < row->width && status == RF_OK; i++) {
        status = rf_batch_fill(self->batch, column, i, data[i]);
    }
    Py_END_ALLOW_THREADS;
    Py_DECREF(array);
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

/* Index of the part of that name, or -1 with an exception. */
static int find_part(PyObject *name)
{
    for (int i = 0; PyUnicode_Check(name) && i < RF_PART_COUNT; i++) {
        if (PyUnicode_CompareWithASCIIString(name, rf_parts[i].name) == 0) return i;
    }
    PyErr_Format(PyExc_ValueError, "part: there is no part %R", name);
    return -1;
}

static PyObject *batch_enable(BatchObject *self, PyObject *name)
{
    int part = find_part(name);
    if (part < 0) return NULL;
    rf_status status = rf_batch_enable_part(self->batch, part);
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

static PyObject *batch_has(BatchObject *self, PyObject *name)
{
    int part = find_part(name);
    return part < 0 ? NULL : PyBool_FromLong(rf_batch_has_part(self->batch, part));
}

typedef rf_status (*vehicles_call)(rf_batch *batch, const size_t *vehicles, size_t count);

/* An array of indices of vehicles: a new reference, or NULL. */
static PyArrayObject *vehicle_indices(PyObject *indices)
{
    _Static_assert(sizeof(npy_intp) == sizeof(size_t), "indices are passed on as they are");
    PyArrayObject *given = (PyArrayObject *)PyArray_FROMANY(indices, NPY_NOTYPE, 1, 1, 0);
    if (given == NULL) return NULL;
    bool whole = PyArray_SIZE(given) == 0 || PyArray_ISINTEGER(given);
    PyArrayObject *array =
        whole ? (PyArrayObject *)PyArray_FROMANY((PyObject *)given, NPY_INTP, 1, 1, NPY_ARRAY_CARRAY_RO)
              : NULL;
    Py_DECREF(given);
    if (!whole) PyErr_SetString(PyExc_TypeError, "vehicles: expected indices as integers");
    return array;
}

/* Calls a function for the vehicles of an array of indices; `expected` is what the call needs of them. */
static PyObject *for_vehicles(BatchObject *self, PyObject *indices, vehicles_call call, const char *expected)
{
    PyArrayObject *array = vehicle_indices(indices);
    if (array == NULL) return NULL;
    rf_status status = call(self->batch, PyArray_DATA(array), (size_t)PyArray_SIZE(array));
    Py_DECREF(array);
    if (status == RF_BAD_ARGUMENT) {
        return PyErr_Format(PyExc_ValueError, "vehicles: expected indices of vehicles%s", expected);
    }
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

static PyObject *batch_release_navigator(BatchObject *self, PyObject *indices)
{
    return for_vehicles(self, indices, rf_batch_navigator_release, " with a navigator");
}

static PyObject *batch_refresh(BatchObject *self, PyObject *indices)
{
    return for_vehicles(self, indices, rf_batch_refresh, "");
}

static PyObject *batch_reset_part(BatchObject *self, PyObject *args)
{
    const char *name;
    PyObject *indices;
    if (!PyArg_ParseTuple(args, "sO:reset_part", &name, &indices)) return NULL;
    PyArrayObject *array = vehicle_indices(indices);
    if (array == NULL) return NULL;
    rf_status status = rf_batch_reset_part(self->batch, rf_part_find(name), PyArray_DATA(array),
                                           (size_t)PyArray_SIZE(array));
    Py_DECREF(array);
    if (status == RF_BAD_ARGUMENT) {
        PyErr_Format(PyExc_ValueError,
                     "reset_part: expected an enabled part and indices of vehicles, got part '%s'", name);
        return NULL;
    }
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

static PyObject *batch_restart_offset(BatchObject *self, PyObject *indices)
{
    return for_vehicles(self, indices, rf_batch_navigator_restart_offset, " with a navigator");
}

static PyObject *batch_accept(BatchObject *self, PyObject *args)
{
    Py_ssize_t first, count;
    if (!PyArg_ParseTuple(args, "nn:accept", &first, &count)) return NULL;
    if (!rf_batch_has_part(self->batch, RF_PART_navigator)) {
        PyErr_SetString(PyExc_ValueError, "accept: the navigator is disabled");
        return NULL;
    }
    if (first < 0 || count < 0) {
        return PyErr_Format(PyExc_ValueError, "accept: expected vehicles of the batch, got %zd from %zd",
                            count, first);
    }
    rf_status status = rf_batch_accept(self->batch, (size_t)first, (size_t)count);
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

static PyObject *batch_set_airframe(BatchObject *self, PyObject *args)
{
    int airframe;
    PyObject *values;
    if (!PyArg_ParseTuple(args, "iO:set_airframe", &airframe, &values)) return NULL;
    PyObject *array = PyArray_FROMANY(values, NPY_DOUBLE, 1, 1, NPY_ARRAY_CARRAY_RO);
    if (array == NULL) return NULL;
    size_t size = rf_batch_airframe_size(self->batch), count = (size_t)PyArray_SIZE((PyArrayObject *)array);
    rf_status status = RF_BAD_ARGUMENT;
    if (count == size)
        status = rf_batch_set_airframe(self->batch, airframe, PyArray_DATA((PyArrayObject *)array));
    Py_DECREF(array);
    if (status == RF_BAD_ARGUMENT) {
        return PyErr_Format(PyExc_ValueError, "set_airframe: expected 0 to %d and %zu values, got %d and %zu",
                            SIL_AIRFRAMES - 1, size, airframe, count);
    }
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

static PyObject *batch_set_origin(BatchObject *self, PyObject *args)
{
    double lat, lon, height;
    if (!PyArg_ParseTuple(args, "ddd:set_origin", &lat, &lon, &height)) return NULL;
    rf_status status = rf_batch_set_origin(self->batch, lat, lon, height);
    if (status == RF_BAD_ARGUMENT) {
        PyErr_SetString(PyExc_ValueError,
                        "origin: expected latitude within 90 deg, longitude within 180 deg and "
                        "height within 1000 km");
        return NULL;
    }
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

static PyObject *batch_set_terrain_map(BatchObject *self, PyObject *map)
{
    rf_terrain_map values;
    if (map != Py_None && !terrain_map_of(map, &values)) return NULL;
    rf_status status = rf_batch_set_terrain_map(self->batch, map == Py_None ? NULL : &values);
    if (status != RF_OK) return raise_status(status);
    PyObject *before = self->terrain_map;
    Py_INCREF(map);
    self->terrain_map = map;
    Py_XDECREF(before);
    Py_RETURN_NONE;
}

static PyObject *batch_snapshot(BatchObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *list = snapshots_of(&self->batch, 1);
    if (list == NULL) return NULL;
    PyObject *bytes = PyList_GET_ITEM(list, 0);
    Py_INCREF(bytes);
    Py_DECREF(list);
    return bytes;
}

/* A layout version as text; PyUnicode_FromFormat has no 64-bit hexadecimals before Python 3.12. */
typedef struct version_text {
    char hex[17];
} version_text;

static version_text text_of_version(uint64_t version)
{
    version_text text;
    snprintf(text.hex, sizeof text.hex, "%016llx", (unsigned long long)version);
    return text;
}

/* Restores a snapshot, or with `tick` only checks it. */
static PyObject *read_snapshot(BatchObject *self, PyObject *argument, uint64_t *tick)
{
    Py_buffer buffer;
    if (PyObject_GetBuffer(argument, &buffer, PyBUF_SIMPLE) < 0) return NULL;
    size_t size = (size_t)buffer.len;
    rf_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = tick == NULL ? rf_batch_restore(self->batch, buffer.buf, size)
                          : rf_batch_check_snapshot(self->batch, buffer.buf, size, tick);
    Py_END_ALLOW_THREADS;
    uint32_t format;
    uint64_t layout;
    bool known = rf_snapshot_version(buffer.buf, size, &format, &layout);
    PyBuffer_Release(&buffer);
    if (status == RF_OTHER_VERSION && known) {
        version_text own = text_of_version(rf_batch_layout_version(self->batch)),
                     got = text_of_version(layout);
        return PyErr_Format(
            PyExc_ValueError,
            "snapshot: expected format %d and layout version %s of type '%s', got format %d and "
            "layout version %s",
            RF_SNAPSHOT_FORMAT, own.hex, rf_batch_type(self->batch)->name, (int)format, got.hex);
    }
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

static PyObject *batch_restore(BatchObject *self, PyObject *argument)
{
    return read_snapshot(self, argument, NULL);
}

static PyObject *batch_check_snapshot(BatchObject *self, PyObject *argument)
{
    uint64_t tick;
    PyObject *checked = read_snapshot(self, argument, &tick);
    if (checked == NULL) return NULL;
    Py_DECREF(checked);
    return PyLong_FromUnsignedLongLong(tick);
}

static PyMethodDef methods[] = {
    {"view", (PyCFunction)(void (*)(void))batch_view, METH_O,
     "view(name)\n--\n\nReturn a column as an array of shape (n,) or (n, width): a view, or for an output a "
     "new "
     "array computed from the present state."},
    {"fill", (PyCFunction)(void (*)(void))batch_fill, METH_VARARGS,
     "fill(name, values)\n--\n\nSet a column of every vehicle to the same values."},
    {"enable", (PyCFunction)(void (*)(void))batch_enable, METH_O,
     "enable(part)\n--\n\nEnable a part of the vehicles, in its initial state; no effect if it is enabled."},
    {"has", (PyCFunction)(void (*)(void))batch_has, METH_O,
     "has(part)\n--\n\nReturn whether a part is enabled."},
    {"release_navigator", (PyCFunction)(void (*)(void))batch_release_navigator, METH_O,
     "release_navigator(vehicles)\n--\n\nSet mode NONE: the navigators write no set-points until the next "
     "command."},
    {"restart_offset", (PyCFunction)(void (*)(void))batch_restart_offset, METH_O,
     "restart_offset(vehicles)\n--\n\nLet a position offset in the body frame count from the present "
     "position."},
    {"reset_part", (PyCFunction)(void (*)(void))batch_reset_part, METH_VARARGS,
     "reset_part(part, vehicles)\n--\n\nReset an enabled part of vehicles to its initial state, except its "
     "settings."},
    {"refresh", (PyCFunction)(void (*)(void))batch_refresh, METH_O,
     "refresh(vehicles)\n--\n\nCompute the environment of vehicles at their present states, without a step "
     "in time."},
    {"like", (PyCFunction)(void (*)(void))batch_like, METH_O,
     "like(n)\n--\n\nReturn a new batch of n vehicles in float64 with the type, settings, origin and time of "
     "this one."},
    {"accept", (PyCFunction)(void (*)(void))batch_accept, METH_VARARGS,
     "accept(first, count)\n--\n\nAccept the commands in the inputs of these vehicles now."},
    {"set_airframe", (PyCFunction)(void (*)(void))batch_set_airframe, METH_VARARGS,
     "set_airframe(airframe, values)\n--\n\nSet params and gains of an airframe (0 to 3) of a mixed model."},
    {"set_origin", (PyCFunction)(void (*)(void))batch_set_origin, METH_VARARGS,
     "set_origin(lat, lon, height)\n--\n\nSet the origin of the local frame [deg, deg, m]."},
    {"set_terrain_map", (PyCFunction)(void (*)(void))batch_set_terrain_map, METH_O,
     "set_terrain_map(map)\n--\n\nSet the map below the vehicles whose on_terrain_map is 1: a tuple of a "
     "read-only "
     "array of heights [m], the (north, east) of the first [m] and the spacing [m]; or None."},
    {"derivative", (PyCFunction)(void (*)(void))batch_derivative, METH_NOARGS,
     "derivative()\n--\n\nReturn the time derivative of the present state as a new array of shape (n, "
     "width), "
     "the state columns in their order."},
    {"snapshot", (PyCFunction)(void (*)(void))batch_snapshot, METH_NOARGS,
     "snapshot()\n--\n\nReturn everything that a step depends on, as bytes."},
    {"restore", (PyCFunction)(void (*)(void))batch_restore, METH_O,
     "restore(snapshot)\n--\n\nRestore a snapshot of a batch of the same type, count and settings."},
    {"check_snapshot", (PyCFunction)(void (*)(void))batch_check_snapshot, METH_O,
     "check_snapshot(snapshot)\n--\n\nReturn the tick of a snapshot, or raise what restore would, without an "
     "effect."},
    {NULL, NULL, 0, NULL},
};

/* ---- attributes ---- */

static PyObject *get_type_name(BatchObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(rf_batch_type(self->batch)->name);
}

static PyObject *get_n(BatchObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(rf_batch_get_def(self->batch)->n);
}

static PyObject *get_precision(BatchObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(precisions[rf_batch_get_def(self->batch)->precision]);
}

static PyObject *get_integrator(BatchObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(integrators[rf_batch_get_def(self->batch)->integrator]);
}

static PyObject *get_effects(BatchObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(effects_names[rf_batch_get_def(self->batch)->effects]);
}

static PyObject *get_threads(BatchObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLong(rf_batch_get_def(self->batch)->threads);
}

static PyObject *get_dt(BatchObject *self, void *unused)
{
    (void)unused;
    return PyFloat_FromDouble(rf_batch_get_def(self->batch)->dt);
}

static PyObject *get_nbytes(BatchObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(rf_batch_bytes(self->batch));
}

static PyObject *get_tick(BatchObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLongLong(rf_batch_tick(self->batch));
}

static int refuse_deletion(PyObject *value, const char *name)
{
    if (value != NULL) return 0;
    PyErr_Format(PyExc_AttributeError, "%s cannot be deleted", name);
    return -1;
}

static int set_status(rf_status status)
{
    if (status == RF_OK) return 0;
    raise_status(status);
    return -1;
}

static int set_tick(BatchObject *self, PyObject *value, void *unused)
{
    (void)unused;
    if (refuse_deletion(value, "tick") < 0) return -1;
    unsigned long long tick = PyLong_AsUnsignedLongLong(value);
    if (tick == (unsigned long long)-1 && PyErr_Occurred()) return -1;
    if (tick > RF_MAXIMUM_TICK) {
        PyErr_Format(PyExc_ValueError, "tick: expected 0 to 2^62, got %llu", tick);
        return -1;
    }
    return set_status(rf_batch_set_tick(self->batch, tick));
}

static PyObject *get_layout_version(BatchObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(text_of_version(rf_batch_layout_version(self->batch)).hex);
}

static PyObject *get_controllers(BatchObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(rf_batch_controllers(self->batch));
}

static int set_controllers(BatchObject *self, PyObject *value, void *unused)
{
    (void)unused;
    if (refuse_deletion(value, "controllers") < 0) return -1;
    int on = PyObject_IsTrue(value);
    if (on < 0) return -1;
    return set_status(rf_batch_set_controllers(self->batch, on != 0));
}

#define GETTER(name, doc)                                                                                    \
    {                                                                                                        \
#name, (getter)get_##name, NULL, doc, NULL                                                           \
    }

static PyGetSetDef attributes[] = {
    {"type_name", (getter)get_type_name, NULL, "Name of the vehicle type.", NULL},
    GETTER(n, "Number of vehicles."),
    GETTER(precision, "'float64' or 'float32'."),
    GETTER(integrator, "'rk4' or 'euler'."),
    GETTER(effects, "'full' or 'plain'."),
    GETTER(threads, "Maximum number of threads of one step."),
    GETTER(dt, "Integrator step [s]."),
    GETTER(nbytes, "Memory of the columns [bytes]."),
    GETTER(layout_version, "Identifies the columns, a hexadecimal number."),
    {"tick", (getter)get_tick, (setter)set_tick, "Integrator steps taken.", NULL},
    {"controllers", (getter)get_controllers, (setter)set_controllers, "Whether the controllers run.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyDoc_STRVAR(
    batch_doc,
    "Batch(type, n, precision='float64', integrator='rk4', effects='full', dt=0.001,\n"
    "      periods=None, threads=None)\n--\n\n"
    "Vehicles of one type, as columns of one buffer.\n\n"
    "One thread at a time may change a batch: a second concurrent step raises RuntimeError. Outputs and\n"
    "snapshots wait for a pause of the step, 50 ms at most for batches that step faster.");

static PyType_Slot type_slots[] = {
    {Py_tp_doc, (void *)batch_doc},         {Py_tp_new, (void *)batch_new},
    {Py_tp_dealloc, (void *)batch_dealloc}, {Py_tp_methods, (void *)methods},
    {Py_tp_getset, (void *)attributes},     {0, NULL},
};

static PyType_Spec spec = {
    .name = "pyrfly._core.Batch",
    .basicsize = sizeof(BatchObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = type_slots,
};

PyTypeObject *batch_type_create(PyObject *module)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* pyrfly._core.Batch: a batch of vehicles whose columns are NumPy views.
 *
 * The memory belongs to the object and lives as long as any view of it. */
#include "python/module.h"

#include <stdlib.h>

#include "batch/batch.h"
#include "batch/pool.h"

typedef struct BatchObject {
    PyObject_HEAD
    rf_batch *batch;
} BatchObject;

static const char *const role_names[RF_ROLE_COUNT] = {
    "state",      "input", "param",  "gain",      "setpoint",
    "controller", "flag",  "output", "navigator", "navigator word",
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
        PyErr_SetString(PyExc_RuntimeError, "another thread is using this batch");
        return NULL;
    case RF_BAD_SNAPSHOT:
        PyErr_SetString(PyExc_ValueError,
                        "snapshot: expected one of a batch of the same vehicle type, count, "
                        "settings and version");
        return NULL;
    default:
        PyErr_SetString(PyExc_ValueError, "batch: an argument is out of its range");
        return NULL;
    }
}

rf_batch *batch_of(PyObject *object)
{
    return ((BatchObject *)object)->batch;
}

PyObject *columns_of_type(int type)
{
    const rf_vehicle_type *vehicle = &rf_vehicle_types[type];
    PyObject *columns = PyTuple_New(vehicle->column_count);
    if (columns == NULL) return NULL;
    for (int i = 0; i < vehicle->column_count; i++) {
        const rf_column *c = &vehicle->columns[i];
        PyObject *row =
            Py_BuildValue("(sissss)", c->name, (int)c->width, role_names[c->role], c->unit, c->frame, c->doc);
        if (row == NULL) {
            Py_DECREF(columns);
            return NULL;
        }
        PyTuple_SET_ITEM(columns, i, row);
    }
    return columns;
}

/* Index of the column of that name, or -1 with an exception. */
static int find_column(const BatchObject *self, PyObject *name)
{
    const rf_vehicle_type *type = rf_batch_type(self->batch);
    if (!PyUnicode_Check(name)) {
        PyErr_Format(PyExc_TypeError, "name: expected the name of a column, got %R", name);
        return -1;
    }
    for (int i = 0; i < type->column_count; i++) {
        if (PyUnicode_CompareWithASCIIString(name, type->columns[i].name) == 0) return i;
    }
    PyErr_Format(PyExc_KeyError, "%s has no column %R", type->name, name);
    return -1;
}

/* ---- making and unmaking ---- */

static int parse_loop_steps(PyObject *sequence, uint32_t steps[3])
{
    long long each[3];
    if (!PyArg_ParseTuple(sequence, "LLL;loop_steps: expected three numbers of integrator steps", &each[0],
                          &each[1], &each[2])) {
        return -1;
    }
    for (int i = 0; i < 3; i++) {
        if (each[i] < 1 || each[i] > INT32_MAX) {
            PyErr_Format(PyExc_ValueError, "loop_steps: expected numbers from 1 to 2147483647, got %lld",
                         each[i]);
            return -1;
        }
        steps[i] = (uint32_t)each[i];
    }
    return 0;
}

static PyObject *batch_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"type", "n",          "precision", "integrator", "effects",
                            "dt",   "loop_steps", "threads",   NULL};
    module_state *state = PyType_GetModuleState(type);
    rf_batch_def def = rf_batch_default();
    const char *vehicle;
    PyObject *precision = NULL, *integrator = NULL, *effects = NULL, *loop_steps = NULL;
    Py_ssize_t n;
    def.threads = state->threads;
    def.simd = state->simd;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "sn|OOOdO!i:Batch", names, &vehicle, &n, &precision,
                                     &integrator, &effects, &def.dt, &PyTuple_Type, &loop_steps,
                                     &def.threads)) {
        return NULL;
    }
    def.type = rf_vehicle_type_find(vehicle);
    if (def.type < 0) return PyErr_Format(PyExc_ValueError, "type: no vehicle type '%s'", vehicle);
    if (n < 1 || (size_t)n > RF_MOST_VEHICLES) {
        return PyErr_Format(PyExc_ValueError, "n: expected 1 to %zu vehicles, got %zd", RF_MOST_VEHICLES, n);
    }
    if (!(def.dt > 0 && def.dt <= 1)) {
        PyErr_SetString(PyExc_ValueError, "dt: expected a step in seconds, above 0 and at most 1");
        return NULL;
    }
    if (def.threads < 1 || def.threads > RF_MOST_THREADS) {
        return PyErr_Format(PyExc_ValueError, "threads: expected 1 to %d, got %d", RF_MOST_THREADS,
                            def.threads);
    }
    if (loop_steps != NULL && parse_loop_steps(loop_steps, def.loop_steps) < 0) return NULL;
    def.n = (size_t)n;
    if (precision != NULL && (def.precision = choice("precision", precision, precisions)) < 0) return NULL;
    if (integrator != NULL && (def.integrator = choice("integrator", integrator, integrators)) < 0)
        return NULL;
    if (effects != NULL && (def.effects = choice("effects", effects, effects_names)) < 0) return NULL;

    BatchObject *self = (BatchObject *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    rf_status status = rf_batch_create(&def, &self->batch);
    if (status != RF_OK) {
        Py_DECREF(self);
        return raise_status(status);
    }
    return (PyObject *)self;
}

static void batch_dealloc(BatchObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    rf_batch_destroy(self->batch);
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
    const rf_column *row = &rf_batch_type(self->batch)->columns[column];
    if (row->role == RF_ROLE_OUTPUT) return output_array(self, column);

    bool word = row->role == RF_ROLE_FLAG || row->role == RF_ROLE_NAVIGATOR_WORD;
    int typenum = word ? NPY_UINT32 : def->precision == RF_FLOAT64 ? NPY_DOUBLE : NPY_FLOAT;
    size_t component_stride;
    void *data = rf_batch_column(self->batch, column, &component_stride);
    if (data == NULL) return PyErr_Format(PyExc_ValueError, "%s: the navigator is off", row->name);
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
    free(PyCapsule_GetPointer(capsule, "pyrfly.output"));
}

/* Outputs are computed when asked for, into memory of their own. */
static PyObject *output_array(BatchObject *self, int column)
{
    const rf_vehicle_type *type = rf_batch_type(self->batch);
    const rf_batch_def *def = rf_batch_get_def(self->batch);
    size_t size = def->precision == RF_FLOAT64 ? sizeof(double) : sizeof(float);
    size_t component_stride = rf_batch_stride(self->batch) * size;
    size_t width = (size_t)rf_vehicle_role_width(type, RF_ROLE_OUTPUT), before = 0;
    for (int i = 0; i < column; i++) {
        if (type->columns[i].role == RF_ROLE_OUTPUT) before += type->columns[i].width;
    }
    char *memory = aligned_alloc(64, width * component_stride);
    if (memory == NULL) return PyErr_NoMemory();
    PyObject *owner = PyCapsule_New(memory, "pyrfly.output", free_output);
    if (owner == NULL) {
        free(memory);
        return NULL;
    }
    rf_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = rf_batch_output(self->batch, memory);
    Py_END_ALLOW_THREADS;
    if (status != RF_OK) {
        Py_DECREF(owner);
        return raise_status(status);
    }
    int components = type->columns[column].width;
    npy_intp shape[2] = {(npy_intp)def->n, components};
    npy_intp strides[2] = {(npy_intp)size, (npy_intp)component_stride};
    PyObject *array = PyArray_New(
        &PyArray_Type, components == 1 ? 1 : 2, shape, def->precision == RF_FLOAT64 ? NPY_DOUBLE : NPY_FLOAT,
        strides, memory + before * component_stride, 0, NPY_ARRAY_ALIGNED | NPY_ARRAY_WRITEABLE, NULL);
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

static PyObject *batch_fill(BatchObject *self, PyObject *args)
{
    PyObject *name, *values;
    if (!PyArg_ParseTuple(args, "UO:fill", &name, &values)) return NULL;
    int column = find_column(self, name);
    if (column < 0) return NULL;
    const rf_column *row = &rf_batch_type(self->batch)->columns[column];
    if (row->role == RF_ROLE_OUTPUT) {
        return PyErr_Format(PyExc_ValueError, "%s: an output cannot be filled", row->name);
    }
    PyObject *array = PyArray_FROMANY(values, NPY_DOUBLE, 0, 1, NPY_ARRAY_CARRAY_RO);
    if (array == NULL) return NULL;
    npy_intp count = PyArray_SIZE((PyArrayObject *)array);
    if (count != row->width) {
        Py_DECREF(array);
        return PyErr_Format(PyExc_ValueError, "%s: expected %d values, got %zd", row->name, (int)row->width,
                            (Py_ssize_t)count);
    }
    const double *data = PyArray_DATA((PyArrayObject *)array);
    bool word = row->role == RF_ROLE_FLAG || row->role == RF_ROLE_NAVIGATOR_WORD;
    if (word && !(data[0] >= 0 && data[0] <= UINT32_MAX)) {
        Py_DECREF(array);
        return PyErr_Format(PyExc_ValueError, "%s: expected a 32-bit number, not negative, got %R", row->name,
                            values);
    }
    rf_status status = RF_OK;
    for (int i = 0; i < row->width && status == RF_OK; i++) {
        status = rf_batch_fill(self->batch, column, i, data[i]);
    }
    Py_DECREF(array);
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

static PyObject *batch_step(BatchObject *self, PyObject *argument)
{
    if (!PyIndex_Check(argument))
        return PyErr_Format(PyExc_TypeError, "n: expected a number of steps, got %R", argument);
    int overflow;
    long long steps = PyLong_AsLongLongAndOverflow(argument, &overflow);
    if (steps == -1 && PyErr_Occurred()) return NULL;
    if (overflow != 0 || steps < 0 || steps > INT32_MAX) {
        return PyErr_Format(PyExc_ValueError, "n: expected 0 to 2147483647 steps, got %R", argument);
    }
    rf_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = rf_batch_step(self->batch, (uint32_t)steps);
    Py_END_ALLOW_THREADS;
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

static PyObject *batch_enable_navigator(BatchObject *self, PyObject *unused)
{
    (void)unused;
    rf_status status = rf_batch_enable_navigator(self->batch);
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

static PyObject *batch_accept(BatchObject *self, PyObject *args)
{
    Py_ssize_t first, count;
    if (!PyArg_ParseTuple(args, "nn:accept", &first, &count)) return NULL;
    if (!rf_batch_navigator(self->batch)) {
        PyErr_SetString(PyExc_ValueError, "accept: the navigator is off");
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
                            RF_AIRFRAMES - 1, size, airframe, count);
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

static PyObject *batch_snapshot(BatchObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)rf_batch_snapshot_size(self->batch));
    if (bytes == NULL) return NULL;
    rf_status status = rf_batch_save(self->batch, PyBytes_AS_STRING(bytes));
    if (status != RF_OK) {
        Py_DECREF(bytes);
        return raise_status(status);
    }
    return bytes;
}

static PyObject *batch_restore(BatchObject *self, PyObject *argument)
{
    Py_buffer buffer;
    if (PyObject_GetBuffer(argument, &buffer, PyBUF_SIMPLE) < 0) return NULL;
    rf_status status = rf_batch_restore(self->batch, buffer.buf, (size_t)buffer.len);
    PyBuffer_Release(&buffer);
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"view", (PyCFunction)(void (*)(void))batch_view, METH_O,
     "view(name)\n--\n\nThe column as an array of shape (n,) or (n, width): a live view, or for an output a "
     "fresh "
     "array computed from the present state."},
    {"fill", (PyCFunction)(void (*)(void))batch_fill, METH_VARARGS,
     "fill(name, values)\n--\n\nSet a column of every vehicle to the same values."},
    {"step", (PyCFunction)(void (*)(void))batch_step, METH_O,
     "step(n)\n--\n\nTake n integrator steps.  Releases the GIL; raises RuntimeError when another thread is "
     "using "
     "this batch."},
    {"enable_navigator", (PyCFunction)(void (*)(void))batch_enable_navigator, METH_NOARGS,
     "enable_navigator()\n--\n\nMake the columns of the navigator, if there are none yet."},
    {"accept", (PyCFunction)(void (*)(void))batch_accept, METH_VARARGS,
     "accept(first, count)\n--\n\nTake in the commands in the ports of these vehicles now."},
    {"set_airframe", (PyCFunction)(void (*)(void))batch_set_airframe, METH_VARARGS,
     "set_airframe(airframe, values)\n--\n\nParams and gains of an airframe of a mixed model, 0 to 3."},
    {"set_origin", (PyCFunction)(void (*)(void))batch_set_origin, METH_VARARGS,
     "set_origin(lat, lon, height)\n--\n\nPlace the local frame [deg, deg, m]."},
    {"snapshot", (PyCFunction)(void (*)(void))batch_snapshot, METH_NOARGS,
     "snapshot()\n--\n\nEverything a step depends on, as bytes."},
    {"restore", (PyCFunction)(void (*)(void))batch_restore, METH_O,
     "restore(snapshot)\n--\n\nGo back to a snapshot of a batch of the same type, count and precision."},
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
    return set_status(rf_batch_set_tick(self->batch, tick));
}

static PyObject *get_navigator(BatchObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(rf_batch_navigator(self->batch));
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
    GETTER(threads, "Most threads used by one step."),
    GETTER(dt, "Integrator step [s]."),
    GETTER(nbytes, "Memory of the columns [bytes]."),
    GETTER(navigator, "Whether there are columns of the navigator."),
    {"tick", (getter)get_tick, (setter)set_tick, "Integrator steps taken.", NULL},
    {"controllers", (getter)get_controllers, (setter)set_controllers, "Whether the controllers run.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyDoc_STRVAR(batch_doc,
             "Batch(type, n, precision='float64', integrator='rk4', effects='full', dt=0.001,\n"
             "      loop_steps=(10, 4, 2), threads=None)\n--\n\n"
             "Vehicles of one type as columns of one buffer.\n\n"
             "One thread at a time may use a batch: a second concurrent step raises RuntimeError.");

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

/* SPDX-License-Identifier: BSD-3-Clause */
/* Batch(...) and Batch.like: a new batch from arguments. */
#include "python/batch_object.h"

#include "batch/pool.h"

const char *const precision_names[] = {"float64", "float32", NULL};
const char *const integrator_names[] = {"rk4", "euler", NULL};
const char *const effects_names[] = {"plain", "full", NULL};

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

static const char *const stage_names[RF_STAGE_COUNT] = {
    [RF_STAGE_SAFETY] = "safety",   [RF_STAGE_FAULTS] = "faults",   [RF_STAGE_ENVIRONMENT] = "environment",
    [RF_STAGE_REBOUND] = "rebound", [RF_STAGE_SENSORS] = "sensors", [RF_STAGE_NAVIGATOR] = "navigator",
    [RF_STAGE_OUTER] = "outer",     [RF_STAGE_MIDDLE] = "middle",   [RF_STAGE_INNER] = "inner",
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

PyObject *batch_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
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
    if (precision != NULL && (def.precision = choice("precision", precision, precision_names)) < 0)
        return NULL;
    if (integrator != NULL && (def.integrator = choice("integrator", integrator, integrator_names)) < 0)
        return NULL;
    if (effects != NULL && (def.effects = choice("effects", effects, effects_names)) < 0) return NULL;
    if (def.effects == RF_EFFECTS_PLAIN && !rf_vehicle_type_at(def.type)->plain) {
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

PyObject *batch_like(BatchObject *self, PyObject *argument)
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

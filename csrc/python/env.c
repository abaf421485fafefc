/* SPDX-License-Identifier: BSD-3-Clause */
/* pyrfly._core.Env: the vehicles of a batch as learning environments, with the caller's arrays. */
#include "python/module.h"

#include "world/episodes.h"

typedef struct EnvObject {
    PyObject_HEAD
    PyObject *batch; /* a Batch, which must live as long */
    rf_env *env;
    npy_intp n, action_count, observed;
} EnvObject;

static const char *const task_names[] = {
#define RF_TASK_NAME(name, traits, doc) #name,
    RF_TASKS(RF_TASK_NAME)
#undef RF_TASK_NAME
        NULL,
};
static const char *const autoreset_names[] = {"NextStep", "SameStep", "Disabled", NULL};
static const char *const law_names[] = {
#define RF_LAW_NAME(law, name) name,
    RF_EACH_LAW(RF_LAW_NAME)
#undef RF_LAW_NAME
        NULL,
};

static int index_of(const char *argument, const char *name, const char *const *names)
{
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(name, names[i]) == 0) return i;
    }
    PyErr_Format(PyExc_ValueError, "%s: unknown name '%s'", argument, name);
    return -1;
}

/* ---- construction ---- */

static int column_of(const rf_batch *batch, const char *name)
{
    int column = rf_batch_column_find(batch, name);
    if (column < 0) PyErr_Format(PyExc_KeyError, "there is no column '%s'", name);
    return column;
}

/* (column, component) of each limit of a scale. */
static int parse_limits(const rf_batch *batch, PyObject *tuple, rf_env_action *to)
{
    to->limit_count = (int)PyTuple_GET_SIZE(tuple);
    if (to->limit_count > RF_ENV_LIMITS) {
        PyErr_Format(PyExc_ValueError, "actions: expected up to %d limits, got %d", RF_ENV_LIMITS,
                     to->limit_count);
        return -1;
    }
    for (int i = 0; i < to->limit_count; i++) {
        const char *name;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(tuple, i), "si:limits", &name, &to->limits[i].component))
            return -1;
        if ((to->limits[i].column = column_of(batch, name)) < 0) return -1;
    }
    return 0;
}

/* (column or None, component, offset, scale, limits) of each value of an action. */
static int parse_actions(const rf_batch *batch, PyObject *tuple, rf_env_action actions[16])
{
    Py_ssize_t count = PyTuple_GET_SIZE(tuple);
    if (count < 1 || count > 16) {
        PyErr_Format(PyExc_ValueError, "actions: expected 1 to 16, got %zd", count);
        return -1;
    }
    for (Py_ssize_t k = 0; k < count; k++) {
        const char *name;
        PyObject *limits;
        rf_env_action *to = &actions[k];
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(tuple, k), "ziddO!:actions", &name, &to->component,
                              &to->offset, &to->scale, &PyTuple_Type, &limits) ||
            parse_limits(batch, limits, to) < 0) {
            return -1;
        }
        to->column = name == NULL ? -1 : column_of(batch, name);
        if (name != NULL && to->column < 0) return -1;
    }
    return (int)count;
}

/* (column, component, law, first, second, number) of each random column; see rf_env_random. */
static int parse_random(const rf_batch *batch, PyObject *tuple, rf_env_random *rows)
{
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(tuple); k++) {
        const char *name, *law;
        rf_env_random *to = &rows[k];
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(tuple, k), "sisddI:random", &name, &to->component, &law,
                              &to->first, &to->second, &to->number)) {
            return -1;
        }
        to->column = column_of(batch, name);
        to->law = index_of("random", law, law_names);
        if (to->column < 0 || to->law < 0) return -1;
    }
    return 0;
}

/* (north, east, down, yaw) of each gate. */
static int parse_gates(PyObject *tuple, rf_gate gates[RF_ENV_GATES])
{
    Py_ssize_t count = PyTuple_GET_SIZE(tuple);
    if (count > RF_ENV_GATES) {
        PyErr_Format(PyExc_ValueError, "gates: expected up to %d, got %zd", RF_ENV_GATES, count);
        return -1;
    }
    for (Py_ssize_t k = 0; k < count; k++) {
        rf_gate *to = &gates[k];
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(tuple, k), "dddd:gates", &to->pos[0], &to->pos[1], &to->pos[2],
                              &to->yaw)) {
            return -1;
        }
    }
    return (int)count;
}

/* A standard deviation for each value of an observation. */
static int parse_noise(PyObject *tuple, int count, double noise[RF_ENV_OBSERVED])
{
    if (PyTuple_GET_SIZE(tuple) != count) {
        PyErr_Format(PyExc_ValueError, "noise: expected %d values, got %zd", count, PyTuple_GET_SIZE(tuple));
        return -1;
    }
    for (Py_ssize_t k = 0; k < count; k++) noise[k] = PyFloat_AsDouble(PyTuple_GET_ITEM(tuple, k));
    return PyErr_Occurred() ? -1 : 0;
}

/* The tables of a definition. */
typedef struct env_tables {
    PyObject *actions, *random, *gates, *noise; /* tuples; noise may be None */
} env_tables;

static int create(EnvObject *self, rf_batch *batch, rf_env_def *def, const env_tables *given)
{
    rf_env_action action_rows[16];
    rf_gate gates[RF_ENV_GATES];
    double noise[RF_ENV_OBSERVED];
    def->random_count = (size_t)PyTuple_GET_SIZE(given->random);
    rf_env_random *random_rows = PyMem_New(rf_env_random, def->random_count + 1);
    if (random_rows == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    def->action_count = parse_actions(batch, given->actions, action_rows);
    def->gate_count = parse_gates(given->gates, gates);
    const bool noisy = given->noise != Py_None;
    bool parsed = def->action_count > 0 && def->gate_count >= 0 &&
                  parse_random(batch, given->random, random_rows) == 0 &&
                  (!noisy || parse_noise(given->noise, rf_task_observed(def->task), noise) == 0);
    def->actions = action_rows;
    def->random = random_rows;
    def->gates = def->gate_count > 0 ? gates : NULL;
    def->noise = noisy ? noise : NULL;
    rf_status status = parsed ? rf_env_create(batch, def, &self->env) : RF_OK;
    PyMem_Free(random_rows);
    if (status != RF_OK) raise_status(status);
    return parsed && status == RF_OK ? 0 : -1;
}

static char *env_arguments[] = {"batch",
                                "task",
                                "autoreset",
                                "substeps",
                                "actions",
                                "attitude",
                                "random",
                                "agents",
                                "gates",
                                "action_delay",
                                "observation_delay",
                                "noise",
                                "centred",
                                "maximum",
                                "maximum_component",
                                NULL};

static PyObject *env_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *module = PyType_GetModule(type), *object;
    env_tables given;
    const char *task, *autoreset, *attitude, *centred = NULL, *maximum = NULL;
    int maximum_component = 0;
    unsigned int substeps, action_delay, observation_delay;
    int agents;
    if (module == NULL) return NULL;
    if (!PyArg_ParseTupleAndKeywords(
            args, kwargs, "O!ssIO!zO!iO!IIO|zzi:Env", env_arguments, module_state_of(module)->batch_type,
            &object, &task, &autoreset, &substeps, &PyTuple_Type, &given.actions, &attitude, &PyTuple_Type,
            &given.random, &agents, &PyTuple_Type, &given.gates, &action_delay, &observation_delay,
            &given.noise, &centred, &maximum, &maximum_component)) {
        return NULL;
    }
    if (given.noise != Py_None && !PyTuple_Check(given.noise)) {
        PyErr_SetString(PyExc_TypeError, "noise: expected a tuple or None");
        return NULL;
    }
    rf_batch *batch = batch_of(object);
    rf_env_def def = {.task = index_of("task", task, task_names),
                      .autoreset = index_of("autoreset", autoreset, autoreset_names),
                      .substeps = substeps,
                      .attitude = -1,
                      .centred = -1,
                      .maximum = -1,
                      .maximum_component = maximum_component,
                      .agents = agents,
                      .action_delay = action_delay,
                      .observation_delay = observation_delay};
    if (def.task < 0 || def.autoreset < 0) return NULL;
    if (attitude != NULL && (def.attitude = column_of(batch, attitude)) < 0) return NULL;
    if (centred != NULL && (def.centred = column_of(batch, centred)) < 0) return NULL;
    if (maximum != NULL && (def.maximum = column_of(batch, maximum)) < 0) return NULL;
    EnvObject *self = (EnvObject *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    Py_INCREF(object);
    self->batch = object;
    if (create(self, batch, &def, &given) < 0) {
        Py_DECREF(self);
        return NULL;
    }
    self->n = (npy_intp)rf_batch_get_def(batch)->n;
    self->action_count = def.action_count;
    self->observed = rf_env_observed(self->env);
    return (PyObject *)self;
}

static void env_dealloc(PyObject *object)
{
    EnvObject *self = (EnvObject *)object;
    PyTypeObject *type = Py_TYPE(object);
    rf_env_destroy(self->env);
    Py_XDECREF(self->batch);
    type->tp_free(object);
    Py_DECREF(type);
}

/* ---- steps ---- */

/* The values of an array of that type and number of values, C-contiguous; NULL with an exception. */
static void *values_of(PyObject *object, const char *name, int type, npy_intp count, bool written)
{
    if (PyArray_Check(object)) {
        PyArrayObject *array = (PyArrayObject *)object;
        bool fits = PyArray_TYPE(array) == type && PyArray_SIZE(array) == count &&
                    PyArray_IS_C_CONTIGUOUS(array) && PyArray_ISALIGNED(array) && PyArray_ISNOTSWAPPED(array);
        if (fits && (!written || PyArray_ISWRITEABLE(array))) return PyArray_DATA(array);
    }
    PyErr_Format(PyExc_ValueError, "%s: expected a contiguous array of %zd values of its type", name,
                 (Py_ssize_t)count);
    return NULL;
}

static PyObject *env_reset(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    EnvObject *self = (EnvObject *)object;
    if (count != 2) return PyErr_Format(PyExc_TypeError, "reset: expected 2 arguments, got %zd", count);
    const uint8_t *chosen = NULL;
    if (args[0] != Py_None) {
        chosen = values_of(args[0], "chosen", NPY_BOOL, self->n, false);
        if (chosen == NULL) return NULL;
    }
    float *observations = values_of(args[1], "observations", NPY_FLOAT32, self->n * self->observed, true);
    if (observations == NULL) return NULL;
    rf_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = rf_env_reset(self->env, chosen, observations);
    Py_END_ALLOW_THREADS;
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

static PyObject *env_step(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    EnvObject *self = (EnvObject *)object;
    if (count != 8) return PyErr_Format(PyExc_TypeError, "step: expected 8 arguments, got %zd", count);
    const npy_intp n = self->n, observed = n * self->observed;
    rf_env_result result = {0};
    const float *actions = values_of(args[0], "actions", NPY_FLOAT32, n * self->action_count, false);
    if (actions == NULL) return NULL;
    if ((result.observations = values_of(args[1], "observations", NPY_FLOAT32, observed, true)) == NULL ||
        (args[2] != Py_None && (result.final_observations = values_of(
                                    args[2], "final_observations", NPY_FLOAT32, observed, true)) == NULL) ||
        (result.rewards = values_of(args[3], "rewards", NPY_FLOAT32, n, true)) == NULL ||
        (result.terminated = values_of(args[4], "terminated", NPY_BOOL, n, true)) == NULL ||
        (result.truncated = values_of(args[5], "truncated", NPY_BOOL, n, true)) == NULL ||
        (result.ends = values_of(args[6], "ends", NPY_UINT8, n, true)) == NULL ||
        (args[7] != Py_None && (result.passed = values_of(args[7], "passed", NPY_UINT32, n, true)) == NULL)) {
        return NULL;
    }
    rf_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = rf_world_step_env(self->env, actions, &result);
    Py_END_ALLOW_THREADS;
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

static PyObject *env_observed(PyObject *object, void *unused)
{
    (void)unused;
    return PyLong_FromSsize_t(((EnvObject *)object)->observed);
}

static PyMethodDef env_methods[] = {
    {"reset", (PyCFunction)(void (*)(void))env_reset, METH_FASTCALL,
     "reset(chosen, observations)\n--\n\nBegin new episodes, of all or of those where the bool array is "
     "true."},
    {"step", (PyCFunction)(void (*)(void))env_step, METH_FASTCALL,
     "step(actions, observations, final_observations, rewards, terminated, truncated, ends, passed)\n--\n\n"
     "Take a step; fill the arrays, of float32, bool, uint8 and uint32."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef env_members[] = {
    {"observed", env_observed, NULL, "Number of values of an observation.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot env_slots[] = {
    {Py_tp_new, env_new},
    {Py_tp_dealloc, env_dealloc},
    {Py_tp_methods, env_methods},
    {Py_tp_getset, env_members},
    {Py_tp_doc, "Vehicles of a Batch as learning environments (csrc/batch/env.h)."},
    {0, NULL},
};

static PyType_Spec env_spec = {.name = "pyrfly._core.Env",
                               .basicsize = sizeof(EnvObject),
                               .flags = Py_TPFLAGS_DEFAULT,
                               .slots = env_slots};

PyTypeObject *env_type_create(PyObject *module)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &env_spec, NULL);
}

/* One task: what it is, (name, width, unit, frame, description) of what it observes, the names of its weights, whether it
 * needs gates, and whether it counts what is passed. */
static PyObject *task_row(int task)
{
#define FIELD_FORMAT(name, width, unit, frame, doc) "(sisss)"
#define FIELD_VALUES(name, width, unit, frame, doc) , #name, (int)(width), unit, frame, doc
#define WEIGHT_FORMAT(task, name, doc)              "s"
#define WEIGHT_NAME(task, name, doc)                , #name
#define TRUTH(flag)                                 ((flag) ? Py_True : Py_False)
#define TASK_ROW(name, traits, doc)                                                                          \
    case RF_TASK_##name:                                                                                     \
        return Py_BuildValue("s(" name##_OBSERVED(FIELD_FORMAT) ")(" name##_WEIGHTS(WEIGHT_FORMAT) ")OO",    \
                             doc name##_OBSERVED(FIELD_VALUES) name##_WEIGHTS(WEIGHT_NAME),                  \
                             TRUTH((traits)&RF_TASK_GATES), TRUTH((traits)&RF_TASK_PASSES));
    switch (task) {
        RF_TASKS(TASK_ROW)
    }
#undef TASK_ROW
#undef TRUTH
#undef WEIGHT_NAME
#undef WEIGHT_FORMAT
#undef FIELD_VALUES
#undef FIELD_FORMAT
    Py_UNREACHABLE();
}

PyObject *tasks(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    PyObject *found = PyDict_New();
    for (int task = 0; task < RF_TASK_COUNT && found != NULL; task++) {
        PyObject *row = task_row(task);
        if (row == NULL || PyDict_SetItemString(found, task_names[task], row) < 0) Py_CLEAR(found);
        Py_XDECREF(row);
    }
    return found;
}

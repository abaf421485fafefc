/* SPDX-License-Identifier: BSD-3-Clause */
/* step(batches, n), refresh(batches) and snapshot(batches): several batches at one tick. */
#include "python/module.h"

#include "base/platform.h"
#include "world/collisions.h"
#include "world/downwash.h"
#include "world/safety.h"

#define FIRST_CHUNK  16    /* steps without a check for signals, */
#define FEW_VEHICLES 10000 /* unless there are more; then 1 */

/* Integrator steps of an argument, or -1 with an exception. */
static long long steps_of(PyObject *argument)
{
    if (!PyIndex_Check(argument)) {
        PyErr_Format(PyExc_TypeError, "n: expected a number of steps, got %R", argument);
        return -1;
    }
    int overflow;
    long long steps = PyLong_AsLongLongAndOverflow(argument, &overflow);
    if (steps == -1 && PyErr_Occurred()) return -1;
    if (overflow != 0 || steps < 0 || steps > INT32_MAX) {
        PyErr_Format(PyExc_ValueError, "n: expected 0 to 2147483647 steps, got %R", argument);
        return -1;
    }
    return steps;
}

/* The stages of the batches of a call. */
typedef struct interactions {
    rf_downwash downwash;
    rf_collisions collisions;
    rf_safety safety;
    rf_world_stage stages[3];
    rf_world_run run;
} interactions;

/* Steps locked batches, with the handlers of signals called between chunks of CHUNK_SECONDS to twice that; an exception
 * of a handler ends it at the end of a chunk.  Returns the number of steps that are left: some where the run has ended. */
static uint32_t step_interruptibly(rf_batch *const *batches, size_t count, interactions *between,
                                   uint32_t steps)
{
    bool go_on = steps > 0;
    size_t vehicles = 0;
    for (size_t i = 0; i < count; i++) vehicles += rf_batch_get_def(batches[i])->n;
    uint32_t chunk = vehicles <= FEW_VEHICLES ? FIRST_CHUNK : 1;
    while (go_on) {
        uint32_t now = steps < chunk ? steps : chunk, taken;
        bool last = now == steps; /* it needs no clock, which takes as long as a step of a vehicle */
        Py_BEGIN_ALLOW_THREADS;
        double start = last ? 0 : rf_seconds();
        taken = rf_world_step_locked(batches, count, &between->run, now);
        if (!last && rf_seconds() - start < CHUNK_SECONDS && chunk <= UINT32_MAX / 2) chunk *= 2;
        Py_END_ALLOW_THREADS;
        steps -= taken;
        go_on = !raise_of_model() && steps > 0 && PyErr_CheckSignals() == 0 && !between->safety.ended;
    }
    return steps;
}

/* Runs the stages of locked batches without a step, interrupted likewise. */
static bool refresh_interruptibly(rf_batch *const *batches, size_t count, rf_world_run *run)
{
    bool finished = false;
    while (!finished) {
        Py_BEGIN_ALLOW_THREADS;
        finished = rf_world_refresh_locked(batches, count, run);
        Py_END_ALLOW_THREADS;
        if (!finished && PyErr_CheckSignals() != 0) return false;
    }
    return true;
}

/* The batches of a tuple: `few`, if they fit, or new memory for free_batches; NULL with an exception. */
enum { FEW = 16 };

static rf_batch **batches_of(PyObject *module, PyObject *tuple, rf_batch *few[FEW])
{
    Py_ssize_t count = PyTuple_GET_SIZE(tuple);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (Py_TYPE(PyTuple_GET_ITEM(tuple, i)) != module_state_of(module)->batch_type) {
            PyErr_SetString(PyExc_TypeError, "batches: expected a tuple of Batch");
            return NULL;
        }
    }
    rf_batch **batches = count <= FEW ? few : PyMem_New(rf_batch *, (size_t)count);
    if (batches == NULL) PyErr_NoMemory();
    for (Py_ssize_t i = 0; batches != NULL && i < count; i++) {
        batches[i] = batch_of(PyTuple_GET_ITEM(tuple, i));
    }
    return batches;
}

static void free_batches(rf_batch **batches, rf_batch *few[FEW])
{
    if (batches != few) PyMem_Free(batches);
}

/* Lists the stages that batches need, `safety` only in a step; false with an exception. */
static bool list_stages(interactions *between, rf_batch *const *batches, size_t count, bool safety)
{
    between->run = (rf_world_run){between->stages, 0, 0};
    between->safety.ended = false;
    int added = rf_downwash_stage(&between->downwash, batches, count, &between->stages[0]);
    if (added > 0) between->run.count++;
    if (added >= 0 && safety) { /* a step follows */
        added = rf_collisions_stage(&between->collisions, batches, count, rf_batch_scene(batches[0]),
                                    &between->stages[between->run.count]);
        if (added > 0) between->run.count++;
    }
    if (added >= 0 && safety) {
        added = rf_safety_stage(&between->safety, batches, count, &between->stages[between->run.count]);
        if (added > 0) between->run.count++;
    }
    if (added < 0) raise_status((rf_status)added);
    return added >= 0;
}

/* Steps batches, or with steps < 0 only runs their stages.  Returns the number of steps that are left, or -1 with an
 * exception. */
static long long advance(rf_batch *const *batches, size_t count, long long steps)
{
    rf_status status = rf_world_lock(batches, count);
    if (status == RF_BAD_ARGUMENT) {
        PyErr_SetString(PyExc_ValueError, "batches: expected different batches of the same tick and dt");
    } else if (status != RF_OK) {
        raise_status(status);
    }
    if (status != RF_OK) return -1;
    interactions between;
    long long left = 0;
    if (!list_stages(&between, batches, count, steps >= 0)) {
        left = -1;
    } else if (steps < 0) {
        left = refresh_interruptibly(batches, count, &between.run) ? 0 : -1;
    } else {
        left = step_interruptibly(batches, count, &between, (uint32_t)steps);
        if (left > 0 && !between.safety.ended) left = -1; /* a handler of a signal raised */
    }
    rf_world_unlock(batches, count);
    return PyErr_Occurred() ? -1 : left;
}

/* The steps that are left, or NULL with an exception. */
static PyObject *advance_tuple(PyObject *module, PyObject *tuple, long long steps)
{
    rf_batch *few[FEW];
    rf_batch **batches = batches_of(module, tuple, few);
    if (batches == NULL) return NULL;
    long long left = advance(batches, (size_t)PyTuple_GET_SIZE(tuple), steps);
    free_batches(batches, few);
    return left < 0 ? NULL : PyLong_FromLongLong(left);
}

PyObject *batches_step(PyObject *module, PyObject *args)
{
    PyObject *tuple, *argument;
    if (!PyArg_ParseTuple(args, "O!O:step", &PyTuple_Type, &tuple, &argument)) return NULL;
    long long steps = steps_of(argument);
    return steps < 0 ? NULL : advance_tuple(module, tuple, steps);
}

PyObject *batches_refresh(PyObject *module, PyObject *args)
{
    PyObject *tuple;
    if (!PyArg_ParseTuple(args, "O!:refresh", &PyTuple_Type, &tuple)) return NULL;
    PyObject *left = advance_tuple(module, tuple, -1);
    if (left == NULL) return NULL;
    Py_DECREF(left);
    Py_RETURN_NONE;
}

PyObject *batches_snapshot(PyObject *module, PyObject *args)
{
    rf_batch *few[FEW];
    PyObject *tuple;
    if (!PyArg_ParseTuple(args, "O!:snapshot", &PyTuple_Type, &tuple)) return NULL;
    rf_batch **batches = batches_of(module, tuple, few);
    if (batches == NULL) return NULL;
    PyObject *list = snapshots_of(batches, PyTuple_GET_SIZE(tuple));
    free_batches(batches, few);
    return list;
}

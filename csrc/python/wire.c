/* SPDX-License-Identifier: BSD-3-Clause */
/* pyrfly._core.wire_pack: RflySim's packets of the vehicles of a batch. */
#include "python/module.h"

#include <math.h>

#include "wire/pack.h"

static int check_origin(const double origin[3])
{
    if (fabs(origin[0]) <= 90 && fabs(origin[1]) <= 180 && isfinite(origin[2])) return 0;
    PyObject *got = Py_BuildValue("(ddd)", origin[0], origin[1], origin[2]);
    if (got == NULL) return -1;
    PyErr_Format(
        PyExc_ValueError,
        "origin: expected latitude -90..90 [deg], longitude -180..180 [deg] and a finite height [m], "
        "got %R",
        got);
    Py_DECREF(got);
    return -1;
}

static int check_ids(int first_id, size_t n)
{
    if (first_id >= 1 && n - 1 <= (size_t)(INT32_MAX - first_id)) return 0;
    PyErr_Format(PyExc_ValueError, "first_id: expected at least 1 and %zu CopterIDs below 2^31, got %d", n,
                 first_id);
    return -1;
}

/* Packs into a buffer. */
static PyObject *pack_into(rf_batch *batch, int structure, const rf_wire_context *context,
                           const Py_buffer *buffer)
{
    const rf_wire_structure *row = &rf_wire_structures[structure];
    size_t expected = rf_batch_get_def(batch)->n * row->size;
    if ((size_t)buffer->len != expected) {
        return PyErr_Format(PyExc_ValueError,
                            "out: expected %zu bytes, %zu for each of %zu vehicles, got %zd", expected,
                            row->size, rf_batch_get_def(batch)->n, buffer->len);
    }
    rf_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = rf_wire_pack(batch, structure, context, buffer->buf);
    Py_END_ALLOW_THREADS;
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

PyObject *wire_pack(PyObject *module, PyObject *args)
{
    PyObject *object, *out;
    const char *name;
    rf_wire_context context = {0};
    if (!PyArg_ParseTuple(args, "O!sii(ddd)O:wire_pack", module_state_of(module)->batch_type, &object, &name,
                          &context.first_id, &context.vehicle_type, &context.origin[0], &context.origin[1],
                          &context.origin[2], &out)) {
        return NULL;
    }
    rf_batch *batch = batch_of(object);
    int structure = rf_wire_structure_find(name);
    if (structure < 0) {
        return PyErr_Format(PyExc_ValueError, "name: no structure '%s' of vehicles", name);
    }
    if (check_origin(context.origin) < 0 || check_ids(context.first_id, rf_batch_get_def(batch)->n) < 0)
        return NULL;

    Py_buffer buffer;
    if (PyObject_GetBuffer(out, &buffer, PyBUF_WRITABLE) < 0) return NULL;
    PyObject *result = pack_into(batch, structure, &context, &buffer);
    PyBuffer_Release(&buffer);
    return result;
}

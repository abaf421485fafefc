/* SPDX-License-Identifier: BSD-3-Clause */
/* pyrfly._core.wire_pack and wire_structures: RflySim's packets of the vehicles of a batch. */
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
static PyObject *pack_into(rf_batch *batch, const rf_wire_structure *structure,
                           const rf_wire_context *context, const Py_buffer *buffer)
{
    size_t size = rf_wire_structure_size(structure), expected = rf_batch_get_def(batch)->n * size;
    if ((size_t)buffer->len != expected) {
        return PyErr_Format(PyExc_ValueError,
                            "out: expected %zu bytes, %zu for each of %zu vehicles, got %zd", expected, size,
                            rf_batch_get_def(batch)->n, buffer->len);
    }
    rf_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = rf_wire_pack(batch, structure, context, buffer->buf);
    Py_END_ALLOW_THREADS;
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

/* As pack_into, with the sensors that count as updated: words of all vehicles, or None. */
static PyObject *pack_updated(rf_batch *batch, const rf_wire_structure *structure, rf_wire_context *context,
                              PyObject *updated, const Py_buffer *out)
{
    if (updated == Py_None) return pack_into(batch, structure, context, out);
    Py_buffer words;
    if (PyObject_GetBuffer(updated, &words, PyBUF_SIMPLE) < 0) return NULL;
    PyObject *result = NULL;
    size_t expected = rf_batch_get_def(batch)->n * sizeof *context->updated;
    if ((size_t)words.len == expected) {
        context->updated = words.buf;
        result = pack_into(batch, structure, context, out);
    } else {
        PyErr_Format(PyExc_ValueError, "updated: expected %zu bytes, a word for each vehicle, got %zd",
                     expected, words.len);
    }
    PyBuffer_Release(&words);
    return result;
}

PyObject *wire_pack(PyObject *module, PyObject *args)
{
    PyObject *object, *out, *updated = Py_None;
    const char *name;
    rf_wire_context context = {0};
    if (!PyArg_ParseTuple(args, "O!sii(ddd)O|O:wire_pack", module_state_of(module)->batch_type, &object,
                          &name, &context.first_id, &context.vehicle_type, &context.origin[0],
                          &context.origin[1], &context.origin[2], &out, &updated)) {
        return NULL;
    }
    rf_batch *batch = batch_of(object);
    const rf_wire_structure *structure = rf_wire_structure_find(name);
    if (structure == NULL) {
        return PyErr_Format(PyExc_ValueError, "name: no structure '%s' of vehicles", name);
    }
    if (check_origin(context.origin) < 0 || check_ids(context.first_id, rf_batch_get_def(batch)->n) < 0)
        return NULL;

    Py_buffer buffer;
    if (PyObject_GetBuffer(out, &buffer, PyBUF_WRITABLE) < 0) return NULL;
    PyObject *result = pack_updated(batch, structure, &context, updated, &buffer);
    PyBuffer_Release(&buffer);
    return result;
}

/* Adds the names of the columns that a source is computed from. */
static int add_columns(PyObject *names, const rf_wire_source *source)
{
    if (source == NULL) return 0;
    if (source->column != NULL) {
        PyObject *name = PyUnicode_FromString(source->column);
        int status = name == NULL ? -1 : PyList_Append(names, name);
        Py_XDECREF(name);
        return status;
    }
    for (int i = 0; i < RF_WIRE_INPUTS && source->from[i] != NULL; i++) {
        if (add_columns(names, source->from[i]) < 0) return -1;
    }
    return 0;
}

static PyObject *field_row(const rf_wire_field *field)
{
#define NUMBER(name, type, python) [RF_WIRE_##name] = python,
    static const char *const numbers[] = {RF_WIRE_NUMBERS(NUMBER)};
#undef NUMBER
    PyObject *columns = PyList_New(0);
    if (columns == NULL) return NULL;
    if (add_columns(columns, field->source) < 0) {
        Py_DECREF(columns);
        return NULL;
    }
    if (field->source != NULL) {
        return Py_BuildValue("(ssizON)", field->name, numbers[field->number], field->count, field->meaning,
                             Py_None, columns);
    }
    return Py_BuildValue("(ssizdN)", field->name, numbers[field->number], field->count, field->meaning,
                         field->scale, columns);
}

static PyObject *field_rows(const rf_wire_structure *structure)
{
    PyObject *rows = PyTuple_New(structure->field_count);
    for (int i = 0; rows != NULL && i < structure->field_count; i++) {
        PyObject *row = field_row(&structure->fields[i]);
        if (row == NULL) {
            Py_CLEAR(rows);
            break;
        }
        PyTuple_SET_ITEM(rows, i, row);
    }
    return rows;
}

PyObject *wire_structures(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    PyObject *structures = PyTuple_New(rf_wire_structure_count);
    for (int i = 0; structures != NULL && i < rf_wire_structure_count; i++) {
        PyObject *fields = field_rows(&rf_wire_structures[i]);
        PyObject *row = fields == NULL ? NULL
                                       : Py_BuildValue("(ssN)", rf_wire_structures[i].name,
                                                       rf_wire_structures[i].port, fields);
        if (row == NULL) {
            Py_CLEAR(structures);
            break;
        }
        PyTuple_SET_ITEM(structures, i, row);
    }
    return structures;
}

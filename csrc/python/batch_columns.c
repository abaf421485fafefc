/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a Batch as arrays: stored ones as views, which keep the Batch alive, computed ones as new arrays. */
#include "python/batch_object.h"

#include "base/platform.h"

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

static void free_output(PyObject *capsule)
{
    rf_aligned_free(PyCapsule_GetPointer(capsule, "pyrfly.output"));
}

/* New columns, 64-byte aligned, and a capsule that owns them; or NULL with an exception. */
static PyObject *new_columns(const rf_batch *batch, int width, char **memory, size_t *component_stride)
{
    *component_stride = rf_batch_stride(batch) * rf_batch_value_size(batch);
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
    if (raise_of_model() || status != RF_OK) {
        Py_DECREF(owner);
        return PyErr_Occurred() ? NULL : raise_status(status);
    }
    return array_of_columns(self->batch, memory + before * component_stride, type->columns[column].width,
                            component_stride, owner);
}

PyObject *batch_view(BatchObject *self, PyObject *name)
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

PyObject *batch_derivative(BatchObject *self, PyObject *unused)
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
    if (raise_of_model() || status != RF_OK) {
        Py_DECREF(owner);
        return PyErr_Occurred() ? NULL : raise_status(status);
    }
    return array_of_columns(self->batch, derivative, states, component_stride, owner);
}

PyObject *batch_fill(BatchObject *self, PyObject *args)
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

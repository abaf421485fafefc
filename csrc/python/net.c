/* SPDX-License-Identifier: BSD-3-Clause */
/* net_send, net_receive and net_refused: net/datagrams.h with arrays. */
#include "python/module.h"

#if !defined(_WIN32)
#include "net/datagrams.h"

/* The values of a contiguous 1-D array of a type, of any length where `count` is negative and then is set; or NULL with
 * an exception. */
static void *values_of(PyArrayObject *array, int type, const char *name, npy_intp *count)
{
    if (PyArray_NDIM(array) != 1 || PyArray_TYPE(array) != type || !PyArray_ISCARRAY(array)) {
        return PyErr_Format(PyExc_ValueError, "%s: expected a contiguous array of %s, shape (n,)", name,
                            type == NPY_INT32 ? "int32" : "int64");
    }
    if (*count < 0) *count = PyArray_SIZE(array);
    if (PyArray_SIZE(array) != *count) {
        return PyErr_Format(PyExc_ValueError, "%s: expected %zd values, got %zd", name, (Py_ssize_t)*count,
                            (Py_ssize_t)PyArray_SIZE(array));
    }
    return PyArray_DATA(array);
}

/* ---- sending ---- */

/* Whether the destinations of every row lie in an array of `count`; else false with an exception. */
static bool check_routes(const rf_net_routes *routes, npy_intp rows, npy_intp count)
{
    bool valid = routes->first[0] >= 0 && routes->first[rows] <= count;
    for (npy_intp i = 0; i < rows; i++) valid = valid && routes->first[i] <= routes->first[i + 1];
    if (!valid) {
        PyErr_Format(PyExc_ValueError, "first: expected ascending numbers of 0 to %zd", (Py_ssize_t)count);
    }
    return valid;
}

/* Whether the datagrams are of rows that there are, and lie in `size` bytes; else false with an exception. */
static bool check_datagrams(const rf_net_datagrams *datagrams, npy_intp rows, Py_ssize_t size)
{
    for (size_t i = 0; i < datagrams->count; i++) {
        if (datagrams->rows[i] < 0 || datagrams->rows[i] >= rows) {
            PyErr_Format(PyExc_ValueError, "rows: expected 0 to %zd, got %lld", (Py_ssize_t)rows - 1,
                         (long long)datagrams->rows[i]);
            return false;
        }
        int64_t start = datagrams->starts[i], length = datagrams->lengths[i];
        if (start < 0 || length < 0 || start > size || length > size - start) {
            PyErr_Format(PyExc_ValueError,
                         "starts, lengths: expected datagrams within %zd bytes, got %lld from %lld on", size,
                         (long long)length, (long long)start);
            return false;
        }
    }
    return true;
}

/* Sends datagrams of which only the bytes are still missing; returns the failures. */
static PyObject *send_from(const rf_net_routes *routes, npy_intp rows, rf_net_datagrams *datagrams,
                           const Py_buffer *buffer, int threads)
{
    datagrams->data = buffer->buf;
    if (!check_datagrams(datagrams, rows, buffer->len)) return NULL;
    npy_intp count = (npy_intp)datagrams->count;
    PyObject *failures = PyArray_SimpleNew(1, &count, NPY_INT64);
    if (failures == NULL) return NULL;
    int64_t *counts = PyArray_DATA((PyArrayObject *)failures);
    Py_BEGIN_ALLOW_THREADS;
    rf_net_send(routes, datagrams, threads, counts);
    Py_END_ALLOW_THREADS;
    return failures;
}

PyObject *net_send(PyObject *module, PyObject *args)
{
    PyArrayObject *sockets, *first, *to, *row, *starts, *lengths;
    PyObject *data;
    if (!PyArg_ParseTuple(args, "O!O!O!O!O!O!O:net_send", &PyArray_Type, &sockets, &PyArray_Type, &first,
                          &PyArray_Type, &to, &PyArray_Type, &row, &PyArray_Type, &starts, &PyArray_Type,
                          &lengths, &data)) {
        return NULL;
    }
    npy_intp rows = -1, limits = -1, destinations = -1, count = -1;
    rf_net_routes routes;
    rf_net_datagrams datagrams;
    if ((routes.sockets = values_of(sockets, NPY_INT32, "sockets", &rows)) == NULL) return NULL;
    limits = rows + 1;
    if ((routes.first = values_of(first, NPY_INT64, "first", &limits)) == NULL) return NULL;
    if ((routes.to = values_of(to, NPY_INT64, "to", &destinations)) == NULL) return NULL;
    if ((datagrams.rows = values_of(row, NPY_INT64, "rows", &count)) == NULL) return NULL;
    if ((datagrams.starts = values_of(starts, NPY_INT64, "starts", &count)) == NULL) return NULL;
    if ((datagrams.lengths = values_of(lengths, NPY_INT64, "lengths", &count)) == NULL) return NULL;
    if (!check_routes(&routes, rows, destinations)) return NULL;
    datagrams.count = (size_t)count;

    Py_buffer buffer;
    if (PyObject_GetBuffer(data, &buffer, PyBUF_SIMPLE) < 0) return NULL;
    int threads = module_state_of(module)->threads;
    PyObject *failures = send_from(&routes, rows, &datagrams, &buffer, threads);
    PyBuffer_Release(&buffer);
    return failures;
}

/* ---- receiving ---- */

PyObject *net_receive(PyObject *module, PyObject *args)
{
    (void)module;
    PyArrayObject *sockets, *data, *indices, *lengths, *origins;
    Py_ssize_t each;
    if (!PyArg_ParseTuple(args, "O!nO!O!O!O!:net_receive", &PyArray_Type, &sockets, &each, &PyArray_Type,
                          &data, &PyArray_Type, &indices, &PyArray_Type, &lengths, &PyArray_Type, &origins)) {
        return NULL;
    }
    npy_intp count = -1, slots = -1;
    rf_net_inbox inbox;
    const int32_t *from = values_of(sockets, NPY_INT32, "sockets", &count);
    if (from == NULL) return NULL;
    if (PyArray_NDIM(data) != 2 || PyArray_TYPE(data) != NPY_UINT8 || !PyArray_ISCARRAY(data)) {
        return PyErr_Format(PyExc_ValueError,
                            "data: expected a contiguous array of uint8, shape (slots, size)");
    }
    slots = PyArray_DIM(data, 0);
    if ((inbox.sockets = values_of(indices, NPY_INT64, "indices", &slots)) == NULL) return NULL;
    if ((inbox.lengths = values_of(lengths, NPY_INT64, "lengths", &slots)) == NULL) return NULL;
    if ((inbox.origins = values_of(origins, NPY_INT64, "origins", &slots)) == NULL) return NULL;
    npy_intp most = count > 0 ? slots / count : slots;
    if (each < 0 || each > most) {
        return PyErr_Format(PyExc_ValueError,
                            "each: expected at most %zd for %zd sockets and %zd slots, got %zd",
                            (Py_ssize_t)most, (Py_ssize_t)count, (Py_ssize_t)slots, each);
    }
    inbox.data = PyArray_DATA(data);
    inbox.slot = (size_t)PyArray_DIM(data, 1);
    size_t received;
    Py_BEGIN_ALLOW_THREADS;
    received = rf_net_receive(from, (size_t)count, (size_t)each, &inbox);
    Py_END_ALLOW_THREADS;
    return PyLong_FromSize_t(received);
}

/* ---- refusals ---- */

PyObject *net_refused(PyObject *module, PyObject *args)
{
    (void)module;
    PyArrayObject *sockets, *found;
    if (!PyArg_ParseTuple(args, "O!O!:net_refused", &PyArray_Type, &sockets, &PyArray_Type, &found)) {
        return NULL;
    }
    npy_intp count = -1, capacity = -1;
    const int32_t *from = values_of(sockets, NPY_INT32, "sockets", &count);
    if (from == NULL) return NULL;
    rf_net_address *addresses = values_of(found, NPY_INT64, "found", &capacity);
    if (addresses == NULL) return NULL;
    size_t refused;
    Py_BEGIN_ALLOW_THREADS;
    refused = rf_net_refused(from, (size_t)count, addresses, (size_t)capacity);
    Py_END_ALLOW_THREADS;
    return PyLong_FromSize_t(refused);
}

#endif

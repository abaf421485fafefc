/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of a batch as bytes. */
#include "python/batch_object.h"

#include "batch/events.h"

/* Calls a function with the bytes of events. */
static PyObject *take_events(BatchObject *self, PyObject *argument,
                             rf_status (*take)(rf_batch *batch, const void *bytes, size_t size))
{
    Py_buffer buffer;
    if (PyObject_GetBuffer(argument, &buffer, PyBUF_SIMPLE) < 0) return NULL;
    rf_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = take(self->batch, buffer.buf, (size_t)buffer.len);
    Py_END_ALLOW_THREADS;
    PyBuffer_Release(&buffer);
    if (status == RF_BAD_ARGUMENT) {
        PyErr_SetString(PyExc_ValueError, "events: expected valid ones of this batch, none of them past");
        return NULL;
    }
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

PyObject *batch_add_events(BatchObject *self, PyObject *argument)
{
    return take_events(self, argument, rf_batch_add_events);
}

PyObject *batch_set_events(BatchObject *self, PyObject *argument)
{
    return take_events(self, argument, rf_batch_set_events);
}

PyObject *batch_events(BatchObject *self, PyObject *unused)
{
    (void)unused;
    size_t size = rf_batch_events_size(self->batch);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (bytes == NULL) return NULL;
    rf_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = rf_batch_read_events(self->batch, PyBytes_AS_STRING(bytes), size);
    Py_END_ALLOW_THREADS;
    if (status == RF_OK) return bytes;
    Py_DECREF(bytes);
    return raise_status(status);
}

PyObject *batch_event_load(BatchObject *self, PyObject *unused)
{
    (void)unused;
    size_t rows = 0;
    double load = 0;
    rf_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = rf_batch_read_event_load(self->batch, &rows, &load);
    Py_END_ALLOW_THREADS;
    if (status != RF_OK) return raise_status(status);
    return Py_BuildValue("(nd)", (Py_ssize_t)rows, load);
}

PyObject *get_last_event(BatchObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLongLong(rf_batch_last_event(self->batch));
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Snapshots of batches. */
#include "python/batch_object.h"

#include "world/world.h"

PyObject *snapshots_of(rf_batch *const *batches, Py_ssize_t count)
{
    PyObject *list = PyList_New(count);
    void **bytes = PyMem_New(void *, (size_t)count);
    size_t *sizes = PyMem_New(size_t, (size_t)count);
    bool memory = list != NULL && bytes != NULL && sizes != NULL;
    for (Py_ssize_t i = 0; i < count && memory; i++) {
        sizes[i] = rf_batch_snapshot_size(batches[i]);
        PyObject *item = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)sizes[i]);
        memory = item != NULL;
        if (!memory) break;
        bytes[i] = PyBytes_AS_STRING(item);
        PyList_SET_ITEM(list, i, item);
    }
    rf_status status = RF_NO_MEMORY;
    if (memory) {
        Py_BEGIN_ALLOW_THREADS; /* not to be acquired while the batches are read: a writer may hold it */
        status = rf_world_save(batches, (size_t)count, bytes, sizes);
        Py_END_ALLOW_THREADS;
    }
    PyMem_Free(bytes);
    PyMem_Free(sizes);
    if (status == RF_OK) return list;
    Py_XDECREF(list);
    return raise_status(status);
}

PyObject *batch_snapshot(BatchObject *self, PyObject *unused)
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

PyObject *get_layout_version(BatchObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(text_of_version(rf_batch_layout_version(self->batch)).hex);
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

PyObject *batch_restore(BatchObject *self, PyObject *argument)
{
    return read_snapshot(self, argument, NULL);
}

PyObject *batch_check_snapshot(BatchObject *self, PyObject *argument)
{
    uint64_t tick;
    PyObject *checked = read_snapshot(self, argument, &tick);
    if (checked == NULL) return NULL;
    Py_DECREF(checked);
    return PyLong_FromUnsignedLongLong(tick);
}

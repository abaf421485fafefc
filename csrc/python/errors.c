/* SPDX-License-Identifier: BSD-3-Clause */
/* Exceptions of the status codes of the core. */
#include "python/module.h"

PyObject *raise_status(rf_status status)
{
    switch (status) {
    case RF_NO_MEMORY:
        return PyErr_NoMemory();
    case RF_BUSY:
        PyErr_SetString(PyExc_RuntimeError,
                        "another thread is using this batch, or was when this process was forked");
        return NULL;
    case RF_BAD_SNAPSHOT:
        PyErr_SetString(PyExc_ValueError,
                        "snapshot: expected one of a batch of the same vehicle type, count, "
                        "settings and version");
        return NULL;
    default:
        PyErr_SetString(PyExc_ValueError, "batch: an argument is out of range");
        return NULL;
    }
}

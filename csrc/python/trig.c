/* SPDX-License-Identifier: BSD-3-Clause */
/* pyrfly._core.sincos and arctan2: math/scalar.h over arrays. */
#include "python/module.h"

#include "math/scalar.h"

static PyArrayObject *doubles(PyObject *values)
{
    return (PyArrayObject *)PyArray_FROMANY(values, NPY_DOUBLE, 0, 0, NPY_ARRAY_CARRAY_RO);
}

/* A new array of the shape of another one. */
static PyArrayObject *same_shape(PyArrayObject *array)
{
    return (PyArrayObject *)PyArray_SimpleNew(PyArray_NDIM(array), PyArray_DIMS(array), NPY_DOUBLE);
}

PyObject *trig_sincos(PyObject *module, PyObject *argument)
{
    (void)module;
    PyArrayObject *angle = doubles(argument);
    PyArrayObject *sine = angle ? same_shape(angle) : NULL, *cosine = angle ? same_shape(angle) : NULL;
    if (sine == NULL || cosine == NULL) {
        Py_XDECREF(angle);
        Py_XDECREF(sine);
        Py_XDECREF(cosine);
        return NULL;
    }
    const double *from = PyArray_DATA(angle);
    double *s = PyArray_DATA(sine), *c = PyArray_DATA(cosine);
    for (npy_intp i = 0, n = PyArray_SIZE(angle); i < n; i++) rf_sincos(from[i], &s[i], &c[i]);
    Py_DECREF(angle);
    return Py_BuildValue("(NN)", PyArray_Return(sine), PyArray_Return(cosine));
}

PyObject *trig_arctan2(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *rise, *run;
    if (!PyArg_ParseTuple(args, "OO:arctan2", &rise, &run)) return NULL;
    PyArrayObject *y = doubles(rise), *x = y ? doubles(run) : NULL;
    PyArrayObject *angle = NULL;
    if (x != NULL && PyArray_SAMESHAPE(x, y)) {
        angle = same_shape(y);
    } else if (x != NULL) {
        PyErr_SetString(PyExc_ValueError, "arctan2: expected two arrays of the same shape");
    }
    if (angle != NULL) {
        const double *rises = PyArray_DATA(y), *runs = PyArray_DATA(x);
        double *angles = PyArray_DATA(angle);
        for (npy_intp i = 0, n = PyArray_SIZE(y); i < n; i++) angles[i] = rf_atan2(rises[i], runs[i]);
    }
    Py_XDECREF(x);
    Py_XDECREF(y);
    return angle ? PyArray_Return(angle) : NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RF_PYTHON_SCENE_OBJECT_H
#define RF_PYTHON_SCENE_OBJECT_H

#include "python/numpy_api.h"
#include "scene/scene.h"

typedef struct {
    PyObject_HEAD
    rf_scene *scene;
    PyObject *arrays; /* of its definition: a tuple */
} SceneObject;

/* Whether an array has so many rows of that type and width (0: one number a row). */
static inline bool array_is(PyArrayObject *array, int type, npy_intp rows, npy_intp width)
{
    bool shaped =
        PyArray_NDIM(array) == (width > 0 ? 2 : 1) && (width == 0 || PyArray_DIM(array, 1) == width);
    return shaped && PyArray_DIM(array, 0) == rows && PyArray_TYPE(array) == type &&
           PyArray_ISCARRAY_RO(array);
}

static inline bool are_vectors(PyArrayObject *array)
{
    return PyArray_NDIM(array) == 2 && array_is(array, NPY_DOUBLE, PyArray_DIM(array, 0), 3);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* terrain_at(map, north, east): models/terrain_map.h over arrays. */
#include "python/module.h"

bool terrain_map_of(PyObject *tuple, rf_terrain_map *map)
{
    PyObject *heights;
    if (!PyTuple_Check(tuple)) {
        PyErr_Format(PyExc_TypeError, "map: expected a tuple (heights, first, spacing), got %R", tuple);
        return false;
    }
    if (!PyArg_ParseTuple(tuple, "O!(dd)(dd):map", &PyArray_Type, &heights, &map->first[0], &map->first[1],
                          &map->spacing[0], &map->spacing[1])) {
        return false;
    }
    PyArrayObject *array = (PyArrayObject *)heights;
    if (PyArray_NDIM(array) == 2 && PyArray_TYPE(array) == NPY_DOUBLE && PyArray_ISCARRAY_RO(array)) {
        map->heights = PyArray_DATA(array);
        map->rows = (size_t)PyArray_DIM(array, 0);
        map->columns = (size_t)PyArray_DIM(array, 1);
        if (rf_terrain_map_is_valid(map)) return true;
    }
    PyErr_SetString(PyExc_ValueError, "map: expected at least 2 rows and 2 columns of contiguous float64, a "
                                      "finite first node and a spacing other than 0");
    return false;
}

static PyArrayObject *coordinates(PyObject *values)
{
    return (PyArrayObject *)PyArray_FROMANY(values, NPY_DOUBLE, 1, 1, NPY_ARRAY_CARRAY_RO);
}

/* A new array of (height, change per metre north, change per metre east) of places. */
static PyObject *samples(const rf_terrain_map *map, PyArrayObject *north, PyArrayObject *east)
{
    npy_intp count = PyArray_SIZE(north), shape[2] = {count, 3};
    if (PyArray_SIZE(east) != count) {
        PyErr_SetString(PyExc_ValueError, "terrain_at: expected as many coordinates north as east");
        return NULL;
    }
    PyObject *array = PyArray_SimpleNew(2, shape, NPY_DOUBLE);
    if (array == NULL) return NULL;
    double *to = PyArray_DATA((PyArrayObject *)array);
    const double *n = PyArray_DATA(north), *e = PyArray_DATA(east);
    for (npy_intp i = 0; i < count; i++, to += 3) {
        rf_terrain_sample sample = rf_terrain_map_at(map, n[i], e[i]);
        to[0] = sample.height;
        to[1] = sample.gradient[0];
        to[2] = sample.gradient[1];
    }
    return array;
}

PyObject *terrain_at(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *tuple, *norths, *easts;
    rf_terrain_map map;
    if (!PyArg_ParseTuple(args, "OOO:terrain_at", &tuple, &norths, &easts)) return NULL;
    if (!terrain_map_of(tuple, &map)) return NULL;
    PyArrayObject *north = coordinates(norths), *east = north ? coordinates(easts) : NULL;
    PyObject *array = east ? samples(&map, north, east) : NULL;
    Py_XDECREF(north);
    Py_XDECREF(east);
    return array;
}

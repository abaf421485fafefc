/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts, navigator, airframes, origin, terrain map and scene of a Batch. */
#include "python/batch_object.h"

#include "base/sil.h"
#include "batch/events.h"

/* Index of the part of that name, or -1 with an exception. */
static int find_part(PyObject *name)
{
    for (int i = 0; PyUnicode_Check(name) && i < RF_PART_COUNT; i++) {
        if (PyUnicode_CompareWithASCIIString(name, rf_parts[i].name) == 0) return i;
    }
    PyErr_Format(PyExc_ValueError, "part: there is no part %R", name);
    return -1;
}

PyObject *batch_enable(BatchObject *self, PyObject *name)
{
    int part = find_part(name);
    if (part < 0) return NULL;
    rf_status status = rf_batch_enable_part(self->batch, part);
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

PyObject *batch_has(BatchObject *self, PyObject *name)
{
    int part = find_part(name);
    return part < 0 ? NULL : PyBool_FromLong(rf_batch_has_part(self->batch, part));
}

typedef rf_status (*vehicles_call)(rf_batch *batch, const size_t *vehicles, size_t count);

/* An array of indices of vehicles: a new reference, or NULL. */
static PyArrayObject *vehicle_indices(PyObject *indices)
{
    _Static_assert(sizeof(npy_intp) == sizeof(size_t), "indices are passed on as they are");
    PyArrayObject *given = (PyArrayObject *)PyArray_FROMANY(indices, NPY_NOTYPE, 1, 1, 0);
    if (given == NULL) return NULL;
    bool whole = PyArray_SIZE(given) == 0 || PyArray_ISINTEGER(given);
    PyArrayObject *array =
        whole ? (PyArrayObject *)PyArray_FROMANY((PyObject *)given, NPY_INTP, 1, 1, NPY_ARRAY_CARRAY_RO)
              : NULL;
    Py_DECREF(given);
    if (!whole) PyErr_SetString(PyExc_TypeError, "vehicles: expected indices as integers");
    return array;
}

/* Calls a function for the vehicles of an array of indices; `expected` is what the call needs of them. */
static PyObject *for_vehicles(BatchObject *self, PyObject *indices, vehicles_call call, const char *expected)
{
    PyArrayObject *array = vehicle_indices(indices);
    if (array == NULL) return NULL;
    rf_status status = call(self->batch, PyArray_DATA(array), (size_t)PyArray_SIZE(array));
    Py_DECREF(array);
    if (status == RF_BAD_ARGUMENT) {
        return PyErr_Format(PyExc_ValueError, "vehicles: expected indices of vehicles%s", expected);
    }
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

PyObject *batch_release_navigator(BatchObject *self, PyObject *indices)
{
    return for_vehicles(self, indices, rf_batch_navigator_release, " with a navigator");
}

PyObject *batch_refresh(BatchObject *self, PyObject *indices)
{
    return for_vehicles(self, indices, rf_batch_refresh, "");
}

PyObject *batch_reset_part(BatchObject *self, PyObject *args)
{
    const char *name;
    PyObject *indices;
    if (!PyArg_ParseTuple(args, "sO:reset_part", &name, &indices)) return NULL;
    PyArrayObject *array = vehicle_indices(indices);
    if (array == NULL) return NULL;
    rf_status status = rf_batch_reset_part(self->batch, rf_part_find(name), PyArray_DATA(array),
                                           (size_t)PyArray_SIZE(array));
    Py_DECREF(array);
    if (status == RF_BAD_ARGUMENT) {
        PyErr_Format(PyExc_ValueError,
                     "reset_part: expected an enabled part and indices of vehicles, got part '%s'", name);
        return NULL;
    }
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

PyObject *batch_restart_offset(BatchObject *self, PyObject *indices)
{
    return for_vehicles(self, indices, rf_batch_navigator_restart_offset, " with a navigator");
}

PyObject *batch_restart_events(BatchObject *self, PyObject *indices)
{
    return for_vehicles(self, indices, rf_batch_restart_events, "");
}

PyObject *batch_accept(BatchObject *self, PyObject *args)
{
    Py_ssize_t first, count;
    if (!PyArg_ParseTuple(args, "nn:accept", &first, &count)) return NULL;
    if (!rf_batch_has_part(self->batch, RF_PART_navigator)) {
        PyErr_SetString(PyExc_ValueError, "accept: the navigator is disabled");
        return NULL;
    }
    if (first < 0 || count < 0) {
        return PyErr_Format(PyExc_ValueError, "accept: expected vehicles of the batch, got %zd from %zd",
                            count, first);
    }
    rf_status status = rf_batch_accept(self->batch, (size_t)first, (size_t)count);
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

PyObject *batch_set_airframe(BatchObject *self, PyObject *args)
{
    int airframe;
    PyObject *values;
    if (!PyArg_ParseTuple(args, "iO:set_airframe", &airframe, &values)) return NULL;
    PyObject *array = PyArray_FROMANY(values, NPY_DOUBLE, 1, 1, NPY_ARRAY_CARRAY_RO);
    if (array == NULL) return NULL;
    size_t size = rf_batch_airframe_size(self->batch), count = (size_t)PyArray_SIZE((PyArrayObject *)array);
    rf_status status = RF_BAD_ARGUMENT;
    if (count == size)
        status = rf_batch_set_airframe(self->batch, airframe, PyArray_DATA((PyArrayObject *)array));
    Py_DECREF(array);
    if (status == RF_BAD_ARGUMENT) {
        return PyErr_Format(PyExc_ValueError, "set_airframe: expected 0 to %d and %zu values, got %d and %zu",
                            SIL_AIRFRAMES - 1, size, airframe, count);
    }
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

PyObject *batch_set_origin(BatchObject *self, PyObject *args)
{
    double lat, lon, height;
    if (!PyArg_ParseTuple(args, "ddd:set_origin", &lat, &lon, &height)) return NULL;
    rf_status status = rf_batch_set_origin(self->batch, lat, lon, height);
    if (status == RF_BAD_ARGUMENT) {
        PyErr_SetString(PyExc_ValueError,
                        "origin: expected latitude within 90 deg, longitude within 180 deg and "
                        "height within 1000 km");
        return NULL;
    }
    if (status != RF_OK) return raise_status(status);
    Py_RETURN_NONE;
}

PyObject *batch_set_terrain_map(BatchObject *self, PyObject *map)
{
    rf_terrain_map values;
    if (map != Py_None && !terrain_map_of(map, &values)) return NULL;
    rf_status status = rf_batch_set_terrain_map(self->batch, map == Py_None ? NULL : &values);
    if (status != RF_OK) return raise_status(status);
    PyObject *before = self->terrain_map;
    Py_INCREF(map);
    self->terrain_map = map;
    Py_XDECREF(before);
    Py_RETURN_NONE;
}

PyObject *batch_set_libraries(BatchObject *self, PyObject *libraries)
{
    if (!PyTuple_Check(libraries)) {
        return PyErr_Format(PyExc_TypeError, "libraries: expected a tuple, got %R", libraries);
    }
    const Py_ssize_t count = PyTuple_GET_SIZE(libraries);
    rf_library **models = PyMem_New(rf_library *, count > 0 ? count : 1);
    if (models == NULL) return PyErr_NoMemory();
    rf_status status = RF_OK;
    for (Py_ssize_t i = 0; i < count; i++) {
        models[i] = library_of(PyTuple_GET_ITEM(libraries, i));
        if (models[i] == NULL) break;
    }
    if (!PyErr_Occurred()) status = rf_batch_set_libraries(self->batch, models, (size_t)count);
    if (PyErr_Occurred() || status != RF_OK) {
        PyMem_Free(models);
        return PyErr_Occurred() ? NULL : raise_status(status);
    }
    PyMem_Free(self->models);
    self->models = models;
    Py_XSETREF(self->libraries, Py_NewRef(libraries));
    Py_RETURN_NONE;
}

PyObject *batch_set_scene(BatchObject *self, PyObject *scene)
{
    const rf_scene *values = NULL;
    if (scene != Py_None && (values = scene_of(scene)) == NULL) return NULL;
    rf_status status = rf_batch_set_scene(self->batch, values);
    if (status != RF_OK) return raise_status(status);
    PyObject *before = self->scene;
    self->scene = Py_NewRef(scene);
    Py_XDECREF(before);
    Py_RETURN_NONE;
}

PyObject *batch_set_relief(BatchObject *self, PyObject *relief)
{
    const rf_relief *values = NULL;
    if (relief != Py_None && (values = relief_of(relief)) == NULL) return NULL;
    rf_status status = rf_batch_set_relief(self->batch, values);
    if (status != RF_OK) return raise_status(status);
    PyObject *before = self->relief;
    self->relief = Py_NewRef(relief);
    Py_XDECREF(before);
    Py_RETURN_NONE;
}

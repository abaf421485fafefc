/* SPDX-License-Identifier: BSD-3-Clause */
/* render(...): pictures (picture/picture.h) of arrays. */
#include "python/module.h"

#include "picture/picture.h"
#include "python/scene_object.h"

#define LAYER                                                                                                \
    "(corners float32 (c, 3), triangles int32 (t, 3) of them, colours uint8 (t, 4), places float64 (n, "     \
    "12), "                                                                                                  \
    "ids int32 (n,)) or (ends float64 (m, 6), colours uint8 (m, 4), width above 0), contiguous, or "         \
    "(level, way above 0, colours uint8 (2, 4))"

/* One of the three; the others have no instances, no lines, and a way of 0. */
typedef struct layer {
    rf_instances mesh;
    rf_lines lines;
    rf_water water;
} layer;

static npy_intp rows_of(PyObject *array)
{
    return PyArray_NDIM((PyArrayObject *)array) > 0 ? PyArray_DIM((PyArrayObject *)array, 0) : -1;
}

static bool mesh_of(PyObject *tuple, rf_instances *mesh)
{
    PyArrayObject *corners, *triangles, *colours, *places, *ids;
    if (!PyArg_ParseTuple(tuple, "O!O!O!O!O!", &PyArray_Type, &corners, &PyArray_Type, &triangles,
                          &PyArray_Type, &colours, &PyArray_Type, &places, &PyArray_Type, &ids)) {
        PyErr_Clear();
        return false;
    }
    *mesh = (rf_instances){.corners = (size_t)rows_of((PyObject *)corners),
                           .triangles = (size_t)rows_of((PyObject *)triangles),
                           .count = (size_t)rows_of((PyObject *)ids),
                           .corner = PyArray_DATA(corners),
                           .triangle = PyArray_DATA(triangles),
                           .colour = PyArray_DATA(colours),
                           .place = PyArray_DATA(places),
                           .id = PyArray_DATA(ids)};
    return array_is(corners, NPY_FLOAT32, (npy_intp)mesh->corners, 3) &&
           array_is(triangles, NPY_INT32, (npy_intp)mesh->triangles, 3) &&
           array_is(colours, NPY_UINT8, (npy_intp)mesh->triangles, 4) &&
           array_is(places, NPY_DOUBLE, (npy_intp)mesh->count, 12) &&
           array_is(ids, NPY_INT32, (npy_intp)mesh->count, 0);
}

static bool lines_of(PyObject *tuple, rf_lines *lines)
{
    PyArrayObject *ends, *colours;
    if (!PyArg_ParseTuple(tuple, "O!O!d", &PyArray_Type, &ends, &PyArray_Type, &colours, &lines->width)) {
        PyErr_Clear();
        return false;
    }
    lines->count = (size_t)rows_of((PyObject *)ends);
    lines->ends = PyArray_DATA(ends);
    lines->colour = PyArray_DATA(colours);
    return array_is(ends, NPY_DOUBLE, (npy_intp)lines->count, 6) &&
           array_is(colours, NPY_UINT8, (npy_intp)lines->count, 4) && lines->width > 0 &&
           lines->width <= RF_PICTURE_SIDE;
}

static bool water_of(PyObject *tuple, rf_water *water)
{
    PyArrayObject *colours;
    if (!PyArg_ParseTuple(tuple, "ddO!", &water->level, &water->clear, &PyArray_Type, &colours)) {
        PyErr_Clear();
        return false;
    }
    if (!array_is(colours, NPY_UINT8, 2, 4) || !(water->clear > 0 && water->clear < RF_PICTURE_FAR))
        return false;
    const uint8_t *deep = PyArray_DATA(colours), *surface = deep + 4;
    memcpy(water->deep, deep, 3);
    memcpy(water->colour, surface, 3);
    water->opacity = surface[3];
    water->opacity_flat = deep[3];
    return true;
}

/* All layers, for the caller to free, or NULL with an exception. */
static layer *layers_of(PyObject *tuple)
{
    const Py_ssize_t count = PyTuple_GET_SIZE(tuple);
    layer *layers = PyMem_Calloc((size_t)count + 1, sizeof *layers);
    if (layers == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *one = PyTuple_GET_ITEM(tuple, i);
        const Py_ssize_t members = PyTuple_Check(one) ? PyTuple_GET_SIZE(one) : 0;
        if (!(members == 5 && mesh_of(one, &layers[i].mesh)) &&
            !(members == 3 && (lines_of(one, &layers[i].lines) || water_of(one, &layers[i].water)))) {
            PyErr_Format(PyExc_ValueError, "render: layers[%zd]: expected " LAYER, i);
            PyMem_Free(layers);
            return NULL;
        }
    }
    return layers;
}

static rf_status draw_layers(rf_picture *picture, const layer *layers, Py_ssize_t count, Py_ssize_t *at)
{
    rf_status status = RF_OK;
    for (*at = 0; *at < count && status == RF_OK; *at += status == RF_OK) {
        if (layers[*at].lines.count > 0) rf_picture_lines(picture, &layers[*at].lines);
        if (layers[*at].water.clear > 0) rf_picture_water(picture, &layers[*at].water);
        status = rf_picture_mesh(picture, &layers[*at].mesh);
    }
    return status;
}

/* Colours, distances and ids of the picture of layers, or NULL with an exception. */
static PyObject *finished(rf_picture *picture, const layer *layers, Py_ssize_t count)
{
    const npy_intp shape[3] = {picture->height, picture->width, 3};
    PyObject *colours = PyArray_SimpleNew(3, shape, NPY_UINT8);
    PyObject *distances = PyArray_SimpleNew(2, shape, NPY_FLOAT32);
    PyObject *ids = PyArray_SimpleNew(2, shape, NPY_INT32);
    PyObject *result = colours && distances && ids ? PyTuple_Pack(3, colours, distances, ids) : NULL;
    if (result != NULL) {
        rf_status status;
        Py_ssize_t at;
        Py_BEGIN_ALLOW_THREADS;
        status = draw_layers(picture, layers, count, &at);
        if (status == RF_OK) {
            rf_picture_finish(picture, PyArray_DATA((PyArrayObject *)colours),
                              PyArray_DATA((PyArrayObject *)distances), PyArray_DATA((PyArrayObject *)ids));
        }
        Py_END_ALLOW_THREADS;
        if (status != RF_OK) Py_CLEAR(result);
        if (status == RF_NO_MEMORY) PyErr_NoMemory();
        if (status == RF_BAD_ARGUMENT) {
            PyErr_Format(PyExc_ValueError, "render: layers[%zd]: a triangle has a corner that is not there",
                         at);
        }
    }
    Py_XDECREF(colours);
    Py_XDECREF(distances);
    Py_XDECREF(ids);
    return result;
}

/* The picture's settings of the arrays, or false with an exception. */
static bool set_view(rf_picture *picture, PyArrayObject *camera, PyArrayObject *sun, PyArrayObject *sky)
{
    if (!array_is(camera, NPY_DOUBLE, 4, 3) || !array_is(sun, NPY_DOUBLE, 3, 0) ||
        !array_is(sky, NPY_UINT8, 2, 3)) {
        PyErr_SetString(PyExc_ValueError,
                        "render: expected contiguous float64 camera (4, 3) and sun (3,), uint8 "
                        "sky (2, 3)");
        return false;
    }
    memcpy(picture->camera.axes, PyArray_DATA(camera), sizeof picture->camera.axes);
    memcpy(picture->camera.eye, (const double *)PyArray_DATA(camera) + 9, sizeof picture->camera.eye);
    memcpy(picture->light.sun, PyArray_DATA(sun), sizeof picture->light.sun);
    memcpy(picture->light.zenith, PyArray_DATA(sky), 3);
    memcpy(picture->light.horizon, (const uint8_t *)PyArray_DATA(sky) + 3, 3);
    return true;
}

/* False with an exception for memory of another size. */
static bool set_kept(rf_picture *picture, PyObject *kept)
{
    const npy_intp side = picture->samples, count = side * picture->width * side * picture->height;
    const bool sized = picture->width > 0 && picture->height > 0 && picture->width <= RF_PICTURE_SIDE &&
                       picture->height <= RF_PICTURE_SIDE && (side == 1 || side == 2);
    if (!sized || kept == Py_None) return true;
    PyArrayObject *array = (PyArrayObject *)kept;
    if (!PyArray_Check(kept) || !array_is(array, NPY_UINT32, count, RF_PICTURE_SAMPLE / 4) ||
        !PyArray_ISWRITEABLE(array)) {
        PyErr_Format(PyExc_ValueError, "render: expected kept memory uint32 (%zd, 3), contiguous", count);
        return false;
    }
    picture->kept = PyArray_DATA(array);
    return true;
}

PyObject *render(PyObject *module, PyObject *args)
{
    (void)module;
    rf_picture picture = {0};
    PyObject *layers, *kept = Py_None;
    PyArrayObject *camera, *sun, *sky;
    if (!PyArg_ParseTuple(args, "(ii)iO!dO!O!dO!|O:render", &picture.width, &picture.height, &picture.samples,
                          &PyArray_Type, &camera, &picture.camera.focal, &PyArray_Type, &sun, &PyArray_Type,
                          &sky, &picture.light.haze, &PyTuple_Type, &layers, &kept) ||
        !set_view(&picture, camera, sun, sky) || !set_kept(&picture, kept)) {
        return NULL;
    }
    const rf_status status = rf_picture_begin(&picture);
    if (status == RF_NO_MEMORY) return PyErr_NoMemory();
    if (status != RF_OK) {
        PyErr_Format(
            PyExc_ValueError,
            "render: expected a size of 1 to %d samples a side, 1 or 2 of them a pixel, unit vectors, "
            "a finite eye, a focal length above 0 and a haze of 0 or more",
            RF_PICTURE_SIDE);
        return NULL;
    }
    layer *read = layers_of(layers);
    PyObject *result = read ? finished(&picture, read, PyTuple_GET_SIZE(layers)) : NULL;
    PyMem_Free(read);
    rf_picture_free(&picture);
    return result;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Relief: a terrain map for rays (scene/relief.h); sight(...): rays into all that there is (scene/sight.h). */
#include "python/module.h"

#include "python/scene_object.h"
#include "scene/sight.h"

#define CHUNK 1024 /* rays of a piece of the pool */

typedef struct {
    PyObject_HEAD
    rf_relief *relief;
    PyObject *grid; /* has the heights */
} ReliefObject;

static PyObject *relief_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)kwargs;
    PyObject *grid;
    rf_terrain_map map;
    if (!PyArg_ParseTuple(args, "O:Relief", &grid) || !terrain_map_of(grid, &map)) return NULL;
    rf_relief *relief;
    rf_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = rf_relief_new(&map, &relief);
    Py_END_ALLOW_THREADS;
    if (status != RF_OK) return raise_status(status);
    ReliefObject *self = (ReliefObject *)type->tp_alloc(type, 0);
    if (self == NULL) {
        rf_relief_free(relief);
        return NULL;
    }
    self->relief = relief;
    self->grid = Py_NewRef(grid);
    return (PyObject *)self;
}

static void relief_dealloc(ReliefObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    rf_relief_free(self->relief);
    Py_XDECREF(self->grid);
    type->tp_free((PyObject *)self);
    Py_DECREF(type);
}

const rf_relief *relief_of(PyObject *object)
{
    if (Py_TYPE(object)->tp_dealloc == (destructor)relief_dealloc) return ((ReliefObject *)object)->relief;
    PyErr_Format(PyExc_TypeError, "relief: expected a Relief, got %R", object);
    return NULL;
}

PyTypeObject *relief_type_create(PyObject *module)
{
    static PyType_Slot type_slots[] = {
        {Py_tp_doc, "Relief(map)\n--\n\nA terrain map (heights, first, spacing) for rays."},
        {Py_tp_new, (void *)relief_new},
        {Py_tp_dealloc, (void *)relief_dealloc},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "pyrfly._core.Relief",
        .basicsize = sizeof(ReliefObject),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
        .slots = type_slots,
    };
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}

/* ---- rays ---- */

/* A call of sight(). */
typedef struct sight_call {
    rf_sight sight;
    rf_rays rays;
    uint8_t *seen;
} sight_call;

static void cast_piece(void *context, size_t piece)
{
    const sight_call *c = context;
    const size_t first = piece * CHUNK, left = c->rays.count - first;
    rf_sight_cast(&c->sight, &c->rays, c->seen, first, left < CHUNK ? left : CHUNK);
}

/* The arguments that say what there is, or false with an exception. */
static bool set_sight(const module_state *state, PyObject *scene, PyObject *relief, rf_sight *sight)
{
    sight->cast = state->simd->cast_rays;
    sight->scene = scene == Py_None ? NULL : scene_of(scene);
    sight->map = relief == Py_None || PyErr_Occurred() ? NULL : relief_of(relief);
    return !PyErr_Occurred();
}

/* The bodies of a tuple (positions, attitudes, hulls, ids, first shapes of hulls, shapes), or NULL with an exception. */
static rf_movers *movers_of(PyObject *tuple)
{
    PyArrayObject *positions, *attitudes, *hulls, *ids, *first, *shapes;
    if (!PyTuple_Check(tuple) ||
        !PyArg_ParseTuple(tuple, "O!O!O!O!O!O!:vehicles", &PyArray_Type, &positions, &PyArray_Type,
                          &attitudes, &PyArray_Type, &hulls, &PyArray_Type, &ids, &PyArray_Type, &first,
                          &PyArray_Type, &shapes)) {
        if (!PyErr_Occurred()) PyErr_Format(PyExc_TypeError, "vehicles: expected a tuple, got %R", tuple);
        return NULL;
    }
    const npy_intp count = PyArray_NDIM(hulls) == 1 ? PyArray_DIM(hulls, 0) : -1;
    const npy_intp kinds = PyArray_NDIM(first) == 1 ? PyArray_DIM(first, 0) : -1;
    rf_movers *movers = NULL;
    rf_status status = RF_BAD_ARGUMENT;
    if (array_is(positions, NPY_DOUBLE, count, 3) && array_is(attitudes, NPY_DOUBLE, count, 4) &&
        array_is(hulls, NPY_INT32, count, 0) && array_is(ids, NPY_INT32, count, 0) && kinds > 0 &&
        array_is(first, NPY_INT32, kinds, 0) && PyArray_NDIM(shapes) == 2 &&
        array_is(shapes, NPY_DOUBLE, PyArray_DIM(shapes, 0), 7) &&
        ((const int32_t *)PyArray_DATA(first))[kinds - 1] <= PyArray_DIM(shapes, 0)) {
        const rf_movers_def def = {
            (size_t)count,           PyArray_DATA(positions),
            PyArray_DATA(attitudes), PyArray_DATA(hulls),
            PyArray_DATA(ids),       {(size_t)kinds - 1, PyArray_DATA(first), PyArray_DATA(shapes)}};
        Py_BEGIN_ALLOW_THREADS;
        status = rf_movers_new(&def, &movers);
        Py_END_ALLOW_THREADS;
    }
    if (status == RF_OK) return movers;
    if (status != RF_BAD_ARGUMENT) raise_status(status);
    if (status == RF_BAD_ARGUMENT) {
        PyErr_SetString(PyExc_ValueError,
                        "vehicles: expected contiguous float64 (n, 3), (n, 4), int32 (n,), (n,), "
                        "hulls, and float64 (k, 7), shapes");
    }
    return NULL;
}

/* The arrays of results, as a tuple, or NULL with an exception. */
static PyObject *results_of(sight_call *call)
{
    npy_intp count = (npy_intp)call->rays.count;
    PyObject *distance = PyArray_SimpleNew(1, &count, NPY_FLOAT),
             *seen = PyArray_SimpleNew(1, &count, NPY_UINT8),
             *shape = PyArray_SimpleNew(1, &count, NPY_INT32),
             *result = distance && seen && shape ? PyTuple_Pack(3, distance, seen, shape) : NULL;
    if (result != NULL) {
        call->rays.distance = PyArray_DATA((PyArrayObject *)distance);
        call->seen = PyArray_DATA((PyArrayObject *)seen);
        call->rays.shape = PyArray_DATA((PyArrayObject *)shape);
    }
    Py_XDECREF(distance);
    Py_XDECREF(seen);
    Py_XDECREF(shape);
    return result;
}

PyObject *sight(PyObject *module, PyObject *args)
{
    const module_state *state = module_state_of(module);
    PyObject *scene, *relief, *vehicles;
    PyArrayObject *levels, *ignored, *origins, *directions;
    rf_movers *movers = NULL;
    sight_call call = {0};
    Py_ssize_t each;
    int threads;
    if (!PyArg_ParseTuple(args, "OOO!OO!O!O!ndi:sight", &scene, &relief, &PyArray_Type, &levels, &vehicles,
                          &PyArray_Type, &ignored, &PyArray_Type, &origins, &PyArray_Type, &directions, &each,
                          &call.rays.reach, &threads) ||
        !set_sight(state, scene, relief, &call.sight)) {
        return NULL;
    }
    if (!are_vectors(origins) || !are_vectors(directions) || each < 1 || !(call.rays.reach > 0) ||
        threads < 1 || (PyArray_DIM(directions, 0) < 1 && PyArray_DIM(origins, 0) > 0) ||
        !array_is(levels, NPY_DOUBLE, PyArray_DIM(origins, 0), 0) ||
        !array_is(ignored, NPY_INT32, PyArray_DIM(origins, 0), 0) ||
        PyArray_DIM(origins, 0) > PY_SSIZE_T_MAX / each) {
        PyErr_SetString(
            PyExc_ValueError,
            "sight: expected contiguous float64 (n,), int32 (n,), float64 (n, 3) and (m, 3), rays "
            "of each origin, a reach [m] and threads above 0");
        return NULL;
    }
    if (vehicles != Py_None && (movers = movers_of(vehicles)) == NULL) return NULL;
    call.sight.level = PyArray_DATA(levels);
    call.sight.movers = movers;
    call.sight.ignored = PyArray_DATA(ignored);
    call.rays.origins = PyArray_DATA(origins);
    call.rays.directions = PyArray_DATA(directions);
    call.rays.count = (size_t)(PyArray_DIM(origins, 0) * each);
    call.rays.each = (size_t)each;
    call.rays.direction_count = (size_t)PyArray_DIM(directions, 0);
    PyObject *result = results_of(&call);
    const size_t pieces = (call.rays.count + CHUNK - 1) / CHUNK;
    if (result != NULL && !run_interruptibly(cast_piece, &call, pieces, threads)) Py_CLEAR(result);
    rf_movers_free(movers);
    return result;
}

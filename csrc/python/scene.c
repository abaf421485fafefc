/* SPDX-License-Identifier: BSD-3-Clause */
/* Scene: what stands in the world (scene/scene.h), and rays into it. */
#include "python/module.h"

#include "python/scene_object.h"
#include "scene/rays.h"

#define CHUNK 1024 /* rays of a piece of the pool */

/* The C-contiguous arrays that a scene is made of. */
typedef struct scene_arrays {
    PyArrayObject *kinds, *centers, *rotations, *half_sizes, *friction, *restitution, *corners, *owners;
} scene_arrays;

/* The definition in arrays, or false with an exception. */
static bool definition_of(const scene_arrays *a, rf_scene_def *def)
{
    npy_intp shapes = PyArray_NDIM(a->kinds) == 1 ? PyArray_DIM(a->kinds, 0) : -1;
    npy_intp triangles = PyArray_NDIM(a->owners) == 1 ? PyArray_DIM(a->owners, 0) : -1;
    if (!array_is(a->kinds, NPY_UINT8, shapes, 0) || !array_is(a->centers, NPY_DOUBLE, shapes, 3) ||
        !array_is(a->rotations, NPY_DOUBLE, shapes, 9) || !array_is(a->half_sizes, NPY_DOUBLE, shapes, 3) ||
        !array_is(a->friction, NPY_DOUBLE, shapes, 0) || !array_is(a->restitution, NPY_DOUBLE, shapes, 0) ||
        !array_is(a->corners, NPY_DOUBLE, triangles, 9) || !array_is(a->owners, NPY_INT32, triangles, 0)) {
        PyErr_SetString(PyExc_ValueError,
                        "Scene: expected contiguous uint8 (n,), float64 (n, 3), (n, 9), (n, 3), "
                        "(n,), (n,), (m, 9) and int32 (m,)");
        return false;
    }
    *def = (rf_scene_def){
        .shapes = (size_t)shapes,
        .triangles = (size_t)triangles,
        .kinds = PyArray_DATA(a->kinds),
        .centers = PyArray_DATA(a->centers),
        .rotations = PyArray_DATA(a->rotations),
        .half_sizes = PyArray_DATA(a->half_sizes),
        .friction = PyArray_DATA(a->friction),
        .restitution = PyArray_DATA(a->restitution),
        .corners = PyArray_DATA(a->corners),
        .owners = PyArray_DATA(a->owners),
    };
    return true;
}

static PyObject *scene_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)kwargs;
    scene_arrays a;
    rf_scene_def def;
    if (!PyArg_ParseTuple(args, "O!O!O!O!O!O!O!O!:Scene", &PyArray_Type, &a.kinds, &PyArray_Type, &a.centers,
                          &PyArray_Type, &a.rotations, &PyArray_Type, &a.half_sizes, &PyArray_Type,
                          &a.friction, &PyArray_Type, &a.restitution, &PyArray_Type, &a.corners,
                          &PyArray_Type, &a.owners) ||
        !definition_of(&a, &def)) {
        return NULL;
    }
    rf_scene *scene;
    size_t bad;
    rf_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = rf_scene_new(&def, &scene, &bad);
    Py_END_ALLOW_THREADS;
    if (status == RF_BAD_ARGUMENT) {
        return PyErr_Format(PyExc_ValueError,
                            "Scene: entry %zu of %zu shapes and %zu triangles is out of range", bad,
                            def.shapes, def.triangles);
    }
    if (status != RF_OK) return raise_status(status);
    SceneObject *self = (SceneObject *)type->tp_alloc(type, 0);
    if (self == NULL) {
        rf_scene_free(scene);
        return NULL;
    }
    self->scene = scene;
    self->arrays = Py_NewRef(args);
    return (PyObject *)self;
}

static void scene_dealloc(SceneObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    rf_scene_free(self->scene);
    Py_XDECREF(self->arrays);
    type->tp_free((PyObject *)self);
    Py_DECREF(type);
}

const rf_scene *scene_of(PyObject *object)
{
    if (Py_TYPE(object)->tp_dealloc == (destructor)scene_dealloc) return ((SceneObject *)object)->scene;
    PyErr_Format(PyExc_TypeError, "scene: expected a Scene, got %R", object);
    return NULL;
}

/* ---- rays ---- */

typedef struct cast {
    const rf_scene *scene;
    const rf_rays *rays;
    rf_rays_cast run;
} cast;

static void cast_piece(void *context, size_t piece)
{
    const cast *c = context;
    size_t first = piece * CHUNK, left = c->rays->count - first;
    c->run(c->scene, c->rays, first, left < CHUNK ? left : CHUNK);
}

static PyObject *scene_raycast(SceneObject *self, PyObject *args)
{
    PyArrayObject *origins, *directions;
    rf_rays rays = {0};
    Py_ssize_t each;
    int threads;
    if (!PyArg_ParseTuple(args, "O!O!ndi:raycast", &PyArray_Type, &origins, &PyArray_Type, &directions, &each,
                          &rays.reach, &threads)) {
        return NULL;
    }
    if (!are_vectors(origins) || !are_vectors(directions) || each < 1 || !(rays.reach > 0) || threads < 1 ||
        (PyArray_DIM(directions, 0) < 1 && PyArray_DIM(origins, 0) > 0) ||
        PyArray_DIM(origins, 0) > PY_SSIZE_T_MAX / each) {
        PyErr_SetString(PyExc_ValueError,
                        "raycast: expected contiguous float64 (n, 3) and (m, 3), of any, rays "
                        "of each origin, a reach [m] and threads above 0");
        return NULL;
    }
    /* One block: freed, the C library keeps it for the next call; two it would give back to the system. */
    npy_intp size[] = {2, PyArray_DIM(origins, 0) * each};
    PyObject *result = PyArray_SimpleNew(2, size, NPY_INT32);
    if (result != NULL) {
        rays.origins = PyArray_DATA(origins);
        rays.directions = PyArray_DATA(directions);
        rays.count = (size_t)size[1];
        rays.each = (size_t)each;
        rays.direction_count = (size_t)PyArray_DIM(directions, 0);
        rays.shape = PyArray_DATA((PyArrayObject *)result);
        rays.distance = (float *)rays.shape + rays.count;
        cast c = {self->scene, &rays, module_state_of(PyType_GetModule(Py_TYPE(self)))->simd->cast_rays};
        if (!run_interruptibly(cast_piece, &c, (rays.count + CHUNK - 1) / CHUNK, threads)) Py_CLEAR(result);
    }
    return result;
}

static PyMethodDef scene_methods[] = {
    {"raycast", (PyCFunction)scene_raycast, METH_VARARGS,
     "raycast(origins, directions, each, reach, threads)\n--\n\nReturn shapes (-1: nothing met), and as the "
     "same "
     "bytes float32 distances [m] (infinite), of so many rays of each origin; ray i has direction i modulo "
     "their number."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject *scene_type_create(PyObject *module)
{
    static PyType_Slot type_slots[] = {
        {Py_tp_doc, "Scene(kinds, centers, rotations, half_sizes, friction, restitution, corners, "
                    "owners)\n--\n\nWhat stands in the world; "
                    "it does not change."},
        {Py_tp_new, (void *)scene_new},
        {Py_tp_dealloc, (void *)scene_dealloc},
        {Py_tp_methods, scene_methods},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "pyrfly._core.Scene",
        .basicsize = sizeof(SceneObject),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
        .slots = type_slots,
    };
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}

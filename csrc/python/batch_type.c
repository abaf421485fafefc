/* SPDX-License-Identifier: BSD-3-Clause */
/* The type pyrfly._core.Batch: a batch of vehicles whose columns are NumPy views.
 *
 * The object owns the memory; its views keep the object alive. */
#include "python/batch_object.h"

rf_batch *batch_of(PyObject *object)
{
    return ((BatchObject *)object)->batch;
}

static void batch_dealloc(BatchObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    rf_batch_destroy(self->batch);
    Py_XDECREF(self->terrain_map);
    Py_XDECREF(self->scene);
    Py_XDECREF(self->libraries);
    PyMem_Free(self->models);
    Py_XDECREF(self->relief);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"view", (PyCFunction)(void (*)(void))batch_view, METH_O,
     "view(name)\n--\n\nReturn a column as an array of shape (n,) or (n, width): a view, or for an output a "
     "new "
     "array computed from the present state."},
    {"fill", (PyCFunction)(void (*)(void))batch_fill, METH_VARARGS,
     "fill(name, values)\n--\n\nSet a column of every vehicle to the same values."},
    {"enable", (PyCFunction)(void (*)(void))batch_enable, METH_O,
     "enable(part)\n--\n\nEnable a part of the vehicles, in its initial state; no effect if it is enabled."},
    {"has", (PyCFunction)(void (*)(void))batch_has, METH_O,
     "has(part)\n--\n\nReturn whether a part is enabled."},
    {"release_navigator", (PyCFunction)(void (*)(void))batch_release_navigator, METH_O,
     "release_navigator(vehicles)\n--\n\nSet mode NONE: the navigators write no set-points until the next "
     "command."},
    {"restart_offset", (PyCFunction)(void (*)(void))batch_restart_offset, METH_O,
     "restart_offset(vehicles)\n--\n\nLet a position offset in the body frame count from the present "
     "position."},
    {"reset_part", (PyCFunction)(void (*)(void))batch_reset_part, METH_VARARGS,
     "reset_part(part, vehicles)\n--\n\nReset an enabled part of vehicles to its initial state, except its "
     "settings."},
    {"refresh", (PyCFunction)(void (*)(void))batch_refresh, METH_O,
     "refresh(vehicles)\n--\n\nCompute the environment of vehicles at their present states, without a step "
     "in time."},
    {"like", (PyCFunction)(void (*)(void))batch_like, METH_O,
     "like(n)\n--\n\nReturn a new batch of n vehicles in float64 with the type, settings, origin and time of "
     "this one."},
    {"add_events", (PyCFunction)(void (*)(void))batch_add_events, METH_O,
     "add_events(events)\n--\n\nAdd events, as bytes (event_format), whose numbers are above last_event."},
    {"set_events", (PyCFunction)(void (*)(void))batch_set_events, METH_O,
     "set_events(events)\n--\n\nReplace all events by those of bytes, each in its state there."},
    {"events", (PyCFunction)(void (*)(void))batch_events, METH_NOARGS,
     "events()\n--\n\nReturn all events as bytes."},
    {"event_load", (PyCFunction)(void (*)(void))batch_event_load, METH_NOARGS,
     "event_load()\n--\n\nReturn the values of all events, and those of ramps and repeats per step."},
    {"restart_events", (PyCFunction)(void (*)(void))batch_restart_events, METH_O,
     "restart_events(vehicles)\n--\n\nLet events of vehicles begin anew, counted from the present tick."},
    {"accept", (PyCFunction)(void (*)(void))batch_accept, METH_VARARGS,
     "accept(first, count)\n--\n\nAccept the commands in the inputs of these vehicles now."},
    {"set_airframe", (PyCFunction)(void (*)(void))batch_set_airframe, METH_VARARGS,
     "set_airframe(airframe, values)\n--\n\nSet params and gains of an airframe (0 to 3) of a mixed model."},
    {"set_origin", (PyCFunction)(void (*)(void))batch_set_origin, METH_VARARGS,
     "set_origin(lat, lon, height)\n--\n\nSet the origin of the local frame [deg, deg, m]."},
    {"set_relief", (PyCFunction)(void (*)(void))batch_set_relief, METH_O,
     "set_relief(relief)\n--\n\nSet the terrain map for rays of sensors, a Relief, or None."},
    {"set_scene", (PyCFunction)(void (*)(void))batch_set_scene, METH_O,
     "set_scene(scene)\n--\n\nSet what stands in the world, a Scene, or None."},
    {"set_libraries", (PyCFunction)(void (*)(void))batch_set_libraries, METH_O,
     "set_libraries(libraries)\n--\n\nSet the models of vehicles that step themselves: a tuple, a Library "
     "for each."},
    {"set_terrain_map", (PyCFunction)(void (*)(void))batch_set_terrain_map, METH_O,
     "set_terrain_map(map)\n--\n\nSet the map below the vehicles whose on_terrain_map is 1: a tuple of a "
     "read-only "
     "array of heights [m], the (north, east) of the first [m] and the spacing [m]; or None."},
    {"derivative", (PyCFunction)(void (*)(void))batch_derivative, METH_NOARGS,
     "derivative()\n--\n\nReturn the time derivative of the present state as a new array of shape (n, "
     "width), "
     "the state columns in their order."},
    {"snapshot", (PyCFunction)(void (*)(void))batch_snapshot, METH_NOARGS,
     "snapshot()\n--\n\nReturn everything that a step depends on, as bytes."},
    {"restore", (PyCFunction)(void (*)(void))batch_restore, METH_O,
     "restore(snapshot)\n--\n\nRestore a snapshot of a batch of the same type, count and settings."},
    {"check_snapshot", (PyCFunction)(void (*)(void))batch_check_snapshot, METH_O,
     "check_snapshot(snapshot)\n--\n\nReturn the tick of a snapshot, or raise what restore would, without an "
     "effect."},
    {NULL, NULL, 0, NULL},
};

/* ---- attributes ---- */

static PyObject *get_type_name(BatchObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(rf_batch_type(self->batch)->name);
}

static PyObject *get_n(BatchObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(rf_batch_get_def(self->batch)->n);
}

static PyObject *get_precision(BatchObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(precision_names[rf_batch_get_def(self->batch)->precision]);
}

static PyObject *get_integrator(BatchObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(integrator_names[rf_batch_get_def(self->batch)->integrator]);
}

static PyObject *get_effects(BatchObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(effects_names[rf_batch_get_def(self->batch)->effects]);
}

static PyObject *get_threads(BatchObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLong(rf_batch_get_def(self->batch)->threads);
}

static PyObject *get_dt(BatchObject *self, void *unused)
{
    (void)unused;
    return PyFloat_FromDouble(rf_batch_get_def(self->batch)->dt);
}

static PyObject *get_nbytes(BatchObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(rf_batch_bytes(self->batch));
}

static PyObject *get_tick(BatchObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLongLong(rf_batch_tick(self->batch));
}

static int refuse_deletion(PyObject *value, const char *name)
{
    if (value != NULL) return 0;
    PyErr_Format(PyExc_AttributeError, "%s cannot be deleted", name);
    return -1;
}

static int set_status(rf_status status)
{
    if (status == RF_OK) return 0;
    raise_status(status);
    return -1;
}

static int set_tick(BatchObject *self, PyObject *value, void *unused)
{
    (void)unused;
    if (refuse_deletion(value, "tick") < 0) return -1;
    unsigned long long tick = PyLong_AsUnsignedLongLong(value);
    if (tick == (unsigned long long)-1 && PyErr_Occurred()) return -1;
    if (tick > RF_MAXIMUM_TICK) {
        PyErr_Format(PyExc_ValueError, "tick: expected 0 to 2^62, got %llu", tick);
        return -1;
    }
    return set_status(rf_batch_set_tick(self->batch, tick));
}

static PyObject *get_controllers(BatchObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(rf_batch_controllers(self->batch));
}

static int set_controllers(BatchObject *self, PyObject *value, void *unused)
{
    (void)unused;
    if (refuse_deletion(value, "controllers") < 0) return -1;
    int on = PyObject_IsTrue(value);
    if (on < 0) return -1;
    return set_status(rf_batch_set_controllers(self->batch, on != 0));
}

#define GETTER(name, doc)                                                                                    \
    {                                                                                                        \
#name, (getter)get_##name, NULL, doc, NULL                                                           \
    }

static PyGetSetDef attributes[] = {
    {"type_name", (getter)get_type_name, NULL, "Name of the vehicle type.", NULL},
    GETTER(n, "Number of vehicles."),
    GETTER(precision, "'float64' or 'float32'."),
    GETTER(integrator, "'rk4' or 'euler'."),
    GETTER(effects, "'full' or 'plain'."),
    GETTER(threads, "Maximum number of threads of one step."),
    GETTER(dt, "Integrator step [s]."),
    GETTER(nbytes, "Memory of the columns [bytes]."),
    GETTER(last_event, "Number of the last event, 0 without one."),
    GETTER(layout_version, "Identifies the columns, a hexadecimal number."),
    {"tick", (getter)get_tick, (setter)set_tick, "Integrator steps taken.", NULL},
    {"controllers", (getter)get_controllers, (setter)set_controllers, "Whether the controllers run.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyDoc_STRVAR(
    batch_doc,
    "Batch(type, n, precision='float64', integrator='rk4', effects='full', dt=0.001,\n"
    "      periods=None, threads=None)\n--\n\n"
    "Vehicles of one type, as columns of one buffer.\n\n"
    "One thread at a time may change a batch: a second concurrent step raises RuntimeError. Outputs and\n"
    "snapshots wait for a pause of the step, 50 ms at most for batches that step faster.");

static PyType_Slot type_slots[] = {
    {Py_tp_doc, (void *)batch_doc},         {Py_tp_new, (void *)batch_new},
    {Py_tp_dealloc, (void *)batch_dealloc}, {Py_tp_methods, (void *)methods},
    {Py_tp_getset, (void *)attributes},     {0, NULL},
};

static PyType_Spec spec = {
    .name = "pyrfly._core.Batch",
    .basicsize = sizeof(BatchObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = type_slots,
};

PyTypeObject *batch_type_create(PyObject *module)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Library: a model in a library with RflySim's functions: in this process (libraries/functions.h), by their addresses, or in a
 * process of its own (libraries/isolated.h), by pipes and shared memory. */
#include "python/module.h"

#include <math.h>
#include <string.h>

#include "libraries/isolated.h"

typedef struct LibraryObject {
    PyObject_HEAD
    rf_library *library; /* that of one of the next two */
    rf_functions functions;
    rf_isolated isolated;
    Py_buffer memory; /* of an isolated one */
    PyObject *owner;  /* what keeps the functions, or the process, alive */
} LibraryObject;

/* Appends a name to a list, which is cleared where that fails. */
static void append_name(PyObject **names, const char *text)
{
    PyObject *name = PyUnicode_FromString(text);
    if (name == NULL || PyList_Append(*names, name) < 0) Py_CLEAR(*names);
    Py_XDECREF(name);
}

PyObject *library_functions(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    PyObject *names = PyList_New(0);
    for (int i = 0; names != NULL && i < RF_FUNCTION_COUNT; i++) append_name(&names, rf_function_name(i));
    return names;
}

/* Fills the addresses from {name: address}; false with an exception. */
static bool take_addresses(rf_functions *functions, PyObject *addresses)
{
    for (int i = 0; i < RF_FUNCTION_COUNT; i++) {
        PyObject *address = PyDict_GetItemString(addresses, rf_function_name(i));
        if (address == NULL) continue;
        void *at = PyLong_AsVoidPtr(address);
        if (at == NULL && PyErr_Occurred()) return false;
        memcpy(&functions->of[i], &at, sizeof at); /* ISO C has no cast from objects to functions */
    }
    if (functions->of[RF_FUNCTION_Dllstep] != NULL) return true;
    PyErr_SetString(PyExc_ValueError, "Library: expected the address of Dllstep");
    return false;
}

static PyObject *library_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)kwargs;
    PyObject *addresses, *owner;
    if (!PyArg_ParseTuple(args, "O!O:Library", &PyDict_Type, &addresses, &owner)) return NULL;
    LibraryObject *self = (LibraryObject *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    if (!take_addresses(&self->functions, addresses)) {
        Py_DECREF(self);
        return NULL;
    }
    self->owner = Py_NewRef(owner);
    rf_functions_open(&self->functions, NULL);
    self->library = &self->functions.library;
    return (PyObject *)self;
}

#if !defined(_WIN32)
static PyObject *library_isolated(PyObject *type, PyObject *args)
{
    PyObject *memory, *owner;
    rf_isolated isolated = {.failure = RF_ISOLATED_RUNS};
    if (!PyArg_ParseTuple(args, "OiiiiO:isolated", &memory, &isolated.to, &isolated.from, &isolated.limit_ms,
                          &isolated.process, &owner)) {
        return NULL;
    }
    LibraryObject *self = (LibraryObject *)((PyTypeObject *)type)->tp_alloc((PyTypeObject *)type, 0);
    if (self == NULL) return NULL;
    if (PyObject_GetBuffer(memory, &self->memory, PyBUF_WRITABLE) < 0 ||
        (size_t)self->memory.len < sizeof(rf_shared)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "isolated: expected more memory");
        Py_DECREF(self);
        return NULL;
    }
    self->owner = Py_NewRef(owner);
    self->isolated = isolated;
    self->isolated.shared = self->memory.buf;
    self->library = &self->isolated.library;
    Py_BEGIN_ALLOW_THREADS;
    rf_isolated_open(&self->isolated);
    Py_END_ALLOW_THREADS;
    return (PyObject *)self;
}
#endif

static void library_dealloc(LibraryObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    if (self->library == &self->functions.library) rf_functions_close(&self->functions);
    if (self->memory.obj != NULL) PyBuffer_Release(&self->memory);
    Py_XDECREF(self->owner);
    type->tp_free((PyObject *)self);
    Py_DECREF(type);
}

rf_library *library_of(PyObject *object)
{
    if (Py_TYPE(object)->tp_dealloc == (destructor)library_dealloc) return ((LibraryObject *)object)->library;
    PyErr_Format(PyExc_TypeError, "library: expected a Library, got %R", object);
    return NULL;
}

static PyObject *library_start(LibraryObject *self, PyObject *unused)
{
    (void)unused;
    int failure;
    memset(self->library->told, 0, sizeof self->library->told);
    self->library->answers = false;
    self->library->terrain = NAN; /* so that the ground follows it anew */
    self->library->ground_yaw = 0;
    Py_BEGIN_ALLOW_THREADS;
    failure = self->library->start(self->library);
    Py_END_ALLOW_THREADS;
    return PyBool_FromLong(failure == 0);
}

/* Name, NumPy type, place and number of the values of a port. */
#define PORT(name, type)                                                                                     \
    {                                                                                                        \
#name, type, offsetof(rf_library_ports, name), sizeof((rf_library_ports *)0)->name                   \
    }
static const struct {
    const char *name;
    int type;
    size_t offset, bytes;
} ports[] = {
    PORT(commands, NPY_DOUBLE),
    PORT(terrain, NPY_DOUBLE),
    PORT(collision, NPY_DOUBLE),
    PORT(extended, NPY_DOUBLE),
    PORT(scene, NPY_DOUBLE),
    PORT(autopilot, NPY_DOUBLE),
    PORT(sil_floats, NPY_DOUBLE),
    PORT(sil_ints, NPY_INT32),
    PORT(sil_doubles, NPY_DOUBLE),
    PORT(fault_params, NPY_DOUBLE),
    PORT(init_params, NPY_DOUBLE),
    PORT(dynamic_params, NPY_DOUBLE),
    PORT(dynamic_mask, NPY_UINT64),
    PORT(fault_mask, NPY_UINT32),
    PORT(init_mask, NPY_UINT32),
    PORT(start_pos, NPY_DOUBLE),
    PORT(start_angles, NPY_DOUBLE),
    PORT(origin, NPY_DOUBLE),
    PORT(motion, NPY_DOUBLE),
    PORT(sensor, NPY_DOUBLE),
    PORT(gps, NPY_DOUBLE),
    PORT(gps_pos, NPY_DOUBLE),
    PORT(free_outputs, NPY_DOUBLE),
    PORT(display_outputs, NPY_DOUBLE),
    PORT(autopilot_outputs, NPY_DOUBLE),
};
#undef PORT

static PyObject *library_port(LibraryObject *self, PyObject *name)
{
    for (size_t i = 0; i < sizeof ports / sizeof *ports && PyUnicode_Check(name); i++) {
        if (PyUnicode_CompareWithASCIIString(name, ports[i].name) != 0) continue;
        const npy_intp each = ports[i].type == NPY_INT32 || ports[i].type == NPY_UINT32 ? 4 : 8;
        npy_intp count = (npy_intp)ports[i].bytes / each;
        char *at = (char *)self->library->ports + ports[i].offset;
        PyObject *view = PyArray_SimpleNewFromData(1, &count, ports[i].type, at);
        if (view == NULL) return NULL;
        if (PyArray_SetBaseObject((PyArrayObject *)view, Py_NewRef((PyObject *)self)) < 0) Py_CLEAR(view);
        return view;
    }
    return PyErr_Format(PyExc_ValueError, "port: there is no port %R", name);
}

static PyObject *get_period(LibraryObject *self, void *unused)
{
    (void)unused;
    return PyFloat_FromDouble(self->library->period);
}

static PyObject *get_sensors(LibraryObject *self, void *unused)
{
    (void)unused;
    const uint32_t able = self->library->able;
    PyObject *names = PyList_New(0);
    static const struct {
        uint32_t ability;
        const char *sensor;
    } sensors[] = {{RF_LIBRARY_SENSES, "imu"},
                   {RF_LIBRARY_SENSES, "magnetometer"},
                   {RF_LIBRARY_SENSES, "barometer"},
                   {RF_LIBRARY_SENSES, "airspeed"},
                   {RF_LIBRARY_HAS_GPS, "gps"}};
    for (size_t i = 0; names != NULL && i < sizeof sensors / sizeof *sensors; i++) {
        if (!(able & sensors[i].ability)) continue;
        append_name(&names, sensors[i].sensor);
    }
    return names;
}

static PyObject *get_exports(LibraryObject *self, void *unused)
{
    (void)unused;
    const bool here = self->library == &self->functions.library;
    PyObject *names = PyList_New(0);
    for (int i = 0; names != NULL && i < RF_FUNCTION_COUNT; i++) {
        if (here ? self->functions.of[i] == NULL : !self->isolated.shared->has[i]) continue;
        append_name(&names, rf_function_name(i));
    }
    return names;
}

static PyObject *get_owner(LibraryObject *self, void *unused)
{
    (void)unused;
    return Py_NewRef(self->owner);
}

static PyObject *get_failure(LibraryObject *self, void *unused)
{
    (void)unused;
    static const char *const texts[] = {"", "ended", "late", "forked"};
    return PyUnicode_FromString(texts[self->isolated.failure]);
}

static PyObject *get_error(LibraryObject *self, void *unused)
{
    (void)unused;
    if (self->library == &self->functions.library) return PyUnicode_FromString("");
    const char *text = self->isolated.shared->error;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strnlen(text, RF_SHARED_TEXT), "replace");
}

static PyObject *get_per_step(LibraryObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLong(self->library->per_step);
}

static int set_per_step(LibraryObject *self, PyObject *value, void *unused)
{
    (void)unused;
    const unsigned long steps = value == NULL ? 0 : PyLong_AsUnsignedLong(value);
    if (PyErr_Occurred()) return -1;
    if (steps < 1 || steps > 1000000) {
        PyErr_SetString(PyExc_ValueError, "per_step: expected 1 to 1000000 steps");
        return -1;
    }
    self->library->per_step = (uint32_t)steps;
    return 0;
}

static PyMethodDef methods[] = {
#if !defined(_WIN32)
    {"isolated", library_isolated, METH_VARARGS | METH_CLASS,
     "isolated(memory, to, from, limit_ms, process, owner)\n--\n\nReturn a model in another process, "
     "by the memory that both share, two pipes and its number, which is that of its group."},
#endif
    {"start", (PyCFunction)(void (*)(void))library_start, METH_NOARGS,
     "start()\n--\n\nStart the model anew at start_pos, start_angles and origin; read its outputs. Return "
     "whether "
     "it runs."},
    {"port", (PyCFunction)(void (*)(void))library_port, METH_O,
     "port(name)\n--\n\nReturn a view of the numbers of a port."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"exports", (getter)get_exports, NULL, "Names of the functions that it has.", NULL},
    {"owner", (getter)get_owner, NULL, "What keeps its functions, or its process, alive.", NULL},
    {"failure", (getter)get_failure, NULL, "'' while it runs; of a process 'ended', 'late' or 'forked'.",
     NULL},
    {"error", (getter)get_error, NULL, "Why its process could not load it.", NULL},
    {"period", (getter)get_period, NULL, "Step of the model [s].", NULL},
    {"sensors", (getter)get_sensors, NULL, "Names of the sensors that the model is.", NULL},
    {"per_step", (getter)get_per_step, (setter)set_per_step, "Its steps per integrator step of a batch.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, library_new},
    {Py_tp_dealloc, library_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {Py_tp_doc,
     "Library(addresses, owner)\n--\n\nA model, by {name: address}, and what keeps them in memory."},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "pyrfly._core.Library",
    .basicsize = sizeof(LibraryObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

PyTypeObject *library_type_create(PyObject *module)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}

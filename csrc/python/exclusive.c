/* SPDX-License-Identifier: BSD-3-Clause */
/* Exclusive: a context that one thread at a time can enter; the next one gets an exception instead of waiting.
 *
 * In Python a signal handler can raise between the acquisition of a lock and the `try` that releases it, or at the
 * begin of a Python function that releases it, and the lock stays held for ever. The `with` statement calls the
 * methods of this type without such a gap. */
#include "python/module.h"

typedef struct {
    PyObject_HEAD
    PyObject *message;
    PyObject *within;    /* the other one that is entered with it, or NULL */
    unsigned long owner; /* the thread, 0: none; read and written with the GIL held */
    unsigned long long entries;
} ExclusiveObject;

static ExclusiveObject *within(const ExclusiveObject *self)
{
    return (ExclusiveObject *)self->within;
}

static PyObject *exclusive_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"message", "within", NULL};
    PyObject *message, *other = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "U|O!:Exclusive", keywords, &message, type, &other))
        return NULL;
    ExclusiveObject *self = (ExclusiveObject *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    self->message = Py_NewRef(message);
    self->within = Py_XNewRef(other);
    return (PyObject *)self;
}

static void exclusive_dealloc(ExclusiveObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(self->message);
    Py_XDECREF(self->within);
    type->tp_free((PyObject *)self);
    Py_DECREF(type);
}

static PyObject *exclusive_enter(ExclusiveObject *self, PyObject *unused)
{
    (void)unused;
    if (self->owner != 0 || (self->within != NULL && within(self)->owner != 0)) {
        PyErr_SetObject(PyExc_RuntimeError, self->message);
        return NULL;
    }
    self->owner = PyThread_get_thread_ident();
    self->entries++;
    if (self->within != NULL) within(self)->owner = self->owner;
    Py_RETURN_NONE;
}

static PyObject *exclusive_exit(ExclusiveObject *self, PyObject *unused)
{
    (void)unused;
    self->owner = 0;
    if (self->within != NULL) within(self)->owner = 0;
    Py_RETURN_NONE;
}

static PyObject *exclusive_held(ExclusiveObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(self->owner != 0);
}

static PyObject *exclusive_mine(ExclusiveObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(self->owner == PyThread_get_thread_ident());
}

static PyObject *exclusive_entries(ExclusiveObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLongLong(self->entries);
}

static PyMethodDef exclusive_methods[] = {
    {"__enter__", (PyCFunction)exclusive_enter, METH_NOARGS, NULL},
    {"__exit__", (PyCFunction)exclusive_exit, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef exclusive_attributes[] = {
    {"held", (getter)exclusive_held, NULL, "Whether the context is entered.", NULL},
    {"mine", (getter)exclusive_mine, NULL, "Whether this thread has entered it.", NULL},
    {"entries", (getter)exclusive_entries, NULL, "How often it was entered.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject *exclusive_type_create(PyObject *module)
{
    static PyType_Slot type_slots[] = {
        {Py_tp_doc, "Exclusive(message, within=None)\n--\n\nContext that one thread at a time can enter; a "
                    "RuntimeError with "
                    "the message otherwise. It enters ``within`` with it."},
        {Py_tp_new, (void *)exclusive_new},
        {Py_tp_dealloc, (void *)exclusive_dealloc},
        {Py_tp_methods, exclusive_methods},
        {Py_tp_getset, exclusive_attributes},
        {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "pyrfly._core.Exclusive",
        .basicsize = sizeof(ExclusiveObject),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
        .slots = type_slots,
    };
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}

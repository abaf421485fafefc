/* SPDX-License-Identifier: BSD-3-Clause */
/* pyrfly._core.plugin_columns and add_plugin: the types of a family outside of the tree; compiled with RF_HEADERS. */
#include "python/module.h"

#include <string.h>

#include "batch/plugin.h"
#include "models/wmm.h"

/* The function at an address, a Python integer; false with an exception. */
static bool function_at(PyObject *address, void *function, size_t size)
{
    void *at = PyLong_AsVoidPtr(address);
    if (at == NULL && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "address: expected one, got 0");
    if (at == NULL) return false;
    memcpy(function, &at, size); /* ISO C has no cast from objects to functions */
    return true;
}

/* The first type of a family whose name another one has, or NULL. */
static const char *taken(const rf_plugin_family *family)
{
    for (int i = 0; i < family->count; i++) {
        if (rf_vehicle_type_find(family->types[i].name) >= 0) return family->types[i].name;
    }
    return NULL;
}

static PyObject *added(const rf_plugin_family *family)
{
    PyObject *names = PyTuple_New(family->count);
    for (int i = 0; names != NULL && i < family->count; i++) {
        PyObject *name = PyUnicode_FromString(family->types[i].name);
        if (name == NULL || rf_type_add(&family->types[i], family->kernels[i]) < 0) {
            if (name != NULL) PyErr_Format(PyExc_ValueError, "there are %d types already", RF_ADDED_TYPES);
            Py_XDECREF(name);
            Py_CLEAR(names);
        } else {
            PyTuple_SET_ITEM(names, i, name);
        }
    }
    return names;
}

/* The family of a library by the addresses of its functions, or NULL with an exception. */
static const rf_plugin_family *family_at(PyObject *args)
{
    PyObject *headers, *entry;
    rf_plugin_headers_function headers_of;
    rf_plugin_family_function family_of;
    if (!PyArg_ParseTuple(args, "OO", &headers, &entry)) return NULL;
    if (!function_at(headers, &headers_of, sizeof headers_of)) return NULL;
    if (!function_at(entry, &family_of, sizeof family_of)) return NULL;
    if (strcmp(headers_of(), RF_HEADERS) != 0) {
        PyErr_Format(PyExc_ValueError,
                     "expected the headers that this core was built of, got others: build pyrfly anew");
        return NULL;
    }
    const rf_plugin_core core = {rf_sight_cast, rf_terrain_map_at, rf_wmm_cell};
    return family_of(&core);
}

PyObject *plugin_columns(PyObject *module, PyObject *args)
{
    (void)module;
    const rf_plugin_family *family = family_at(args);
    PyObject *columns = family ? PyDict_New() : NULL;
    for (int i = 0; columns != NULL && i < family->count; i++) {
        const rf_vehicle_type *type = &family->types[i];
        PyObject *rows = column_rows(type->columns, type->column_count);
        if (rows == NULL || PyDict_SetItemString(columns, type->name, rows) < 0) Py_CLEAR(columns);
        Py_XDECREF(rows);
    }
    return columns;
}

PyObject *add_plugin(PyObject *module, PyObject *args)
{
    (void)module;
    const rf_plugin_family *family = family_at(args);
    if (family == NULL) return NULL;
    const char *name = taken(family);
    if (name != NULL) return PyErr_Format(PyExc_ValueError, "type: there is a type %s already", name);
    return added(family);
}

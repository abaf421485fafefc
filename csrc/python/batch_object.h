/* SPDX-License-Identifier: BSD-3-Clause */
/* pyrfly._core.Batch, private to its files: the object, and the methods that batch_type.c lists. */
#ifndef RF_PYTHON_BATCH_OBJECT_H
#define RF_PYTHON_BATCH_OBJECT_H

#include "python/module.h"

typedef struct BatchObject {
    PyObject_HEAD
    rf_batch *batch;
    PyObject *terrain_map; /* the tuple of set_terrain_map, which owns its heights, or NULL */
    PyObject *relief;      /* the Relief of set_relief, or NULL */
    PyObject *scene;       /* the Scene of set_scene, or NULL */
    PyObject *libraries;   /* the tuple of set_libraries, or NULL, and the libraries of its objects */
    rf_library **models;
} BatchObject;

/* Names of choices, in the order of their enums; the last is NULL. */
extern const char *const precision_names[], *const integrator_names[], *const effects_names[];

/* batch_new.c: construction. */
PyObject *batch_new(PyTypeObject *type, PyObject *args, PyObject *kwargs);
PyObject *batch_like(BatchObject *self, PyObject *argument);

/* batch_columns.c: columns as arrays. */
PyObject *batch_view(BatchObject *self, PyObject *name);
PyObject *batch_derivative(BatchObject *self, PyObject *unused);
PyObject *batch_fill(BatchObject *self, PyObject *args);

/* batch_commands.c: parts, navigator, airframes, origin, terrain map. */
PyObject *batch_enable(BatchObject *self, PyObject *name);
PyObject *batch_has(BatchObject *self, PyObject *name);
PyObject *batch_release_navigator(BatchObject *self, PyObject *indices);
PyObject *batch_refresh(BatchObject *self, PyObject *indices);
PyObject *batch_reset_part(BatchObject *self, PyObject *args);
PyObject *batch_restart_offset(BatchObject *self, PyObject *indices);
PyObject *batch_restart_events(BatchObject *self, PyObject *indices);
PyObject *batch_accept(BatchObject *self, PyObject *args);
PyObject *batch_set_airframe(BatchObject *self, PyObject *args);
PyObject *batch_set_origin(BatchObject *self, PyObject *args);
PyObject *batch_set_terrain_map(BatchObject *self, PyObject *map);
PyObject *batch_set_relief(BatchObject *self, PyObject *relief);
PyObject *batch_set_libraries(BatchObject *self, PyObject *libraries);
PyObject *batch_set_scene(BatchObject *self, PyObject *scene);

/* batch_events.c */
PyObject *batch_add_events(BatchObject *self, PyObject *argument);
PyObject *batch_set_events(BatchObject *self, PyObject *argument);
PyObject *batch_events(BatchObject *self, PyObject *unused);
PyObject *batch_event_load(BatchObject *self, PyObject *unused);
PyObject *get_last_event(BatchObject *self, void *unused);

/* snapshots.c */
PyObject *batch_snapshot(BatchObject *self, PyObject *unused);
PyObject *batch_restore(BatchObject *self, PyObject *argument);
PyObject *batch_check_snapshot(BatchObject *self, PyObject *argument);
PyObject *get_layout_version(BatchObject *self, void *unused);

#endif

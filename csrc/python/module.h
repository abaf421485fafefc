/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations shared by the files of the extension: state of the module, types and functions. */
#ifndef RF_PYTHON_MODULE_H
#define RF_PYTHON_MODULE_H

#include "python/numpy_api.h"

#include "batch/batch.h"
#include "batch/pool.h"
#include "batch/simd.h"
#include "models/terrain_map.h"

typedef struct module_state {
    PyTypeObject *batch_type, *scene_type, *relief_type;
    const rf_simd *simd; /* of PYRFLY_SIMD, or the best of the processor */
    int threads;         /* of PYRFLY_THREADS, or the number of processors */
} module_state;

static inline module_state *module_state_of(PyObject *module)
{
    return (module_state *)PyModule_GetState(module);
}

/* The Batch type for this module, or NULL with an exception. */
PyTypeObject *batch_type_create(PyObject *module);

/* The Exclusive type for this module, or NULL with an exception; see exclusive.c. */
PyTypeObject *exclusive_type_create(PyObject *module);

/* The Env type for this module, or NULL with an exception; see env.c. */
PyTypeObject *env_type_create(PyObject *module);

/* The Scene type for this module, or NULL with an exception; see scene.c. */
PyTypeObject *scene_type_create(PyObject *module);

/* The Relief type for this module, or NULL with an exception, the relief of one, likewise, and sight(...); see sight.c. */
PyTypeObject *relief_type_create(PyObject *module);
const rf_relief *relief_of(PyObject *object);
PyObject *sight(PyObject *module, PyObject *args);
/* The scene of a Scene object, or NULL with an exception; see scene.c. */
const rf_scene *scene_of(PyObject *object);

/* The Library type for this module, or NULL with an exception, the library of one, likewise, and library_functions(); see
 * library.c. */
PyTypeObject *library_type_create(PyObject *module);
rf_library *library_of(PyObject *object);
PyObject *library_functions(PyObject *module, PyObject *unused);

/* tasks(): names and descriptions; see env.c. */
PyObject *tasks(PyObject *module, PyObject *unused);

/* The map of a tuple (heights, first, spacing), whose heights belong to the array; false with an exception. */
bool terrain_map_of(PyObject *tuple, rf_terrain_map *map);

/* The batch of a Batch object; see batch_type.c. */
rf_batch *batch_of(PyObject *object);

/* Raises the exception of a status code; returns NULL.  See errors.c. */
PyObject *raise_status(rf_status status);

/* wire_pack(batch, name, first_id, vehicle_type, origin, out, updated=None) and wire_structures(): see wire.c. */
PyObject *wire_pack(PyObject *module, PyObject *args);
PyObject *wire_structures(PyObject *module, PyObject *unused);

/* mavlink_crc(data), mavlink_pack(...), mavlink_collect(...) and mavlink_split(data, known, whole): see mavlink.c. */
PyObject *mavlink_crc(PyObject *module, PyObject *args);
PyObject *mavlink_pack(PyObject *module, PyObject *args);
PyObject *mavlink_collect(PyObject *module, PyObject *args);
PyObject *mavlink_split(PyObject *module, PyObject *args);

/* net_send(...), net_receive(...) and net_refused(sockets, found): see net.c. */
#if !defined(_WIN32)
PyObject *net_send(PyObject *module, PyObject *args);
PyObject *net_receive(PyObject *module, PyObject *args);
PyObject *net_refused(PyObject *module, PyObject *args);
#endif

/* sincos(angles) and arctan2(y, x): see trig.c. */
PyObject *trig_sincos(PyObject *module, PyObject *argument);
PyObject *trig_arctan2(PyObject *module, PyObject *args);

/* render(size, samples, camera, focal, sun, sky, haze, layers): see picture.c. */
PyObject *render(PyObject *module, PyObject *args);

/* terrain_at(map, north, east): see terrain.c. */
PyObject *terrain_at(PyObject *module, PyObject *args);

/* model_table(entry), add_model(name, doc, columns, functions, whole) and set_model_functions(name, functions): see own_model.c. */
PyObject *model_table(PyObject *module, PyObject *entry);
PyObject *add_model(PyObject *module, PyObject *args);
PyObject *set_model_functions(PyObject *module, PyObject *args);
/* plugin_columns(headers, family) and add_plugin(headers, family): see plugin.c. */
PyObject *plugin_columns(PyObject *module, PyObject *args);
PyObject *add_plugin(PyObject *module, PyObject *args);

/* Raises what a function of a model in Python has raised since; false where none has. */
bool raise_of_model(void);

/* add_type(name): see tables.c. */
PyObject *add_type(PyObject *module, PyObject *name);

/* tables(), limits(), event_format(), vehicle_types() and parts(): see tables.c. */
PyObject *tables(PyObject *module, PyObject *unused);
PyObject *limits(PyObject *module, PyObject *unused);
PyObject *event_format(PyObject *module, PyObject *unused);
PyObject *vehicle_types(PyObject *module, PyObject *unused);
PyObject *parts(PyObject *module, PyObject *unused);

/* (name, width, role, unit, frame, doc) of every column of a table, or NULL with an exception. */
PyObject *column_rows(const rf_column *columns, int count);

#define CHUNK_SECONDS 0.025 /* wall time: short for a person, long to wait for the interpreter */

/* Runs a task on the pool (batch/pool.h) without the GIL, with the handlers of signals called between chunks of CHUNK_SECONDS
 * to twice that; false with an exception of a handler, where pieces are left out.  See interruptible.c. */
bool run_interruptibly(rf_pool_piece piece, void *context, size_t count, int threads);

/* step(batches, n), refresh(batches) and snapshot(batches): see batches.c. */
PyObject *batches_step(PyObject *module, PyObject *args);
PyObject *batches_refresh(PyObject *module, PyObject *args);
PyObject *batches_snapshot(PyObject *module, PyObject *args);

/* Snapshots of batches at one tick, as a list of bytes, or NULL with an exception; see snapshots.c. */
PyObject *snapshots_of(rf_batch *const *batches, Py_ssize_t count);

#endif

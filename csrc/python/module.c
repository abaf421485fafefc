/* SPDX-License-Identifier: BSD-3-Clause */
/* The extension module pyrfly._core: batches, and properties of build and processor. */
#define IMPORTS_NUMPY
#include "python/module.h"

#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "batch/pool.h"
#include "math/philox.h"

/* ---- functions ---- */

static PyObject *simd_info(PyObject *module, PyObject *unused)
{
    (void)unused;
    const rf_simd *chosen = module_state_of(module)->simd;
    PyObject *available = PyList_New(0);
    if (available == NULL) return NULL;
    for (const rf_simd *const *set = rf_simd_available(); *set != NULL; set++) {
        PyObject *name = PyUnicode_FromString((*set)->name);
        if (name == NULL || PyList_Append(available, name) < 0) {
            Py_XDECREF(name);
            Py_DECREF(available);
            return NULL;
        }
        Py_DECREF(name);
    }
    return Py_BuildValue("{s:s,s:N,s:i,s:i}", "simd", chosen->name, "available", available, "float64_lanes",
                         chosen->width[0], "float32_lanes", chosen->width[1]);
}

static PyObject *peak_gflops(PyObject *module, PyObject *args)
{
    const char *precision;
    if (!PyArg_ParseTuple(args, "s:peak_gflops", &precision)) return NULL;
    int index = strcmp(precision, "float32") == 0;
    if (!index && strcmp(precision, "float64") != 0) {
        return PyErr_Format(PyExc_ValueError, "precision: expected 'float64' or 'float32', got '%s'",
                            precision);
    }
    double peak;
    const rf_simd *simd = module_state_of(module)->simd;
    Py_BEGIN_ALLOW_THREADS;
    peak = simd->peak_gflops[index]();
    Py_END_ALLOW_THREADS;
    return PyFloat_FromDouble(peak);
}

static PyObject *uniform(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned long long seed, step;
    unsigned stream;
    Py_ssize_t first, count, width;
    if (!PyArg_ParseTuple(args, "KIKnnn:uniform", &seed, &stream, &step, &first, &count, &width)) return NULL;
    if (first < 0 || count < 0 || width < 0) {
        PyErr_SetString(PyExc_ValueError, "uniform: first, count and width must not be negative");
        return NULL;
    }
    npy_intp shape[2] = {count, width};
    PyObject *array = PyArray_SimpleNew(2, shape, NPY_DOUBLE);
    if (array == NULL) return NULL;
    double *values = PyArray_DATA((PyArrayObject *)array);
    for (Py_ssize_t i = 0; i < count; i++) {
        for (Py_ssize_t j = 0; j < width; j++) {
            philox_block words =
                random_words(seed, (uint32_t)(first + i), stream, step * (uint64_t)width + (uint64_t)j);
            values[i * width + j] = uniform_double(words.word[0], words.word[1]);
        }
    }
    return array;
}

static PyMethodDef functions[] = {
    {"simd_info", simd_info, METH_NOARGS,
     "Return the instruction set in use, its lane widths, and the available sets."},
    {"peak_gflops", peak_gflops, METH_VARARGS,
     "peak_gflops(precision)\n--\n\nMeasure the multiply-add throughput of one core with the instruction set "
     "in use."},
    {"vehicle_types", vehicle_types, METH_NOARGS,
     "Return {type: {family, doc, actuators, plain, extended, flies, guided, offboard, constants, "
     "columns}} of all vehicle types; offboard: the bits of inSILInts[1] that its guidance supports; "
     "constants: numbers by name that its sources compute with."},
    {"add_type", add_type, METH_O,
     "add_type(name)\n--\n\nAdd a type of models of one's own to the vehicle types, unless it is there."},
    {"model_table", model_table, METH_O,
     "model_table(entry)\n--\n\nReturn {name, doc, actuators, columns, functions} of a model from the "
     "address of its "
     "pyrfly_model_entry; columns: ((name, unit, frame, doc, role, width, start), ...)."},
    {"add_model", add_model, METH_VARARGS,
     "add_model(name, doc, columns, functions, whole)\n--\n\nAdd the type of a model: columns as those of "
     "model_table, "
     "without start; functions: addresses of derivative, finish, outputs, control and sense, 0: none, and of "
     "their "
     "context; or the same in Python, None: none, and the numbers of rows by role; whole: whether a call has "
     "all "
     "vehicles."},
    {"set_model_functions", set_model_functions, METH_VARARGS,
     "set_model_functions(name, functions)\n--\n\nGive the type of a model other functions."},
    {"plugin_columns", plugin_columns, METH_VARARGS,
     "plugin_columns(headers, entry)\n--\n\nReturn {type: columns} of a family outside of the tree, which is "
     "not "
     "added; as columns of vehicle_types."},
    {"add_plugin", add_plugin, METH_VARARGS,
     "add_plugin(headers, entry)\n--\n\nAdd the types of a family outside of the tree, by the addresses of "
     "the "
     "functions of its library; return their names."},
    {"parts", parts, METH_NOARGS,
     "Return {part: {doc, extends, columns, results}} of all optional parts; results are the names of "
     "columns "
     "that the core alone writes."},
    {"step", batches_step, METH_VARARGS,
     "step(batches, n)\n--\n\nTake n integrator steps with every batch of a tuple, in one run of the thread "
     "pool. Return how many are left: more than 0 where a safety boundary has ended the run."},
    {"refresh", batches_refresh, METH_VARARGS,
     "refresh(batches)\n--\n\nCompute anew what vehicles of a tuple of batches do to each other, without a "
     "step."},
    {"snapshot", batches_snapshot, METH_VARARGS,
     "snapshot(batches)\n--\n\nReturn the snapshots of a tuple of batches, all of one tick, as a list of "
     "bytes."},
    {"tables", tables, METH_NOARGS,
     "Return {table: ((name, value, RflySim's name, meaning), ...)} of bits, modes and indices; finite: "
     "((command bits, offboard bits, first, count, open), ...) of the floats that must be finite; open: "
     "(command, "
     "any, all) bits where x and y of a position may be left open."},
    {"limits", limits, METH_NOARGS, "Return {name: value} of the limits of the core, SI."},
    {"event_format", event_format, METH_NOARGS,
     "Return [(member, NumPy type), ...] of an event and of a row of it; their bytes follow two 64-bit "
     "words, the "
     "numbers of both."},
    {"uniform", uniform, METH_VARARGS,
     "uniform(seed, stream, step, first, count, width)\n--\n\nReturn uniform random numbers in [0, 1), shape "
     "(count, width), that depend on seed, vehicle, stream and step only."},
    {"sincos", trig_sincos, METH_O,
     "sincos(angles)\n--\n\nReturn sine and cosine of angles [rad], with the same bits on every x86-64 "
     "processor."},
    {"tasks", tasks, METH_NOARGS, "tasks()\n--\n\nReturn the description of every task."},
    {"arctan2", trig_arctan2, METH_VARARGS,
     "arctan2(y, x)\n--\n\nReturn the angles [rad] of vectors, with the same bits on every x86-64 "
     "processor."},
    {"sight", sight, METH_VARARGS,
     "sight(scene, relief, levels, vehicles, ignored, origins, directions, each, reach, "
     "threads)\n--\n\nReturn distances [m], "
     "what is met (0 nothing, 1 a shape, 2 the ground, 3 a vehicle) and its number (-1) of so many rays of "
     "each origin; "
     "ray "
     "i has "
     "direction i modulo their number. levels: z of level ground at each origin [m], NaN: none. vehicles: "
     "positions, attitudes, hulls, ids, first shapes of hulls, and their shapes: centre, half sizes, radius. "
     "ignored: the id that rays of each origin do not see."},
    {"render", render, METH_VARARGS,
     "render(size, samples, camera, focal, sun, sky, haze, layers, kept=None)\n--\n\n"
     "Return colours uint8 (height, width, 3), distances ahead float32 [m] (infinite: nothing) and ids "
     "int32 (-1: none) of the pixels of a picture. size: width and height; samples along each side of a "
     "pixel: 1 or 2; camera float64 (4, 3), NED: unit vectors to the right, down and ahead, the eye [m]; "
     "focal: its distance from the picture [pixels]; sun: unit vector to it; sky uint8 (2, 3): zenith, "
     "horizon; haze: where a fourth of a colour is the horizon's [m], 0: none. Layers, in the order of "
     "drawing: meshes (corners float32 (c, 3), triangles int32 (t, 3), colours and opacities uint8 (t, "
     "4), places float64 (n, 12): matrices (3, 4) to NED, ids int32 (n,)), lines (ends float64 (m, 6), "
     "colours and opacities uint8 (m, 4), width [pixels]), water (level z [m], the way through it that "
     "leaves a fourth of a colour [m], colours uint8 (2, 4): of deep water, with the opacity of the "
     "surface seen flat, and of the surface, with that seen at right angles). kept: memory of all "
     "samples, uint32 (k, 3), used picture after picture."},
    {"library_functions", library_functions, METH_NOARGS,
     "library_functions()\n--\n\nReturn the names of the functions of a library that are called."},
    {"terrain_at", terrain_at, METH_VARARGS,
     "terrain_at(map, north, east)\n--\n\nReturn height, its change per metre north and east, shape (n, 3), "
     "of "
     "a map (heights, first, spacing), bilinear; outside of it those of the edge."},
    {"wire_pack", wire_pack, METH_VARARGS,
     "wire_pack(batch, name, first_id, vehicle_type, origin, out, updated=None)\n--\n\nWrite the structure "
     "of that name "
     "for every vehicle of a batch into a buffer."},
    {"wire_structures", wire_structures, METH_NOARGS,
     "wire_structures()\n--\n\nReturn (name, port, fields) of every structure of wire_pack; a field is "
     "(name, "
     "number, count, meaning, constant, columns)."},
    {"mavlink_crc", mavlink_crc, METH_VARARGS,
     "mavlink_crc(data)\n--\n\nReturn the checksum that MAVLink's frames have, CRC-16/MCRF4XX."},
    {"mavlink_pack", mavlink_pack, METH_VARARGS,
     "mavlink_pack(message, system_ids, sequences, component_id, signature, records, rows, frames, "
     "lengths)\n--\n\nWrite a MAVLink frame of each record of a message (id, crc_extra, size); return the "
     "number of bytes."},
    {"mavlink_collect", mavlink_collect, METH_VARARGS,
     "mavlink_collect(frames, starts, lengths, rows, order, limit, out)\n--\n\nCopy frames to datagrams, "
     "out: "
     "(bytes, starts, lengths, rows); return their number."},
    {"mavlink_split", mavlink_split, METH_VARARGS,
     "mavlink_split(data, known, whole)\n--\n\nReturn the frames [(message_id, system_id, component_id, "
     "sequence, known, raw), ...] in received bytes, the position of the unread rest, and the numbers of "
     "skipped bytes and of bad checksums."},
#if !defined(_WIN32)
    {"net_send", net_send, METH_VARARGS,
     "net_send(sockets, first, to, rows, starts, lengths, data)\n--\n\nSend datagrams to all destinations of "
     "their rows; return how many packets of each could not be sent."},
    {"net_receive", net_receive, METH_VARARGS,
     "net_receive(sockets, each, data, indices, lengths, origins)\n--\n\nReceive at most that many datagrams "
     "of each socket into the arrays; return how many there are."},
    {"net_refused", net_refused, METH_VARARGS,
     "net_refused(sockets, found)\n--\n\nWrite to an array which destinations have refused packets of the "
     "sockets; return how many."},
#endif
    {NULL, NULL, 0, NULL},
};

/* ---- initialisation ---- */

static int choose_simd(module_state *state)
{
    const char *value = getenv("PYRFLY_SIMD");
    if (value == NULL || *value == '\0') {
        state->simd = rf_simd_available()[0];
        return 0;
    }
    state->simd = rf_simd_find(value);
    if (state->simd != NULL) return 0;
    PyErr_Format(PyExc_ImportError,
                 "PYRFLY_SIMD: expected an instruction set of this build and processor "
                 "(base, strict, avx2, avx512), got '%s'",
                 value);
    return -1;
}

static int choose_threads(module_state *state)
{
    const char *value = getenv("PYRFLY_THREADS");
    if (value == NULL || *value == '\0') {
        int processors = rf_processors();
        state->threads = processors < RF_MAXIMUM_THREADS ? processors : RF_MAXIMUM_THREADS;
        return 0;
    }
    char *end;
    long threads = strtol(value, &end, 10);
    if (*end != '\0' || threads < 1 || threads > RF_MAXIMUM_THREADS) {
        PyErr_Format(PyExc_ImportError, "PYRFLY_THREADS: expected a number from 1 to %d, got '%s'",
                     RF_MAXIMUM_THREADS, value);
        return -1;
    }
    state->threads = (int)threads;
    return 0;
}

static int make_type(PyObject *module, PyTypeObject *(*create)(PyObject *module))
{
    PyTypeObject *type = create(module);
    int added = type == NULL ? -1 : PyModule_AddType(module, type);
    Py_XDECREF(type);
    return added;
}

/* Adds a type that functions of the module ask for. */
static int keep_type(PyObject *module, PyTypeObject *(*create)(PyObject *module), PyTypeObject **kept)
{
    *kept = create(module);
    return *kept == NULL ? -1 : PyModule_AddType(module, *kept);
}

static int module_exec(PyObject *module)
{
    module_state *state = module_state_of(module);
    if (PyArray_ImportNumPyAPI() < 0) return -1;
    if (choose_simd(state) < 0 || choose_threads(state) < 0) return -1;
    if (keep_type(module, batch_type_create, &state->batch_type) < 0) return -1;
    if (make_type(module, exclusive_type_create) < 0 || make_type(module, env_type_create) < 0 ||
        make_type(module, library_type_create) < 0 ||
        keep_type(module, scene_type_create, &state->scene_type) < 0 ||
        keep_type(module, relief_type_create, &state->relief_type) < 0) {
        return -1;
    }
    if (PyModule_AddIntConstant(module, "threads", state->threads) < 0) return -1;
    return PyModule_AddStringConstant(module, "version", PYRFLY_VERSION);
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    module_state *state = module_state_of(module);
    Py_VISIT(state->batch_type);
    Py_VISIT(state->scene_type);
    Py_VISIT(state->relief_type);
    return 0;
}

static int module_clear(PyObject *module)
{
    module_state *state = module_state_of(module);
    Py_CLEAR(state->batch_type);
    Py_CLEAR(state->scene_type);
    Py_CLEAR(state->relief_type);
    return 0;
}

/* Subinterpreters: NumPy does not load in them (numpy issue 24755).  Free-threaded builds: the module does not
 * declare that it needs no GIL, because that has not been stress-tested. */
static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)module_exec},
#if PY_VERSION_HEX >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,          .m_name = "pyrfly._core", .m_doc = "The C core of pyrfly.",
    .m_size = sizeof(module_state), .m_methods = functions,   .m_slots = slots,
    .m_traverse = module_traverse,  .m_clear = module_clear,
};

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* pyrfly._core.mavlink_...: wire/mavlink.h over the buffers of the caller. */
#include "python/module.h"

#include "wire/mavlink.h"
#include "wire/mavlink_crc.h"

static void release(Py_buffer *buffers, int count)
{
    for (int i = 0; i < count; i++) PyBuffer_Release(&buffers[i]);
}

/* Checks the length of a buffer of `count` items; false with an exception. */
static bool has_items(const char *name, const Py_buffer *buffer, size_t count, size_t item)
{
    if ((size_t)buffer->len == count * item) return true;
    PyErr_Format(PyExc_ValueError, "%s: expected %zu items of %zu bytes, got %zd bytes", name, count, item,
                 buffer->len);
    return false;
}

/* Whether there are indices below `limit` only; false with an exception. */
static bool are_indices(const char *name, const int32_t *indices, size_t count, size_t limit)
{
    for (size_t i = 0; i < count; i++) {
        if (indices[i] >= 0 && (size_t)indices[i] < limit) continue;
        PyErr_Format(PyExc_ValueError, "%s: expected indices from 0 to %zd, got %d", name,
                     (Py_ssize_t)limit - 1, (int)indices[i]);
        return false;
    }
    return true;
}

PyObject *mavlink_crc(PyObject *module, PyObject *args)
{
    (void)module;
    Py_buffer data;
    if (!PyArg_ParseTuple(args, "y*:mavlink_crc", &data)) return NULL;
    uint16_t crc = rf_mavlink_crc(RF_MAVLINK_CRC_START, data.buf, (size_t)data.len);
    PyBuffer_Release(&data);
    return PyLong_FromLong(crc);
}

/* ---- to the link ---- */

enum { IDS, SEQUENCES, RECORDS, ROWS, FRAMES, LENGTHS, PACK_BUFFERS };

static PyObject *pack_buffers(const rf_mavlink_message *message, rf_mavlink_senders *senders,
                              const Py_buffer *buffers)
{
    size_t count = (size_t)buffers[ROWS].len / sizeof(int32_t), sender_count = (size_t)buffers[IDS].len;
    const int32_t *rows = buffers[ROWS].buf;
    if (!has_items("sequences", &buffers[SEQUENCES], sender_count, 1) ||
        !has_items("records", &buffers[RECORDS], count, message->size) ||
        !has_items("frames", &buffers[FRAMES], count, (size_t)message->size + RF_MAVLINK_OVERHEAD) ||
        !has_items("lengths", &buffers[LENGTHS], count, sizeof(int32_t)) ||
        !are_indices("rows", rows, count, sender_count)) {
        return NULL;
    }
    senders->system_ids = buffers[IDS].buf;
    senders->sequences = buffers[SEQUENCES].buf;
    size_t written = rf_mavlink_pack(message, senders, count, buffers[RECORDS].buf, rows, buffers[FRAMES].buf,
                                     buffers[LENGTHS].buf);
    return PyLong_FromSize_t(written);
}

PyObject *mavlink_pack(PyObject *module, PyObject *args)
{
    (void)module;
    rf_mavlink_message message = {0};
    rf_mavlink_senders senders = {0};
    PyObject *signature;
    unsigned long long timestamp = 0;
    Py_buffer buffers[PACK_BUFFERS];
    if (!PyArg_ParseTuple(args, "(Ibb)y*w*bOy*y*w*w*:mavlink_pack", &message.id, &message.crc_extra,
                          &message.size, &buffers[IDS], &buffers[SEQUENCES], &senders.component_id,
                          &signature, &buffers[RECORDS], &buffers[ROWS], &buffers[FRAMES],
                          &buffers[LENGTHS])) {
        return NULL;
    }
    senders.with_signature = signature != Py_None;
    PyObject *result = NULL;
    if (!senders.with_signature || PyArg_ParseTuple(signature, "bK", &senders.link_id, &timestamp)) {
        senders.timestamp = timestamp;
        result = pack_buffers(&message, &senders, buffers);
    }
    release(buffers, PACK_BUFFERS);
    return result;
}

/* Views of the buffers of mavlink_collect. */
enum {
    IN_FRAMES,
    IN_STARTS,
    IN_LENGTHS,
    IN_ROWS,
    IN_ORDER,
    OUT_BYTES,
    OUT_STARTS,
    OUT_LENGTHS,
    OUT_ROWS,
    COLLECT_BUFFERS
};

/* Whether every frame lies in the bytes and every one has its turn; false with an exception. */
static bool are_frames(const rf_mavlink_waiting *waiting, size_t bytes)
{
    size_t total = 0;
    for (size_t i = 0; i < waiting->count; i++) {
        int64_t frame = waiting->order[i];
        bool listed = frame >= 0 && (size_t)frame < waiting->count;
        int64_t start = listed ? waiting->starts[frame] : -1, length = listed ? waiting->lengths[frame] : -1;
        if (start < 0 || length < 0 || (uint64_t)start > bytes || (uint64_t)length > bytes - (size_t)start) {
            PyErr_SetString(PyExc_ValueError, "frames: expected starts and lengths within the bytes");
            return false;
        }
        total += (size_t)length;
    }
    if (total == bytes) return true;
    PyErr_Format(PyExc_ValueError, "frames: expected %zu bytes, got %zu", total, bytes);
    return false;
}

static PyObject *collect_buffers(const Py_buffer *buffers, size_t limit)
{
    rf_mavlink_waiting waiting = {
        .count = (size_t)buffers[IN_ROWS].len / sizeof(int32_t),
        .frames = buffers[IN_FRAMES].buf,
        .starts = buffers[IN_STARTS].buf,
        .lengths = buffers[IN_LENGTHS].buf,
        .rows = buffers[IN_ROWS].buf,
        .order = buffers[IN_ORDER].buf,
    };
    rf_mavlink_datagrams datagrams = {
        .bytes = buffers[OUT_BYTES].buf,
        .starts = buffers[OUT_STARTS].buf,
        .lengths = buffers[OUT_LENGTHS].buf,
        .rows = buffers[OUT_ROWS].buf,
    };
    if (!has_items("starts", &buffers[IN_STARTS], waiting.count, sizeof(int64_t)) ||
        !has_items("lengths", &buffers[IN_LENGTHS], waiting.count, sizeof(int32_t)) ||
        !has_items("order", &buffers[IN_ORDER], waiting.count, sizeof(int64_t)) ||
        !has_items("out", &buffers[OUT_BYTES], (size_t)buffers[IN_FRAMES].len, 1) ||
        !has_items("out", &buffers[OUT_STARTS], waiting.count, sizeof(int64_t)) ||
        !has_items("out", &buffers[OUT_LENGTHS], waiting.count, sizeof(int32_t)) ||
        !has_items("out", &buffers[OUT_ROWS], waiting.count, sizeof(int32_t)) ||
        !are_frames(&waiting, (size_t)buffers[IN_FRAMES].len)) {
        return NULL;
    }
    return PyLong_FromSize_t(rf_mavlink_collect(&waiting, limit, &datagrams));
}

PyObject *mavlink_collect(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned int limit;
    Py_buffer buffers[COLLECT_BUFFERS];
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*I(w*w*w*w*):mavlink_collect", &buffers[IN_FRAMES],
                          &buffers[IN_STARTS], &buffers[IN_LENGTHS], &buffers[IN_ROWS], &buffers[IN_ORDER],
                          &limit, &buffers[OUT_BYTES], &buffers[OUT_STARTS], &buffers[OUT_LENGTHS],
                          &buffers[OUT_ROWS])) {
        return NULL;
    }
    PyObject *result = collect_buffers(buffers, limit);
    release(buffers, COLLECT_BUFFERS);
    return result;
}

/* ---- from the link ---- */

/* Appends a frame to a list; false with an exception. */
static bool append_frame(PyObject *list, const rf_mavlink_frame *frame)
{
    PyObject *row = Py_BuildValue("(IBBBOy#)", (unsigned int)frame->message_id, frame->system_id,
                                  frame->component_id, frame->sequence, frame->known ? Py_True : Py_False,
                                  (const char *)frame->bytes, (Py_ssize_t)frame->length);
    int added = row != NULL ? PyList_Append(list, row) : -1;
    Py_XDECREF(row);
    return added == 0;
}

PyObject *mavlink_split(PyObject *module, PyObject *args)
{
    (void)module;
    Py_buffer buffers[2];
    int whole;
    if (!PyArg_ParseTuple(args, "y*y*p:mavlink_split", &buffers[0], &buffers[1], &whole)) return NULL;
    rf_mavlink_reader reader = {
        .bytes = buffers[0].buf,
        .count = (size_t)buffers[0].len,
        .whole = whole,
        .known = buffers[1].buf,
        .known_count = (size_t)buffers[1].len / sizeof(rf_mavlink_message),
    };
    rf_mavlink_frame frame;
    PyObject *list = PyList_New(0);
    bool fine = list != NULL;
    while (fine && rf_mavlink_next(&reader, &frame)) fine = append_frame(list, &frame);
    release(buffers, 2);
    if (!fine) {
        Py_XDECREF(list);
        return NULL;
    }
    return Py_BuildValue("(Nnnn)", list, (Py_ssize_t)reader.position, (Py_ssize_t)reader.skipped,
                         (Py_ssize_t)reader.bad_checksums);
}

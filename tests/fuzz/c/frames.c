/* SPDX-License-Identifier: BSD-3-Clause */
/* MAVLink frames in received bytes: as a datagram, as a stream, and as a stream that comes in two pieces. */
#include "wire/mavlink.h"

#include <stdlib.h>

#include "fuzz.h"

enum { LONGEST = 1200, SHORTEST_FRAME = 8, FRAMES = LONGEST / SHORTEST_FRAME, SAMPLES = 64, SAMPLE = 300 };
enum { HEADER_1 = 6, MARKER_1 = 0xFE, MARKER_2 = 0xFD };

/* Some of MAVLink's, and the ends of the range. */
static const rf_mavlink_message known[] = {
    {.id = 0, .crc_extra = 50, .size = 9},     {.id = 30, .crc_extra = 39, .size = 28},
    {.id = 76, .crc_extra = 152, .size = 33},  {.id = 84, .crc_extra = 143, .size = 53},
    {.id = 110, .crc_extra = 84, .size = 254}, {.id = 255, .crc_extra = 1, .size = 1},
    {.id = 331, .crc_extra = 91, .size = 233}, {.id = 0xFFFFFF, .crc_extra = 255, .size = 255},
};
enum { KNOWN = sizeof known / sizeof known[0] };

static uint8_t *samples; /* [SAMPLES][SAMPLE] */
static size_t lengths[SAMPLES];
static uint8_t *input, *whole, *piece; /* of LONGEST bytes */

/* What was found in some bytes. */
typedef struct findings {
    size_t count, position, skipped, bad_checksums;
    struct {
        size_t at, length;
        bool known;
    } frames[FRAMES];
} findings;

static uint16_t crc_of_byte[256];

/* x^16 + x^12 + x^5 + 1, reflected, bit by bit [@mavlink-guide serialization]. */
static void make_crcs(void)
{
    for (uint16_t byte = 0; byte < 256; byte++) {
        uint16_t crc = byte;
        for (int bit = 0; bit < 8; bit++) crc = (uint16_t)(crc & 1 ? crc >> 1 ^ 0x8408 : crc >> 1);
        crc_of_byte[byte] = crc;
    }
}

static uint16_t crc_of(uint16_t crc, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) crc = (uint16_t)(crc >> 8 ^ crc_of_byte[(crc ^ bytes[i]) & 0xFF]);
    return crc;
}

static uint32_t id_of(const uint8_t *frame)
{
    if (frame[0] == MARKER_1) return frame[5];
    return frame[7] | (uint32_t)frame[8] << 8 | (uint32_t)frame[9] << 16;
}

static const rf_mavlink_message *message_of(const uint8_t *frame)
{
    for (size_t i = 0; i < KNOWN; i++) {
        if (known[i].id == id_of(frame)) return &known[i];
    }
    return NULL;
}

/* Where the checksum of a frame is. */
static size_t payload_end(const uint8_t *frame)
{
    return (frame[0] == MARKER_1 ? HEADER_1 : RF_MAVLINK_HEADER) + (size_t)frame[1];
}

static size_t length_of(const uint8_t *frame)
{
    bool is_signed = frame[0] == MARKER_2 && frame[2] & 1;
    return payload_end(frame) + RF_MAVLINK_CHECKSUM + (is_signed ? RF_MAVLINK_SIGNATURE : 0);
}

static uint16_t right_checksum(const uint8_t *frame, uint8_t crc_extra)
{
    uint16_t crc = crc_of(0xFFFF, frame + 1, payload_end(frame) - 1);
    return crc_of(crc, &crc_extra, 1);
}

/* ---- inputs ---- */

/* Gives the frames at the beginning the checksums that are right. */
static void repair(fuzz_bytes *data)
{
    for (size_t at = 0; at + RF_MAVLINK_HEADER <= data->length;) {
        uint8_t *frame = data->bytes + at;
        if (frame[0] != MARKER_1 && frame[0] != MARKER_2) return;
        const rf_mavlink_message *message = message_of(frame);
        size_t end = payload_end(frame);
        if (at + end + RF_MAVLINK_CHECKSUM > data->length || message == NULL) return;
        uint16_t crc = right_checksum(frame, message->crc_extra);
        frame[end] = (uint8_t)crc;
        frame[end + 1] = (uint8_t)(crc >> 8);
        at += length_of(frame);
    }
}

/* Writes a frame of a message; returns its length. */
static size_t make_frame(fuzz_random *random, uint8_t *frame)
{
    rf_mavlink_message message = known[fuzz_below(random, KNOWN)];
    bool first = message.id <= 255 && fuzz_one_in(random, 4), unknown = fuzz_one_in(random, 8);
    size_t header = first ? HEADER_1 : RF_MAVLINK_HEADER, size = fuzz_one_in(random, 2) ? message.size : 1;
    uint32_t id = message.id + unknown;
    memset(frame, 0, SAMPLE);
    frame[0] = first ? MARKER_1 : MARKER_2;
    frame[1] = (uint8_t)size;
    frame[2] = !first && fuzz_one_in(random, 4);
    memcpy(frame + (first ? 5 : 7), &id, first ? 1 : 3);
    for (size_t i = 0; i < size; i++) frame[header + i] = (uint8_t)fuzz_below(random, 4);
    return length_of(frame);
}

static void make_input(fuzz_random *random, fuzz_bytes *data)
{
    for (size_t left = 1 + fuzz_below(random, 3); left > 0; left--) {
        size_t sample = fuzz_below(random, SAMPLES);
        memcpy(data->bytes + data->length, samples + sample * SAMPLE, lengths[sample]);
        data->length += lengths[sample];
    }
    fuzz_change(random, data, RF_MAVLINK_HEADER);
    if (!fuzz_one_in(random, 3)) repair(data);
}

static void open_frames(void)
{
    fuzz_random random = {1};
    make_crcs();
    samples = malloc((size_t)SAMPLES * SAMPLE);
    input = malloc(LONGEST), whole = malloc(LONGEST), piece = malloc(LONGEST);
    if (samples == NULL || input == NULL || whole == NULL || piece == NULL) abort();
    for (size_t i = 0; i < SAMPLES; i++) lengths[i] = make_frame(&random, samples + i * SAMPLE);
}

static void close_frames(void)
{
    free(samples);
    free(input);
    free(whole);
    free(piece);
}

/* ---- what has to hold ---- */

/* Adds what is found in bytes, the first of which is number `at` of all. */
static void find(findings *found, const uint8_t *bytes, size_t count, size_t at, bool is_whole)
{
    rf_mavlink_reader reader = {
        .bytes = bytes, .count = count, .whole = is_whole, .known = known, .known_count = KNOWN};
    rf_mavlink_frame frame;
    while (rf_mavlink_next(&reader, &frame)) {
        FUZZ_ENSURE(found->count < FRAMES);
        found->frames[found->count].at = at + (size_t)(frame.bytes - bytes);
        found->frames[found->count].length = frame.length;
        found->frames[found->count++].known = frame.known;
        FUZZ_ENSURE(frame.message_id == id_of(frame.bytes));
    }
    found->position = at + reader.position;
    found->skipped += reader.skipped;
    found->bad_checksums += reader.bad_checksums;
}

/* Frames lie one after another, and have the lengths and checksums that their bytes say. */
static void check(const findings *found, const uint8_t *bytes, size_t count)
{
    size_t end = 0, framed = 0;
    for (size_t i = 0; i < found->count; i++) {
        size_t at = found->frames[i].at, length = found->frames[i].length;
        const uint8_t *frame = bytes + at;
        FUZZ_ENSURE(at >= end && at + length <= count && length == length_of(frame));
        const rf_mavlink_message *message = message_of(frame);
        FUZZ_ENSURE(found->frames[i].known == (message != NULL));
        size_t sum = payload_end(frame);
        FUZZ_ENSURE(message == NULL ||
                    (frame[sum] | frame[sum + 1] << 8) == right_checksum(frame, message->crc_extra));
        end = at + length;
        framed += length;
    }
    FUZZ_ENSURE(found->position <= count && found->position == framed + found->skipped);
}

static void feed_frames(fuzz_random *random)
{
    static findings datagram, stream, pieces;
    fuzz_bytes data = {input, 0, LONGEST};
    make_input(random, &data);
    const uint8_t *bytes = fuzz_place(data.bytes, data.length, whole, LONGEST);
    datagram.count = datagram.skipped = datagram.bad_checksums = 0;
    find(&datagram, bytes, data.length, 0, true);
    check(&datagram, bytes, data.length);
    FUZZ_ENSURE(datagram.position == data.length);
    stream.count = stream.skipped = stream.bad_checksums = 0;
    find(&stream, bytes, data.length, 0, false);
    check(&stream, bytes, data.length);
    /* in two pieces: what is left of the first comes before the second */
    size_t cut = fuzz_below(random, data.length + 1);
    pieces.count = pieces.skipped = pieces.bad_checksums = 0;
    find(&pieces, fuzz_place(bytes, cut, piece, LONGEST), cut, 0, false);
    find(&pieces, bytes + pieces.position, data.length - pieces.position, pieces.position, false);
    FUZZ_ENSURE(pieces.count == stream.count && pieces.position == stream.position &&
                pieces.skipped == stream.skipped);
    for (size_t i = 0; i < stream.count; i++) FUZZ_ENSURE(pieces.frames[i].at == stream.frames[i].at);
}

const fuzz_target fuzz_frames = {"frames", open_frames, feed_frames, close_frames};

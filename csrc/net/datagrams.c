/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "net/datagrams.h"

#if !defined(_WIN32)
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

#include "batch/pool.h"

#define BATCH 64 /* packets of a call of the system: 7 KiB of the stack */
#define PIECE 64 /* datagrams that a thread sends at once: some 0.2 ms */
#define TRIES 3  /* of a call that ends with a passing error */

/* A packet of a call: its header, the bytes it stands for, its address. */
#if defined(__linux__)
#define RF_HAS_MMSG 1
typedef struct mmsghdr header;
#else
typedef struct header {
    struct msghdr msg_hdr;
    unsigned msg_len;
} header;
#endif

/* Packets of one socket. */
typedef struct batch {
    size_t count;
    header headers[BATCH];
    struct iovec bytes[BATCH];
    struct sockaddr_in addresses[BATCH];
    size_t datagrams[BATCH]; /* number of the datagram of each */
} batch;

static struct sockaddr_in socket_address(rf_net_address address)
{
    struct sockaddr_in to = {.sin_family = AF_INET};
    to.sin_addr.s_addr = htonl((uint32_t)(address >> 16));
    to.sin_port = htons((uint16_t)(address & 0xffff));
    return to;
}

static rf_net_address address_of(const struct sockaddr_in *from)
{
    return (rf_net_address)ntohl(from->sin_addr.s_addr) << 16 | ntohs(from->sin_port);
}

/* Points the header of packet i at its bytes and its address. */
static void set_packet(batch *b, size_t i, void *bytes, size_t length)
{
    b->bytes[i] = (struct iovec){.iov_base = bytes, .iov_len = length};
    b->headers[i] = (header){.msg_hdr = {.msg_name = &b->addresses[i],
                                         .msg_namelen = sizeof b->addresses[i],
                                         .msg_iov = &b->bytes[i],
                                         .msg_iovlen = 1}};
}

/* Whether an error is about nothing that was asked for: a signal, or a refusal of an earlier packet, which is
 * forgotten by being told. */
static bool is_passing(int error)
{
    return error == EINTR || error == ECONNREFUSED;
}

/* ---- sending ---- */

/* Sends the first of some packets, at least; returns how many were sent, or -1. */
static int send_some(int socket, header *headers, size_t count)
{
#if defined(RF_HAS_MMSG)
    if (count > 1) return sendmmsg(socket, headers, (unsigned)count, MSG_DONTWAIT);
#endif
    (void)count;
    return sendmsg(socket, &headers->msg_hdr, MSG_DONTWAIT) < 0 ? -1 : 1;
}

/* Sends the packets of a batch by a socket and empties it. */
static void send_batch(batch *b, int socket, int64_t *failures)
{
    int tries = 0;
    for (size_t done = 0; done < b->count;) {
        int sent = send_some(socket, b->headers + done, b->count - done);
        if (sent > 0) {
            done += (size_t)sent;
            tries = 0;
        } else if (!is_passing(errno) || ++tries == TRIES) {
            failures[b->datagrams[done++]]++;
            tries = 0;
        }
    }
    b->count = 0;
}

/* What the threads send together. */
typedef struct sending {
    const rf_net_routes *routes;
    const rf_net_datagrams *datagrams;
    int64_t *failures;
} sending;

/* Sends the datagrams from `begin` up to `end`. */
static void send_range(const sending *s, size_t begin, size_t end)
{
    const rf_net_routes *routes = s->routes;
    const rf_net_datagrams *datagrams = s->datagrams;
    batch b;
    b.count = 0;
    for (size_t i = begin; i < end; i++) {
        int64_t row = datagrams->rows[i];
        int socket = routes->sockets[row];
        char *bytes = (char *)(uintptr_t)datagrams->data + datagrams->starts[i];
        for (int64_t j = routes->first[row]; j < routes->first[row + 1]; j++) {
            b.addresses[b.count] = socket_address(routes->to[j]);
            b.datagrams[b.count] = i;
            set_packet(&b, b.count++, bytes, (size_t)datagrams->lengths[i]);
            if (b.count == BATCH) send_batch(&b, socket, s->failures);
        }
        bool is_last = i + 1 == end || routes->sockets[datagrams->rows[i + 1]] != socket;
        if (is_last) send_batch(&b, socket, s->failures);
    }
}

/* The first datagram of a piece: the datagrams of a row stay together, so that they keep their order. */
static size_t piece_begin(const rf_net_datagrams *datagrams, size_t piece)
{
    size_t i = piece * PIECE;
    while (i > 0 && i < datagrams->count && datagrams->rows[i] == datagrams->rows[i - 1]) i++;
    return i < datagrams->count ? i : datagrams->count;
}

static void send_piece(void *context, size_t piece)
{
    const sending *s = context;
    send_range(s, piece_begin(s->datagrams, piece), piece_begin(s->datagrams, piece + 1));
}

void rf_net_send(const rf_net_routes *routes, const rf_net_datagrams *datagrams, int threads,
                 int64_t *failures)
{
    sending s = {routes, datagrams, failures};
    memset(failures, 0, datagrams->count * sizeof *failures);
    rf_pool_run(send_piece, &s, (datagrams->count + PIECE - 1) / PIECE, threads);
}

/* ---- receiving ---- */

/* Receives what is there of at most `count` packets; returns how many, or -1 if there are none. */
static int receive_some(int socket, header *headers, size_t count)
{
#if defined(RF_HAS_MMSG)
    if (count > 1) return recvmmsg(socket, headers, (unsigned)count, MSG_DONTWAIT, NULL);
#endif
    for (size_t i = 0; i < count; i++) {
        ssize_t length = recvmsg(socket, &headers[i].msg_hdr, MSG_DONTWAIT);
        if (length < 0) return i ? (int)i : -1;
        headers[i].msg_len = (unsigned)length;
    }
    return (int)count;
}

/* Receives at most `count` packets of a socket into slots; returns how many. */
static size_t receive_batch(batch *b, int socket, unsigned char *slots, size_t slot, size_t count)
{
    for (size_t i = 0; i < count; i++) set_packet(b, i, slots + i * slot, slot);
    for (int tries = 0; tries < TRIES; tries++) {
        int received = receive_some(socket, b->headers, count);
        if (received >= 0) return (size_t)received;
        if (!is_passing(errno)) break;
    }
    return 0;
}

/* Receives at most `maximum` packets of socket number `index` from the slot `begin` on; returns how many. */
static size_t receive_of(int socket, int64_t index, size_t maximum, const rf_net_inbox *inbox, size_t begin)
{
    batch b;
    for (size_t done = 0; done < maximum;) {
        size_t place = begin + done, count = maximum - done < BATCH ? maximum - done : BATCH;
        size_t received = receive_batch(&b, socket, inbox->data + place * inbox->slot, inbox->slot, count);
        for (size_t i = 0; i < received; i++) {
            inbox->sockets[place + i] = index;
            inbox->lengths[place + i] = (int64_t)b.headers[i].msg_len;
            inbox->origins[place + i] = address_of(&b.addresses[i]);
        }
        done += received;
        if (received < count) return done; /* no more are there */
    }
    return maximum;
}

size_t rf_net_receive(const int32_t *sockets, size_t count, size_t each, const rf_net_inbox *inbox)
{
    size_t received = 0;
    for (size_t i = 0; i < count; i++) {
        received += receive_of(sockets[i], (int64_t)i, each, inbox, received);
    }
    return received;
}

/* ---- refusals ---- */

size_t rf_net_refused(const int32_t *sockets, size_t count, rf_net_address *found, size_t capacity)
{
    size_t refused = 0;
#if defined(__linux__)
    for (size_t i = 0; i < count; i++) {
        while (refused < capacity) {
            struct sockaddr_in to; /* of the packet; the bytes of its beginning do not matter, nor why */
            struct msghdr told = {.msg_name = &to, .msg_namelen = sizeof to};
            if (recvmsg(sockets[i], &told, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) break;
            if (told.msg_namelen == sizeof to) found[refused++] = address_of(&to);
        }
    }
#else
    (void)sockets, (void)count, (void)found, (void)capacity;
#endif
    return refused;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* UDP datagrams of many sockets, sent and received in one call: IPv4, POSIX.
 *
 * What it costs is the work of the system per packet, a few microseconds; a batch saves the calls of the interpreter,
 * and on Linux (sendmmsg, recvmmsg) a part of the calls of the system.  A call of those is of one socket, and vehicles
 * have their own: clients of MAVLink answer to the port that a packet came from.
 *
 * Nothing here waits, also not with a socket that blocks, and nothing is allocated. */
#ifndef RF_NET_DATAGRAMS_H
#define RF_NET_DATAGRAMS_H

#if !defined(_WIN32)
#include <stddef.h>
#include <stdint.h>

/* An address: that of IPv4 * 65536 + port.  127.0.0.1:20100 is 0x7f0000014e84. */
typedef int64_t rf_net_address;

/* Sockets and their destinations: row r sends by sockets[r] to each of to[first[r]] to to[first[r + 1] - 1].
 * Several rows may have the same socket. */
typedef struct rf_net_routes {
    const int32_t *sockets;   /* file descriptors */
    const int64_t *first;     /* one more than there are rows; does not decrease */
    const rf_net_address *to; /* destinations */
} rf_net_routes;

/* Datagrams to send: number i is of the row rows[i], lengths[i] bytes at data + starts[i]. */
typedef struct rf_net_datagrams {
    size_t count;
    const int64_t *rows;
    const int64_t *starts;
    const int64_t *lengths;
    const void *data;
} rf_net_datagrams;

/* Sends datagrams, each to all destinations of its row; successive ones of a socket go together.
 *
 * Successive datagrams of a row are sent in their order; those of different rows by up to `threads` threads at the same
 * time (batch/pool.h), as the work of the system for a packet is that of the thread that sends it.  failures[i] becomes
 * the number of packets of datagram i that the system did not take; the others are sent. */
void rf_net_send(const rf_net_routes *routes, const rf_net_datagrams *datagrams, int threads,
                 int64_t *failures);

/* Room for received datagrams, in slots of the same size, and what they are. */
typedef struct rf_net_inbox {
    size_t slot;             /* bytes of a slot; a longer datagram is cut */
    unsigned char *data;     /* the slots */
    int64_t *sockets;        /* index of the socket */
    int64_t *lengths;        /* bytes, at most those of a slot */
    rf_net_address *origins; /* of the sender */
} rf_net_inbox;

/* Receives at most `each` datagrams of every socket, those of one socket in their order.
 *
 * The inbox has `each` slots per socket.  Returns how many there are; they are in the first slots. */
size_t rf_net_receive(const int32_t *sockets, size_t count, size_t each, const rf_net_inbox *inbox);

/* Returns how many destinations have refused packets of some sockets, nobody listening there, and which: at most
 * `capacity`, the others with the next call.  Linux only, of sockets with the option IP_RECVERR; else none. */
size_t rf_net_refused(const int32_t *sockets, size_t count, rf_net_address *found, size_t capacity);

#endif
#endif

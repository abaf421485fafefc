/* SPDX-License-Identifier: BSD-3-Clause */
/* What faults do to links: those who send over one read it.  Delays add up, and of packets that one fault leaves
 * another takes its share. */
#ifndef RF_PARTS_FAULTS_EFFECTS_OF_LINKS_H
#define RF_PARTS_FAULTS_EFFECTS_OF_LINKS_H

#include "parts/faults/effect.h"

static void fault_free_links(const block *b, mask due)
{
    fault_set_rows(b, due, FAULTS_COLUMN(b, link_delay), WIDTH_per_faulty_link, 0);
    fault_set_rows(b, due, FAULTS_COLUMN(b, packet_loss), WIDTH_per_faulty_link, 0);
    fault_set_word(due, FAULTS_WORD(b, links_lost), 0);
}

static void fault_of_links(const block *b, const fault *f, mask where, int link)
{
    if (link >= FAULTY_LINK_COUNT) return;
    real *loss = FAULTS_ROW(b, packet_loss, link);
    switch (f->kind) {
    case FAULT_LINK_LOSS:
        fault_mark(FAULTS_WORD(b, links_lost), where, (lane_int)1 << link);
        break;
    case FAULT_LINK_DELAY:
        fault_add(FAULTS_ROW(b, link_delay, link), where, f->share * f->value[0]);
        break;
    case FAULT_PACKET_LOSS:
        fault_add(loss, where, (1 - lane_load(loss)) * f->share * f->value[0]);
        break;
    default:
        break;
    }
}

#endif

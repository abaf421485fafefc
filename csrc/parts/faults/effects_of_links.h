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

static void fault_of_links(const faulty *v, const fault *f, int link)
{
    if (link >= FAULTY_LINK_COUNT) return;
    real *loss = FAULTY_ROW(v, packet_loss, link);
    switch (f->kind) {
    case FAULT_LINK_LOSS:
        *FAULTY_WORD(v, links_lost, 0) |= 1u << link;
        break;
    case FAULT_LINK_DELAY:
        *FAULTY_ROW(v, link_delay, link) += f->share * f->value[0];
        break;
    case FAULT_PACKET_LOSS:
        *loss += (1 - *loss) * f->share * f->value[0];
        break;
    default:
        break;
    }
}

#endif

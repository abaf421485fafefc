/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "world/pace.h"

#include "base/platform.h"

#define SECONDS 0.02
#define WORK    20000

bool pace_is_over(pace *p, size_t work)
{
    p->work += work;
    if (p->work < WORK) return false;
    p->work = 0;
    const double now = rf_seconds();
    if (p->since == 0) p->since = now;
    if (now - p->since < SECONDS) return false;
    p->since = 0;
    return true;
}

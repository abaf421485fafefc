/* SPDX-License-Identifier: BSD-3-Clause */
/* Array types of the columns, see columns.h. */
#include "models/tyre.h"

typedef lane quintet[5];
typedef lane sextet[6];
typedef lane ten[10];

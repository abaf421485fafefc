/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the earth.  Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_EARTH_COLUMNS_H
#define RF_PARTS_EARTH_COLUMNS_H

/* clang-format off */

#define EARTH_PART(X)
#define EARTH_PART_WORD(X) X(word, earth_shape, "1", "", "0: flat, gravity as without the part; 1: rotating ellipsoid; 2: sphere at rest")

/* clang-format on */

#define EARTH_INITIAL(SETTING, VALUE, STATE) SETTING(earth_shape, 0)

#endif

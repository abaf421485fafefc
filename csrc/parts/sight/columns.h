/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of what sensors see.  Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_SIGHT_COLUMNS_H
#define RF_PARTS_SIGHT_COLUMNS_H

#define SIGHT_PART(X)

#define SIGHT_PART_WORD(X)                                                                                   \
    X(word, range_sees, "bool", "", "whether the range finder sees the scene and the slopes of the ground")

#define SIGHT_INITIAL(SETTING, VALUE, STATE) SETTING(range_sees, 0)

#endif

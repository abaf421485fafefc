/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of late samples.  Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_LATE_SAMPLES_COLUMNS_H
#define RF_PARTS_LATE_SAMPLES_COLUMNS_H

#define LATE_SAMPLES 128 /* of each sensor, a power of two: what is remembered */

#define WIDTH_late_sensors 10
#define WIDTH_late_values  4480 /* LATE_SAMPLES x LATE_VALUES */

/* clang-format off */

#define LATE_SAMPLES_PART(X)                                                                                 \
    X(late_values, past_samples, "SI", "", "values of the last 128 samples of each sensor, a ring")

#define LATE_SAMPLES_PART_WORD(X)                                                                            \
    X(late_sensors, samples_past, "1", "", "how many samples of each sensor were remembered since the reset")

/* clang-format on */

#define LATE_SAMPLES_INITIAL(SETTING, VALUE, STATE)

#endif

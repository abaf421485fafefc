/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the parameters of RflySim's FaultParamAPI [@rfly-framework 1.3].  The core does not use them.
 * Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_MODEL_PARAMS_COLUMNS_H
#define RF_PARTS_MODEL_PARAMS_COLUMNS_H

#define WIDTH_numbered_param 32

/* clang-format off */

#define MODEL_PARAMS_PART(X)                                                                                 \
    X(numbered_param, fault_in_params, "SI", "", "parameters of faults and disturbances, RflySim's FaultInParams") \
    X(numbered_param, init_in_params, "SI", "", "parameters that the next reset sets, RflySim's InitInParams")

#define MODEL_PARAMS_PART_WORD(X)                                                                            \
    X(word, fault_in_given, "bits", "", "which of `fault_in_params` were given, the first by bit 0")         \
    X(word, init_in_pending, "bits", "", "which of `init_in_params` the next reset sets, the first by bit 0")

/* clang-format on */

#define MODEL_PARAMS_INITIAL(SETTING, VALUE, STATE)                                                          \
    SETTING(fault_in_params, 0)                                                                              \
    SETTING(init_in_params, 0)                                                                               \
    SETTING(fault_in_given, 0)                                                                               \
    SETTING(init_in_pending, 0)

#endif

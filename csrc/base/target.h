/* SPDX-License-Identifier: BSD-3-Clause */
/* TARGET_BEGIN("avx2,fma") ... TARGET_END: code in between is compiled for those instructions, independent of the
 * command line.  Standard headers must be included before it. */
#ifndef RF_BASE_TARGET_H
#define RF_BASE_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define RF_PRAGMA(text) _Pragma(#text)

#if defined(__clang__)
#define TARGET_BEGIN(set) RF_PRAGMA(clang attribute push(__attribute__((target(set))), apply_to = function))
#define TARGET_END        _Pragma("clang attribute pop")
#else
#define TARGET_BEGIN(set) _Pragma("GCC push_options") RF_PRAGMA(GCC target(set))
#define TARGET_END        _Pragma("GCC pop_options")
#endif

#endif

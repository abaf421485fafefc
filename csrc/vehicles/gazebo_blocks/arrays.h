/* SPDX-License-Identifier: BSD-3-Clause */
/* Array types of the columns, see columns.h. */
typedef lane channels[BLOCKS_CHANNELS];
typedef lane octet_pair[2 * BLOCKS_EIGHT];
typedef lane octet_vec3[3 * BLOCKS_EIGHT];
typedef lane octet_effects[6 * BLOCKS_EIGHT];
typedef lane octet_mixer[4 * BLOCKS_EIGHT];
typedef lane dozen[BLOCKS_SEGMENTS];
typedef lane dozen_vec3[3 * BLOCKS_SEGMENTS];
typedef lane quintet[5];
typedef lane sextet[6];
typedef lane septet[7];

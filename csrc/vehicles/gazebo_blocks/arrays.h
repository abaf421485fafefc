/* SPDX-License-Identifier: BSD-3-Clause */
/* Array types of the columns, see columns.h. */
typedef lane channels[BLOCKS_CHANNELS];
typedef lane of_motors[MOST_MOTORS];
typedef lane of_motors_pair[2 * MOST_MOTORS];
typedef lane of_motors_vec3[3 * MOST_MOTORS];
typedef lane of_motors_mixer[4 * MOST_MOTORS];
typedef lane of_joints[MOST_JOINTS];
typedef lane of_joints_pair[2 * MOST_JOINTS];
typedef lane of_joints_vec3[3 * MOST_JOINTS];
typedef lane of_joints_six[6 * MOST_JOINTS];
typedef lane of_surfaces[MOST_SURFACES];
typedef lane of_surfaces_vec3[3 * MOST_SURFACES];
typedef lane dozen[BLOCKS_SEGMENTS];
typedef lane dozen_vec3[3 * BLOCKS_SEGMENTS];
typedef lane quintet[5];
typedef lane sextet[6];
typedef lane septet[7];

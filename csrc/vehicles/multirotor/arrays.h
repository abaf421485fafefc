/* SPDX-License-Identifier: BSD-3-Clause */
/* Array types of the columns, see columns.h, and names of the structs of a type.  A template, included before these. */
#define per_rotor      TYPED(per_rotor)
#define per_rotor_vec3 TYPED(per_rotor_vec3)
#define per_rotor_pair TYPED(per_rotor_pair)
#define mixer_rows     TYPED(mixer_rows)

typedef lane per_rotor[ACTUATORS];
typedef lane per_rotor_vec3[3 * ACTUATORS];
typedef lane per_rotor_pair[2 * ACTUATORS];
typedef lane mixer_rows[4 * ACTUATORS];

#define multirotor_state TYPED(state)
#define multirotor_input TYPED(input)
#define multirotor_param TYPED(param)

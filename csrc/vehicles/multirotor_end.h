/* SPDX-License-Identifier: BSD-3-Clause */
/* Undefines what vehicles/multirotor.h and its including file defined, for the next type. */
#undef TYPED
#undef ROTORS
#undef BAKED_QUAD_X
#undef MULTIROTOR_ROTOR
#undef MULTIROTOR_PARAM
#undef MEMBER
#undef per_rotor
#undef per_rotor_vec3
#undef per_rotor_pair
#undef mixer_rows
#undef multirotor_state
#undef multirotor_input
#undef multirotor_param
#undef multirotor_plant
#undef multirotor_output
#undef multirotor_gain
#undef multirotor_setpoint
#undef multirotor_controller

/* SPDX-License-Identifier: BSD-3-Clause */
/* A model of one's own for pyrfly: a library with one function, `pyrfly_model_entry`, which tells its columns and the
 * functions that compute with them.  C11, C++17, and any language that makes such structs; nothing of pyrfly is linked.
 *
 * A vehicle is a row of columns.  Each column has a role, and pyrfly gives every vehicle those that are listed in the
 * enumerations below, before those of the model.  The functions work on a block of vehicles: `state[row][i]` is a value of
 * vehicle i, so a loop over i is one that a compiler turns into vector instructions.
 *
 * SI; NED for pos, vel, wind, terrain; FRD for rate, forces and moments; att is a quaternion, scalar first, from FRD to NED. */
#ifndef PYRFLY_MODEL_H
#define PYRFLY_MODEL_H

#include <stddef.h>
#include <stdint.h>

#define PYRFLY_MODEL_ABI 1

/* What a column is. */
enum pyrfly_role {
    PYRFLY_STATE,      /* integrated by a step */
    PYRFLY_INPUT,      /* read by a step */
    PYRFLY_PARAM,      /* constant during a step */
    PYRFLY_GAIN,       /* parameter of the controller */
    PYRFLY_SETPOINT,   /* tracked by the controller */
    PYRFLY_CONTROLLER, /* state of the controller */
    PYRFLY_SENSOR,     /* what a sensor measures, and its state */
    PYRFLY_OUTPUT,     /* computed from the others when read */
    PYRFLY_SHARED /* no column of the model: the start value of one that all vehicles have, found by its name */
};

/* Rows that all vehicles have, by role; those of the model follow in the order of its table. */
enum pyrfly_state_row {
    PYRFLY_POS = 0,  /* position of the centre of mass [m] */
    PYRFLY_VEL = 3,  /* ground velocity [m/s] */
    PYRFLY_ATT = 6,  /* attitude */
    PYRFLY_RATE = 10 /* angular velocity [rad/s] */
};
enum pyrfly_input_row {
    PYRFLY_COMMAND = 0,     /* 16 actuator commands, -1 to 1, after faults */
    PYRFLY_WIND = 16,       /* wind velocity, gusts included [m/s] */
    PYRFLY_TERRAIN = 19,    /* z of the ground below [m] */
    PYRFLY_AIR_DENSITY = 20 /* [kg/m^3] */
};
enum pyrfly_param_row {
    PYRFLY_MASS = 0,    /* [kg] */
    PYRFLY_GRAVITY = 1, /* gravitational acceleration [m/s^2] */
    PYRFLY_INERTIA = 2  /* xx yy zz xy xz yz about the centre of mass [kg m^2] */
};
enum pyrfly_gain_row {
    PYRFLY_SPEED_LIMIT = 0,   /* horizontal [m/s] */
    PYRFLY_DESCENT_LIMIT = 1, /* [m/s] */
    PYRFLY_CLIMB_LIMIT = 2,   /* [m/s] */
    PYRFLY_ACCEL_LIMIT = 3,   /* horizontal [m/s^2] */
    PYRFLY_TILT_LIMIT = 4,    /* [rad] */
    PYRFLY_RATE_LIMIT = 5     /* roll and pitch, yaw [rad/s] */
};
enum pyrfly_setpoint_row {
    PYRFLY_POS_SP = 0,      /* position [m] */
    PYRFLY_VEL_SP = 3,      /* velocity [m/s] */
    PYRFLY_ACC_SP = 6,      /* acceleration [m/s^2] */
    PYRFLY_ATT_SP = 9,      /* attitude */
    PYRFLY_RATE_SP = 13,    /* angular velocity [rad/s] */
    PYRFLY_THRUST_SP = 16,  /* normalized collective thrust, 0 to 1 */
    PYRFLY_YAW_SP = 17,     /* heading [rad] */
    PYRFLY_YAW_RATE_SP = 18 /* heading rate [rad/s] */
};
enum pyrfly_output_row {
    PYRFLY_DISPLAYED = 0 /* eight values of the 3D packets: rotor speeds [1/min], surface angles [rad] */
};

/* The first row of the model's own columns of a role. */
enum {
    PYRFLY_OWN_STATE = 13,
    PYRFLY_OWN_INPUT = 21,
    PYRFLY_OWN_PARAM = 8,
    PYRFLY_OWN_GAIN = 7,
    PYRFLY_OWN_SETPOINT = 19,
    PYRFLY_OWN_CONTROLLER = 0,
    PYRFLY_OWN_SENSOR = 0,
    PYRFLY_OWN_OUTPUT = 8
};

/* Bits of `setpoint_mask`: which set-points are active.  A vehicle tracks the first of angular velocity, attitude, and
 * position, velocity and acceleration that is set; without any of them it comes to rest. */
enum pyrfly_setpoint_bit {
    PYRFLY_POSITION = 1 << 0, /* with VELOCITY this is added as feed-forward */
    PYRFLY_VELOCITY = 1 << 1,
    PYRFLY_ACCELERATION = 1 << 2,
    PYRFLY_YAW = 1 << 3, /* with neither yaw bit the last heading is held */
    PYRFLY_YAW_RATE = 1 << 4,
    PYRFLY_ATTITUDE = 1 << 8, /* without THRUST the velocity loop sets the collective thrust */
    PYRFLY_BODY_RATE = 1 << 9,
    PYRFLY_THRUST = 1 << 11,
    PYRFLY_HEADING_FRAME =
        1 << 12 /* velocity and acceleration are along the heading, to its right, and down */
};

/* A column of the model. */
typedef struct pyrfly_column {
    const char *name;    /* a word of a-z, 0-9 and _ */
    const char *unit;    /* SI; "1" for none */
    const char *frame;   /* "NED", "FRD", "FRD to NED" or "" */
    const char *doc;     /* a noun phrase */
    const double *start; /* [width]: the value of a new vehicle, or NULL: zeros */
    int32_t role;        /* an enum pyrfly_role */
    int32_t width;       /* values per vehicle */
} pyrfly_column;

/* Vehicles that a function computes for, `count` of them.  A function reads and writes the members that its line below
 * names, the others are NULL; it must depend on nothing else, since blocks are computed by several threads, in any order. */
typedef struct pyrfly_block {
    uint32_t size; /* sizeof(pyrfly_block) of pyrfly, which may be a later one with more members at the end */
    uint32_t count; /* of vehicles */
    double time;    /* s, of this integrator step; of the stages within one as well */
    double period;  /* s, an integrator step; of `control` and `sense` that between two runs */
    const double *const *state;
    const double *const *input;
    const double *const *param;
    const double *const *gain;
    const double *const *setpoint;
    const uint32_t *setpoint_mask; /* bits of enum pyrfly_setpoint_bit */
    const uint32_t *armed;         /* 1: the motors may run */
    double *const *controller;
    double *const *sensor;
    double *const *derivative;
    double *const *output;
    double *const *command;
    double *const *next;
    const double *const *specific_force; /* 3 rows: of the centre of mass, in FRD [m/s^2] */
    /* A row for each one of `sensor`: independent normal numbers of mean 0 and variance 1, from the seed of the vehicle. */
    const double *const *noise;
    void *context; /* that of the model */
} pyrfly_block;

typedef void (*pyrfly_function)(const pyrfly_block *block);

typedef struct pyrfly_model {
    uint32_t abi;          /* PYRFLY_MODEL_ABI */
    uint32_t size;         /* sizeof(pyrfly_model) */
    uint32_t column_size;  /* sizeof(pyrfly_column) */
    uint32_t block_size;   /* sizeof(pyrfly_block) */
    uint32_t column_count; /* rows of `columns` */
    uint32_t actuators;    /* commands that it uses, 1 to 16 */
    const char *name;      /* a word, as those of columns */
    const char *doc;       /* a noun phrase */
    const pyrfly_column *columns;
    /* state, input, param -> derivative, all rows of the state.  Required. */
    pyrfly_function derivative;
    /* The same -> next, the state after an integrator step, which it may change: limits, impacts, discrete states.  pyrfly
     * normalizes the attitude before.  Or NULL. */
    pyrfly_function finish;
    /* state, input, param -> output.  Or NULL. */
    pyrfly_function outputs;
    /* state (the estimate, where a vehicle flies on it), input, param, gain, setpoint, setpoint_mask, armed, sensor, controller
     * -> controller, command (16 rows).  While this is not NULL, vehicles take commands of position, velocity and so on. */
    pyrfly_function control;
    /* state (the true one), input, param, derivative (of all that acts on the vehicle), specific_force, noise, sensor (the last
     * values) -> sensor, at the rate of the sensors, before the controllers.  Or NULL. */
    pyrfly_function sense;
    void *context; /* what its functions get, or NULL */
} pyrfly_model;

#if defined(_WIN32)
#define PYRFLY_EXPORTED __declspec(dllexport)
#else
#define PYRFLY_EXPORTED __attribute__((visibility("default")))
#endif

/* The one function of the library.  `abi` is that of pyrfly; a model may return another table for an older one, or NULL for
 * one that it does not know.  The table and what it points to stay as they are while the library is loaded. */
#if defined(__cplusplus)
extern "C"
#endif
    PYRFLY_EXPORTED const pyrfly_model *
    pyrfly_model_entry(uint32_t abi);

#endif

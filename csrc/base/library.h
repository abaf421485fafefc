/* SPDX-License-Identifier: BSD-3-Clause */
/* A model in a library: the ports of RflySim's functions [@rfly-framework 1.1], and what steps it.
 *
 * The ports are plain numbers, so that they may be memory that two processes share. */
#ifndef RF_BASE_LIBRARY_H
#define RF_BASE_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

enum {
    RF_MODEL_COMMANDS = 16,
    RF_MODEL_TERRAIN = 15,
    RF_MODEL_COLLISION = 20,
    RF_MODEL_SENSOR = 30,
    RF_MODEL_GPS = 30,
    RF_MODEL_MOTION = 60
};

/* Places in the numbers of the motion, `VehileInfo60d`. */
enum {
    RF_MOTION_TYPE = 1,
    RF_MOTION_TIME = 2,
    RF_MOTION_VEL = 3,
    RF_MOTION_POS = 6,
    RF_MOTION_EULER = 9,
    RF_MOTION_ATT = 12,
    RF_MOTION_DISPLAYED = 16,
    RF_MOTION_ACCEL = 24,
    RF_MOTION_RATE = 27
};

typedef struct rf_library_ports {
    /* inputs */
    double commands[RF_MODEL_COMMANDS];   /* inPWMs */
    double terrain[RF_MODEL_TERRAIN];     /* TerrainIn15d; the first: z of the ground [m, NED] */
    double collision[RF_MODEL_COLLISION]; /* inFloatsCollision */
    double extended[140];                 /* inCtrlExt1 to 5 */
    double scene[32];                     /* inFromUE */
    double autopilot[32];                 /* inCopterData */
    double sil_floats[20];                /* inSILFloats */
    int32_t sil_ints[8];                  /* inSILInts */
    double sil_doubles[28];               /* both as they came, where it was as doubles */
    double fault_params[32], init_params[32], dynamic_params[64];
    uint64_t dynamic_mask;
    uint32_t fault_mask, init_mask; /* of these, which are new; the model's process clears them */
    double start_pos[3], start_angles[3];
    double origin[3]; /* latitude, longitude [deg], height [m] of the local frame */
    /* outputs */
    double motion[RF_MODEL_MOTION]; /* VehileInfo60d */
    double sensor[RF_MODEL_SENSOR]; /* HILSensor30d */
    double gps[RF_MODEL_GPS];       /* HILGPS30d */
    double gps_pos[3];              /* its position [m, NED] */
    uint32_t gps_is_new;            /* whether they have changed since this was last cleared */
    double free_outputs[32];        /* outCopterData */
    double display_outputs[16];     /* ExtToUE4 */
    double autopilot_outputs[16];   /* ExtToPX4 */
} rf_library_ports;

/* What a model can do with its ports, the bits of `rf_library.able`. */
enum rf_library_ability {
    RF_LIBRARY_SENSES = 1,
    RF_LIBRARY_HAS_GPS = 2,
    RF_LIBRARY_ANSWERS = 4 /* to hits */
};

/* A model of one vehicle. */
typedef struct rf_library rf_library;
struct rf_library {
    rf_library_ports *ports;
    double period;          /* s, a step of its own */
    uint32_t per_step;      /* its steps per integrator step of the batch */
    uint32_t able;          /* bits of rf_library_ability */
    double ground, terrain; /* m, NED: z of the ground below, and of which `terrain` it follows */
    double ground_yaw;      /* rad, by which it has turned */
    /* Of collisions (world/reports.h) */
    double told[RF_MODEL_COLLISION]; /* what they tell it, inFloatsCollision; all 0: nothing */
    double answer[3];                /* m/s, NED: the velocity that it will have after the last hit */
    uint32_t hit_at;                 /* tick of that */
    bool answers;                    /* it is on its way to that velocity */
    /* Start anew at the position, angles and origin of the ports, and read the outputs, as CopterSim does: after one step.
     * Returns 0, or another number where the model failed; so does `finish`. */
    int (*start)(rf_library *library);
    /* Gives the inputs and begins to take so many steps, which may go on in another process; `finish` waits for their end
     * and has the outputs read. */
    void (*begin)(rf_library *library, uint32_t steps);
    int (*finish)(rf_library *library);
};

#endif

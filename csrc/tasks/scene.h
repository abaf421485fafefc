/* SPDX-License-Identifier: BSD-3-Clause */
/* What all environments of a task share. */
#ifndef RF_TASKS_SCENE_H
#define RF_TASKS_SCENE_H

/* A gate: a vertical disc that is passed along its heading. */
typedef struct rf_gate {
    double pos[3]; /* m, NED */
    double yaw;    /* rad */
} rf_gate;

typedef struct task_scene {
    double period; /* s, a step */
    int agents;    /* vehicles of an environment, neighbours in the batch */
    const rf_gate *gates;
    int gate_count;
} task_scene;

#endif

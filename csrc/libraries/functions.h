/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of a library with RflySim's model interface, called in this process.
 *
 * Their names and arguments are those that CopterSim calls [@rfly-framework 1.1] [@rfly-sdk].  Of an
 * older and a newer function for one port the newer one is called.  Not published are the arguments of the three
 * functions for parameters, of DllInCopterData, DllInFromUE, DllGetExtToPX4, DllGetExtToUE4 and DllGetInitInputs: here they
 * are a mask and the numbers of their packets, and arrays of the lengths of the ports. */
#ifndef RF_LIBRARIES_FUNCTIONS_H
#define RF_LIBRARIES_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/library.h"

typedef void (*rf_library_function)(void);

/* X(name) of each function that is called. */
/* clang-format off */
#define RF_LIBRARY_FUNCTIONS(X)                                                                              \
    X(DllCreatModel) X(DllDestroyModel) X(DllReInitModel) X(Dllstep) X(DllGetStep0)                          \
    X(DllInputPWMs) X(DllInputTerrain) X(DllTerrainIn15d) X(DllInputSILs) X(DllinSIL28d) X(DllInputDoubCtrls) \
    X(DllInCtrlExt) X(DllInputColls) X(DllinCollision20d) X(DllInFromUE) X(DllInCopterData)                  \
    X(DllInitPosAngState) X(DllInitGpsPos) X(DllGetInitInputs)                                               \
    X(DllFaultParamAPI) X(DllInitParamAPI) X(DllDynModiParams)                                               \
    X(DlloutputSensors) X(DlloutputGPS) X(DlloutModel3DInfo)                                                 \
    X(DlloutHILSensor30d) X(DlloutHILGPS30d) X(DlloutVehileInfo60d)                                          \
    X(DllOutCopterData) X(DllGetExtToPX4) X(DllGetExtToUE4)
/* clang-format on */

#define RF_LIBRARY_NUMBER(name) RF_FUNCTION_##name,
enum { RF_LIBRARY_FUNCTIONS(RF_LIBRARY_NUMBER) RF_FUNCTION_COUNT };

typedef struct rf_functions {
    rf_library library;                        /* first: a library of this kind is passed as one */
    rf_library_function of[RF_FUNCTION_COUNT]; /* NULL: not in the library */
    rf_library_ports ports;
} rf_functions;

/* Fills all members but the addresses, and creates the model; its ports are `ports`, or its own where that is NULL. */
void rf_functions_open(rf_functions *functions, rf_library_ports *ports);
void rf_functions_close(rf_functions *functions);

/* A new start at the position, angles and origin of the ports; then steps of the model: its inputs, a step, its outputs. */
void rf_functions_restart(rf_functions *functions);
void rf_functions_give(rf_functions *functions);
void rf_functions_step(rf_functions *functions);
void rf_functions_read(rf_functions *functions);

/* Name of a function, by its number. */
const char *rf_function_name(int number);

#endif

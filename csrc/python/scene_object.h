/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RF_PYTHON_SCENE_OBJECT_H
#define RF_PYTHON_SCENE_OBJECT_H

#include "python/numpy_api.h"
#include "scene/scene.h"

typedef struct {
    PyObject_HEAD
    rf_scene *scene;
} SceneObject;

#endif

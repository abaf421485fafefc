/* SPDX-License-Identifier: BSD-3-Clause */
/* Python.h and NumPy's C-API, set up once for all files of the extension.  module.c defines IMPORTS_NUMPY. */
#ifndef RF_PYTHON_NUMPY_API_H
#define RF_PYTHON_NUMPY_API_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API  NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION     NPY_1_22_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL pyrfly_array_api
#if !defined(IMPORTS_NUMPY)
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

#endif

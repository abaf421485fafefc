/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of math/trig.h for scalars, outside of kernels: unlike libm they give the same bits on every x86-64
 * processor.  Angles in rad. */
#ifndef RF_MATH_SCALAR_H
#define RF_MATH_SCALAR_H

void rf_sincos(double angle, double *sine, double *cosine);

/* Angle of (x, y), -pi to pi. */
double rf_atan2(double y, double x);

#endif

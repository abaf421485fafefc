/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of plate segments [@px4 08ad3f29 aero.hpp] that Python needs as well, for level flight. */
#ifndef RF_MODELS_PLATE_NUMBERS_H
#define RF_MODELS_PLATE_NUMBERS_H

#define PLATE_DRAG   0.04  /* without lift */
#define PLATE_MOMENT 0.17  /* of the attached flow, over K_V */
#define PLATE_WHOLE  0.999 /* share of the chord from which a flap turns the plate */

/* D = K_P t (a d^2 - b |d| + c) d */
#define PLATE_FLAP_A 0.0535
#define PLATE_FLAP_B 0.2688
#define PLATE_FLAP_C 0.5817

#endif

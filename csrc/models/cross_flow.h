/* SPDX-License-Identifier: BSD-3-Clause */
/* Drag across a slender hull by strips [@fossen 8.3], which also damps its turning:
 *
 *     F = -c integral of |v + x w| (v + x w) dx,    M = -c integral of x |v + x w| (v + x w) dx      over -L/2..L/2
 *
 * with the speed v and the turning speed w of strips, of which x is ahead, and c = rho T C_d / 2 per length, C_d by the
 * curve of Hoerner.  Six points of Gauss and Legendre: exact for a pure v, 0.2 % short of L^4 c / 32 for a pure w.
 *
 * N, m, m/s.  Leaves out: strips of different size. */
#ifndef RF_MODELS_CROSS_FLOW_H
#define RF_MODELS_CROSS_FLOW_H

#include "math/vec.h"

typedef struct cross_flow {
    lane force, moment;
} cross_flow;

LANE_INLINE cross_flow cross_flow_drag(lane coef, lane length, lane speed, lane turning)
{
    static const real node[3] = {(real)0.23861918608319690863, (real)0.66120938646626451366,
                                 (real)0.93246951420315202781};
    static const real weight[3] = {(real)0.46791393457269104739, (real)0.36076157304813860757,
                                   (real)0.17132449237917034504};
    const lane half = (real)0.5 * length;
    lane force = lane_of(0), moment = lane_of(0);
    for (int i = 0; i < 3; i++) {
        lane x = half * node[i], before = speed + x * turning, behind = speed - x * turning;
        lane ahead = lane_abs(before) * before, astern = lane_abs(behind) * behind;
        force += weight[i] * (ahead + astern);
        moment += weight[i] * (x * (ahead - astern));
    }
    lane by = -(coef * half);
    return (cross_flow){by * force, by * moment};
}

#endif

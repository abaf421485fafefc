"""Marine craft against other programs, and against tests of a model ship."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ...comparison import Comparison, comparing
from .truth import LENGTH, OF_SHIPMMG, SPEED, TIMES, TRUTHS


@comparing(*TRUTHS)
def test_marine_craft_move_as_published(comparison: Comparison) -> None:
    comparison.check()


BASIC = {
    "L_pp": LENGTH,
    "B": 1.27,
    "d": 0.46,
    "x_G": 0.0,
    "D_p": 0.216,
    "m": 3270.0,
    "I_zG": 10014.4,
    "A_R": 0.0539,
    "η": 0.216 / 0.345,
    "m_x": 247.94,
    "m_y": 2513.21,
    "J_z": 6074.53,
    "f_α": 2.747,  # noqa: RUF001
    "ε": 1.09,
    "t_R": 0.387,
    "x_R": -0.5 * LENGTH,
    "a_H": 0.312,
    "x_H": -0.464 * LENGTH,
    "γ_R_minus": 0.395,  # noqa: RUF001
    "γ_R_plus": 0.640,  # noqa: RUF001
    "l_R": -0.710,
    "κ": 0.50,
    "t_P": 0.220,
    "w_P0": 0.0,
    "x_P": -0.48,
}
NAMES = """k_0 k_1 k_2 R_0 X_vv X_vr X_rr X_vvvv Y_v Y_r Y_vvv Y_vvr Y_vrr Y_rrr N_v N_r N_vvv N_vvr
N_vrr N_rrr""".split()
NUMBERS = [
    *(0.2931, -0.2753, -0.1385, 0.0159, -0.040, 0.002, 0.011, 0.771),
    *(-0.315, 0.083, -1.607, 0.379, -0.391, 0.008),
    *(-0.137, -0.049, -0.030, -0.294, 0.055, -0.013),
]


@pytest.mark.parametrize("share", OF_SHIPMMG)
def test_shipmmg_turns_so(share: float) -> None:
    program = pytest.importorskip("shipmmg.mmg_3dof")
    derivatives = {
        name if name.startswith("k") else f"{name}_dash": value
        for name, value in zip(NAMES, NUMBERS, strict=True)
    }
    times = np.linspace(0.0, TIMES[-1], 41)
    solution = program.simulate_mmg_3dof(
        program.Mmg3DofBasicParams(**BASIC),
        program.Mmg3DofManeuveringParams(**derivatives),
        times,
        np.full(41, share * math.radians(35.0)),
        np.full(41, 65.4878 / (2.0 * math.pi)),
        u0=SPEED,
        ρ=1000.0,
        rtol=1e-10,
        atol=1e-10,
    )
    np.testing.assert_allclose(solution.sol(TIMES)[:5].T, OF_SHIPMMG[share], atol=2e-6)

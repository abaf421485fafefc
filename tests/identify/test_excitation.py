"""Flights that tell parameters."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.errors import ParameterError
from pyrfly.identify.excitation import fly_surfaces, multisines


def test_multisines_have_nothing_in_common() -> None:
    signals = multisines(10, 4)
    assert signals.shape == (2500, 4)
    common = signals.T @ signals / len(signals)
    assert np.abs(common - np.diag(np.diag(common))).max() < 1e-12
    assert np.abs(signals).max() == 1.0
    with pytest.raises(ValueError, match=r"duration: expected at least .* for 40 signals"):
        multisines(2, 40)


def test_vehicles_that_no_surfaces_steer_are_refused() -> None:
    sim = Sim("x450")
    sim.sensors.enable_all("px4")
    sim.estimator.enable()
    with pytest.raises(ParameterError, match=r"that surfaces steer, got x450 \(multirotor\)"):
        fly_surfaces(sim)

"""Coefficients of planes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pyrfly import Sim, load
from pyrfly.identify import identify
from pyrfly.identify.excitation import fly_surfaces, multisines
from pyrfly.identify.plane import PLANE
from pyrfly.log import Log

from .changes import changed

MOMENTS = tuple(
    one.name
    for one in PLANE.parameters(load("aerosonde"), frozenset())
    if one.name.startswith(("roll_coef", "yaw_coef"))
)
LARGE = tuple(name for name in MOMENTS if name not in ("roll_coef_rudder", "yaw_coef_aileron"))


def cruise(seconds: float) -> Log:
    sim = Sim("aerosonde")
    sim.sensors.enable_all("px4")
    sim.estimator.enable()
    sim.reset(pos=[0, 0, -300], seed=1)
    sim.arm()
    sim.command_position([5000, 0, -300])
    sim.sleep(25)
    log = fly_surfaces(sim, seconds, more=("vel", "att"))
    assert sim.controllers
    return log


def test_multisines_have_nothing_in_common() -> None:
    signals = multisines(10, 4)
    assert signals.shape == (2500, 4)
    common = signals.T @ signals / len(signals)
    assert np.abs(common - np.diag(np.diag(common))).max() < 1e-12
    assert np.abs(signals).max() == 1.0
    with pytest.raises(ValueError, match=r"duration: expected at least .* for 40 signals"):
        multisines(2, 40)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "left_out"), [("equation", ("vel_est", "att_est")), ("output", ("vel", "att"))]
)
def test_coefficients_that_are_far_off_are_found(
    method: str, left_out: tuple[str, ...], tmp_path: Path
) -> None:
    """By output error on the estimator's state; its errors bias equation error."""
    log = cruise(7)
    for name in left_out:
        del log.columns[name], log.fields[name]
    start = changed(tmp_path / "start.toml", "aerosonde", {"roll_coef": 0.7, "yaw_coef": 1.2})
    found = identify(log, start, method=method, free=MOMENTS)
    table = PLANE.parameters(load("aerosonde"), frozenset())
    for parameter in (one for one in table if one.name in LARGE):
        assert found[parameter.name].value == pytest.approx(parameter.start, rel=0.2)
    found.save(tmp_path / "mine.toml")
    sim = Sim(tmp_path / "mine.toml")
    sim.reset(pos=[0, 0, -100])
    sim.arm()
    sim.command_position([2000, 0, -100])
    sim.sleep(20)
    assert abs(sim.pos[0, 2] + 100) < 5

"""Coefficients of planes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyrfly import Sim, load
from pyrfly.identify import identify
from pyrfly.identify.excitation import fly_surfaces
from pyrfly.log import Log
from pyrfly.vehicles.plane.identifying import recipe

from ...identify.changes import changed

MOMENTS = tuple(
    one.name
    for one in recipe().parameters(load("aerosonde"), frozenset())
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
    table = recipe().parameters(load("aerosonde"), frozenset())
    for parameter in (one for one in table if one.name in LARGE):
        assert found[parameter.name].value == pytest.approx(parameter.start, rel=0.2)
    found.save(tmp_path / "mine.toml")
    sim = Sim(tmp_path / "mine.toml")
    sim.reset(pos=[0, 0, -100])
    sim.arm()
    sim.command_position([2000, 0, -100])
    sim.sleep(20)
    assert abs(sim.pos[0, 2] + 100) < 5

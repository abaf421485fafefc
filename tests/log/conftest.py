"""A log to work with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyrfly import Sim
from pyrfly.log import Log, Recorder


@pytest.fixture(name="flown")
def flown_fixture() -> Callable[..., Log]:
    """Return a function that returns a log of two vehicles that fall."""

    def flown(
        columns: Any = ("pos", "throttle", "armed"),
        seconds: float = 0.1,
        every: int = 20,
        ids: Any = None,
    ) -> Log:
        sim = Sim("x450", 2)
        sim.reset(pos=[[0, 0, -50], [1, 2, -60]])
        recorder = Recorder(sim, columns, every, ids)
        sim.run(seconds, record=recorder)
        return recorder.log()

    return flown

"""A module of flights, which other processes can import, too."""

import sys
from pathlib import Path

import pytest

MODULE = '''
"""What the vehicles of a test do; each call is a line of `calls`."""

import os
import signal
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def fall(sim):
    """Fall for 0.1 s in turbulence."""
    with (HERE / "calls").open("a") as file:
        file.write(f"{sim.n}\\n")
    if (HERE / "kill").exists() and len((HERE / "calls").read_text().split()) == 3:
        (HERE / "kill").unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    sim.reset(pos=(0, 0, -50))
    sim.step(100)
    return {"depth": sim.pos[:, 2] + 50, "drift": np.hypot(sim.vel[:, 0], sim.vel[:, 1])}


def gusty(sim):
    sim.environment.set_turbulence("severe")


class Controller:
    """Goes to the goal, more or less."""

    def __init__(self):
        self.begun = []

    def reset(self, n):
        self.begun.append(n)

    def __call__(self, observations):
        actions = np.zeros((len(observations), 4), dtype=np.float32)
        actions[:, :3] = -0.3 * observations[:, :3] - 0.1 * observations[:, 12:15]
        return actions


control = Controller()
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the module ``flights``, which can be imported in this test."""
    (tmp_path / "flights.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "flights", raising=False)
    return tmp_path

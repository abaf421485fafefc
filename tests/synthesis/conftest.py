"""Vehicles with a navigator, in each of its modes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import pyrfly
from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import BASE, Command, Inputs, Mode, Offboard

VEHICLE = "sdk"
HEIGHT = 10.0

Make = Callable[..., pyrfly.Sim]


def command(sim: pyrfly.Sim, bits: int, offboard: int = 0, **floats: tuple[float, ...]) -> None:
    """Write both ports: ``floats`` by the name of their slice, such as ``POS=(1, 2, 3)``."""
    inputs = synthesis.inputs(sim.n)
    inputs.ints[:, 0] = bits
    inputs.ints[:, 1] = offboard
    for name, values in floats.items():
        inputs.floats[:, getattr(synthesis, name)] = values
    sim.command_sil(*inputs)


def mode(sim: pyrfly.Sim) -> Mode:
    return Mode(int(sim.navigator_mode[0]))


def settle(sim: pyrfly.Sim, until: Mode, longest: float = 30.0) -> None:
    """Step until the navigator is in a mode."""
    while mode(sim) is not until:
        assert sim.time < longest, mode(sim)
        sim.step(100)


def _hovering(sim: pyrfly.Sim) -> None:
    command(sim, BASE | Command.ARMED | Command.TAKEOFF)
    settle(sim, Mode.POSITION)
    sim.sleep(4)


def _standby(sim: pyrfly.Sim) -> None:
    command(sim, BASE)
    sim.sleep(0.1)


def _idling(sim: pyrfly.Sim) -> None:
    command(sim, BASE | Command.ARMED)
    sim.sleep(0.5)


def _waiting(sim: pyrfly.Sim) -> None:
    sim.command_sil(*synthesis.take_off(0.0, 0.0, 0.0, armed=False))


def _climbing(sim: pyrfly.Sim) -> None:
    command(sim, BASE | Command.ARMED | Command.TAKEOFF)
    sim.sleep(3)


def _obeying(sim: pyrfly.Sim) -> None:
    _hovering(sim)
    command(sim, BASE | Command.ARMED, Offboard.VELOCITY, VEL=(2.0, 0.0, 0.0))
    sim.sleep(2)


def _returning(sim: pyrfly.Sim) -> None:
    _obeying(sim)
    command(sim, BASE | Command.ARMED | Command.RETURN)
    sim.sleep(0.1)


def _approaching(sim: pyrfly.Sim) -> None:
    _hovering(sim)
    sim.command_sil(*synthesis.land(20.0, 0.0))
    sim.sleep(0.5)


def _sinking(sim: pyrfly.Sim) -> None:
    _hovering(sim)
    command(sim, BASE | Command.ARMED | Command.LAND)
    sim.sleep(2)


def _direct(sim: pyrfly.Sim) -> None:
    sim.arm()
    sim.command_position((0.0, 0.0, -HEIGHT))
    sim.sleep(8)


STATES: dict[str, Callable[[pyrfly.Sim], None]] = {
    "direct": _direct,
    "standby": _standby,
    "idling": _idling,
    "waiting": _waiting,
    "climbing": _climbing,
    "hovering": _hovering,
    "obeying": _obeying,
    "returning": _returning,
    "approaching": _approaching,
    "sinking": _sinking,
}


def new_sim(vehicle: str = VEHICLE, n: int = 1, **options: object) -> pyrfly.Sim:
    sim = pyrfly.Sim(vehicle, n, threads=1, **options)
    sim.enable_synthesis()
    return sim


@pytest.fixture(scope="session")
def _snapshots() -> dict[str, bytes]:
    return {}


@pytest.fixture
def in_state(_snapshots: dict[str, bytes]) -> Make:
    """Return a Sim of one vehicle that is in a state of `STATES`."""

    def make(state: str) -> pyrfly.Sim:
        sim = new_sim()
        if state not in _snapshots:
            STATES[state](sim)
            _snapshots[state] = sim.snapshot()
        sim.restore(_snapshots[state])
        return sim

    return make


def stream(offboard: int, **floats: tuple[float, ...]) -> Inputs:
    """Inputs of a stream: set-points without a command."""
    inputs = synthesis.inputs(1)
    inputs.ints[:, 1] = offboard
    for name, values in floats.items():
        inputs.floats[:, getattr(synthesis, name)] = np.asarray(values)
    return inputs

"""Actuator commands that are late: when a step of the command acts."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly import Sim


def flying(n: int = 1) -> Sim:
    sim = Sim("x450", n)
    sim.controllers = False
    sim.reset(pos=np.arange(n)[:, None] * [0, 9, 0] + [0, 0, -500], hover=True)
    return sim


def onset(sim: Sim, actuator: int, since: float) -> float:
    """Return the time from a step of the command until a rotor speeds up [s]."""
    sim.throttle[:] = 0.9
    before = sim.rotor_speed[0, actuator]
    for _ in range(600):
        sim.step()
        if sim.rotor_speed[0, actuator] > before + 1e-9:
            return sim.time - since - sim.dt
    return float("nan")


@pytest.mark.parametrize("delay", [0.0, 0.002, 0.01, 0.1, 0.3, 0.5])
def test_a_step_acts_after_the_delay_within_an_update(delay: float) -> None:
    sim = flying()
    sim.faults.add("actuator_delay", actuator=2, delay=delay)
    sim.sleep(0.7)
    late = onset(sim, 1, sim.time)
    assert delay - 0.002 - 1e-9 <= late <= delay + 1e-9


def test_other_actuators_are_in_time_and_delays_add() -> None:
    sim = flying()
    for delay in (0.05, 0.03):
        sim.faults.add("actuator_delay", actuator=2, delay=delay)
    sim.sleep(0.2)
    assert onset(sim, 0, sim.time) == pytest.approx(0.0, abs=1e-9)
    sim = flying()
    for delay in (0.05, 0.03):
        sim.faults.add("actuator_delay", actuator=2, delay=delay)
    sim.sleep(0.2)
    assert onset(sim, 1, sim.time) == pytest.approx(0.078, abs=0.0021)


def test_a_late_command_is_changed_by_the_other_faults() -> None:
    sim = flying()
    sim.faults.add("actuator_delay", actuator=2, delay=0.1)
    sim.faults.add("actuator_stuck", actuator=2, value=0.9, at=0.3)
    sim.sleep(0.3)
    sim.throttle[:] = 0.2
    before = sim.rotor_speed[0, 1]
    sim.step(4)
    assert sim.rotor_speed[0, 1] > before


def test_a_reset_forgets_what_was_commanded() -> None:
    sim = flying()
    sim.faults.add("actuator_delay", actuator=2, delay=0.2)
    sim.throttle[:] = 0.9
    sim.sleep(0.3)
    sim.reset(pos=[0, 0, -500], hover=True)
    speed = sim.rotor_speed[0, 1]
    sim.sleep(0.1)
    assert sim.rotor_speed[0, 1] == pytest.approx(speed, rel=1e-3)


def test_the_future_of_a_snapshot_has_the_same_bits() -> None:
    sim = Sim("x450", 3)
    sim.reset(pos=[0, 0, -50], hover=True, seed=3)
    sim.faults.add("actuator_delay", actuator=(1, 2), delay=[0.02, 0.05, 0.0])
    sim.command_velocity([2, 0, 0])
    sim.sleep(0.3)
    saved = sim.snapshot()
    sim.sleep(0.5)
    after = sim.hash()
    sim.restore(saved)
    sim.sleep(0.5)
    assert sim.hash() == after

"""ArduCopter's default outputs at helicopters: what each one does to them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.server.actuators import Actuators
from pyrfly.server.ardupilot_vehicle import ArduPilotVehicle
from pyrfly.vehicles import load

TIME = 0.15  # s
H3 = {"roll": {1: 100, 2: -100}, "pitch": {1: 50, 2: 50, 3: -100}}
H4 = {"roll": {1: 100, 2: -100}, "pitch": {3: -100, 5: 100}}
PLATES = {"blade_360": H3, "conventional_heli": H3, "xcell_60": H4}
"""Pulses of a positive roll and pitch of ArduPilot's mixers of swash plates, H3_120 and H4_90."""
TAIL, ENGINE = 4, 8


def changes(name: str, outputs: dict[int, int]) -> np.ndarray:
    """Return what more of some outputs [us], from 1, changes in rates, velocity and rotor speed."""
    sim = Sim(name, 2)
    sim.enable_synthesis()
    sim.reset(pos=[(0, 0, -50), (0, 20, -50)], hover=True)
    throttle = 1000 + 1000 * float(sim.engine_throttle[0])
    plate, tail = (1500 + 500 * values[0] for values in (sim.swash_command, sim.tail_command))
    actuators = Actuators(sim, lambda _, count: range(count))
    pulses = np.full(16, 1500.0)
    pulses[:3] = np.mean(plate[: int(sim.swash_count[0])])
    pulses[4], pulses[TAIL - 1], pulses[ENGINE - 1] = pulses[0], tail, throttle
    for row in range(2):
        for output, more in outputs.items() if row else ():
            pulses[output - 1] += more
        given = ArduPilotVehicle(sim.groups[0], 0).commands(np.rint(pulses).astype(np.uint16))
        actuators.take_over(row)
        actuators.set(row, given, armed=True)
    actuators.write()
    sim.step(round(TIME / sim.dt))
    state = np.column_stack([sim.rate, sim.vel, sim.main_rotor_speed])
    return state[1] - state[0]


@pytest.mark.parametrize("name", PLATES)
@pytest.mark.parametrize(("way", "axis"), [("roll", 0), ("pitch", 1)])
def test_the_plate_tilts_as_arducopters_mixer_means(name: str, way: str, axis: int) -> None:
    """Roll lifts the servo on the left, pitch that in front: to the right, and nose up."""
    for sign in (1, -1):
        rates = changes(name, {k: sign * pulse for k, pulse in PLATES[name][way].items()})[:3]
        assert sign * rates[axis] > 0.02
        assert np.argmax(np.abs(rates[:2])) == axis


@pytest.mark.parametrize("name", PLATES)
def test_all_servos_are_the_collective(name: str) -> None:
    servos = (1, 2, 3, 5) if PLATES[name] is H4 else (1, 2, 3)
    assert changes(name, dict.fromkeys(servos, 100))[5] < -0.02


@pytest.mark.parametrize("name", PLATES)
def test_the_tail_turns_the_nose_and_the_eighth_output_drives_the_rotor(name: str) -> None:
    assert changes(name, {TAIL: 100})[2] > 0.02
    assert changes(name, {TAIL: -100})[2] < -0.02
    assert changes(name, {ENGINE: -200})[6] < -0.1


def test_a_plate_with_servos_elsewhere_is_refused() -> None:
    known = load("blade_360")
    angles = np.radians([0.0, 120.0, 240.0, 0.0])
    sim = Sim(replace(known, columns={**known.columns, "swash_angle": angles}))
    sim.enable_synthesis()
    with pytest.raises(ValueError, match=r"vehicle: expected .*helicopter with servos at -60"):
        ArduPilotVehicle(sim.groups[0], 0)

"""Many vehicles in one call: to the bit what one controller each would do."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pyrfly.ctrl import PX4MavCtrler, Swarm
from pyrfly.errors import ShapeError
from pyrfly.sim import Sim

FLEET = {"x450": 3, "hex_x": 1, "cf2x_l250": 2}
N = 6
EACH = np.arange(1.0, N + 1)
GRID = np.stack([EACH, -EACH, -3 - 0.5 * EACH], axis=-1)
Method = tuple[str, tuple[Any, ...], float]

FLIGHT: list[Method] = [
    ("SendMavArm", (1,), 0.1),
    ("sendMavTakeOff", (0, EACH, -2 - EACH, 0.2 * EACH), 4.0),
    ("initOffboard", (), 0.5),
    ("SendPosNED", (*GRID.T, 0.3 * EACH), 3.0),
    ("SendVelFRD", (0.2 * EACH, 0, -0.1, 0.3), 1.5),
    ("SendVelNED", (1, -0.1 * EACH, math.nan), 1.5),
    ("SendAccPX4", (0.05 * EACH, 0, 0, 0.1 * EACH, 2, 1), 0.7),
    ("SendAttPX4", (np.stack([EACH, -EACH, 5 * EACH], axis=-1), 5.0, 0, 1), 1.0),
    ("SendAttPX4", ((0, 0, 0.3), 0.5, 3, 0), 0.2),
    ("SendPosFRD", (0.1 * EACH, 1, 0), 1.0),
    ("SendCopterSpeed", (1 + 0.2 * EACH,), 0.5),
    ("SendSynPos", (EACH, 2 * EACH, -4, 0), 1.5),
    ("SendOffAll", (0b110111000000 | 4, 1, GRID, (0.1, 0.2, 0.3), (0, 0, 0)), 1.0),
    ("endOffboard", (), 1.0),
    ("SendRcOverride", (1600, 1500 + 20 * EACH), 1.0),
    ("SendMavCmdLong", (20,), 1.0),
    ("sendMavLand", (EACH, 0, 0), 8.0),
]


def of_row(value: Any, row: int) -> Any:
    """Return one vehicle's part of an argument for six."""
    if isinstance(value, np.ndarray):
        return value[row].tolist()
    return value


def world() -> Sim:
    sim = Sim(FLEET, threads=1)
    sim.reset(pos=np.stack([0 * EACH, 4 * EACH, 0 * EACH], axis=-1), yaw=0.1 * EACH)
    return sim


@pytest.mark.slow
def test_flight_has_the_bits_of_single_controllers() -> None:
    together, apart = world(), world()
    swarm = Swarm(together)
    singles = [PX4MavCtrler(i, sim=apart) for i in range(1, N + 1)]
    swarm.InitMavLoop()
    for single in singles:
        single.InitMavLoop()
    for method, arguments, seconds in FLIGHT:
        getattr(swarm, method)(*arguments)
        for row, single in enumerate(singles):
            getattr(single, method)(*(of_row(a, row) for a in arguments))
        together.sleep(seconds)
        apart.sleep(seconds)
        assert together.hash() == apart.hash(), method
    assert together.check().ok
    for name in ("uavPosNED", "trueMotorRPMS", "uavPosGPS", "uavThrust", "isArmed", "maxAccZ"):
        np.testing.assert_array_equal(getattr(swarm, name), [getattr(s, name) for s in singles])


def test_a_part_of_the_vehicles_in_any_order() -> None:
    sim = world()
    swarm = Swarm(sim, [5, 2, 4])
    swarm.InitMavLoop()
    swarm.initOffboard()
    swarm.SendPosNED([1, 2, 3], 0, [-2, -3, -4], 0)
    sim.sleep(7)
    np.testing.assert_allclose(swarm.uavPosNED, [[1, 0, -2], [2, 0, -3], [3, 0, -4]], atol=0.03)
    np.testing.assert_allclose(sim.pos[[4, 1, 3]], swarm.truePosNED)
    assert swarm.isArmed.tolist() == [True] * 3
    assert sim.armed[[0, 2, 5]].tolist() == [0, 0, 0]


def test_a_swarm_of_one_takes_arrays() -> None:
    sim = Sim("x450")
    swarm = Swarm(sim)
    swarm.InitMavLoop()
    swarm.initOffboard()
    swarm.SendPosNED([1.0], 2, [-3.0])
    sim.sleep(7)
    np.testing.assert_allclose(swarm.uavPosNED, [[1.0, 2.0, -3.0]], atol=0.02)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([0, 1], "ids: expected"),
        ([7], "ids: expected"),
        ([2, 2], "ids: expected"),
        ([1.5], "ids: expected CopterIDs as integers"),
        ([], "ids: expected CopterIDs as integers"),
    ],
)
def test_unknown_vehicles_are_refused(ids: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        Swarm(world(), ids)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: s.SendPosNED([1, 2], 0, 0), "x: expected"),
        (lambda s: s.SendVelNED("a"), r"vx: expected numbers \[m/s\]"),
        (lambda s: s.SendVelNED([1, [2]]), r"vx: expected numbers \[m/s\]"),
        (lambda s: s.SendPosNED(np.inf), r"x: .*got inf"),
        (lambda s: s.SendAttPX4(np.zeros((5, 3))), r"att: expected 6 rows \[deg\], got 5"),
        (lambda s: s.SendAttPX4(np.zeros((6, 2))), r"att: expected shape \(3 or 4,\)"),
        (lambda s: s.SendAttPX4(np.full((6, 3), np.nan)), r"att: expected finite .*\[deg\]"),
        (lambda s: s.SendMavArm([1, 0]), r"isArm: expected shape"),
        (lambda s: s.sendMavTakeOff(EACH * np.nan), r"xM: expected finite numbers \[m\]"),
    ],
)
def test_bad_arguments_are_named(call: Callable[[Swarm], None], message: str) -> None:
    sim = world()
    swarm = Swarm(sim)
    swarm.InitMavLoop()
    before = sim.hash()
    with pytest.raises((TypeError, ValueError, ShapeError), match=message):
        call(swarm)
    assert sim.hash() == before


def test_commands_need_init_mav_loop() -> None:
    with pytest.raises(RuntimeError, match="call InitMavLoop of the Swarm of 6"):
        Swarm(world()).SendMavArm()


def test_has_a_length_and_a_name() -> None:
    swarm = Swarm(world())
    assert len(swarm) == 6
    assert repr(swarm).startswith("<Swarm of 6 vehicles in <Sim of 3 x450")

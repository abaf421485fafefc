"""The link in process: when a set-point is written, and what it leaves alone."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from numpy.typing import NDArray

from pyrfly.ctrl.link import InProcessLink
from pyrfly.ctrl.link.targets import AttitudeTarget, RateTarget, StickTarget, TakeOff, Target
from pyrfly.protocol import synthesis
from pyrfly.sim import Sim


class Counted:
    """A target that counts how often it is written."""

    def __init__(self, north: float) -> None:
        self.north = north
        self.count = 0

    def inputs(self) -> synthesis.Inputs:
        self.count += 1
        inputs = synthesis.inputs(1)
        inputs.ints[:, synthesis.OFFBOARD] = synthesis.Offboard.POSITION
        inputs.floats[:, 0], inputs.floats[:, 2] = self.north, -3.0
        return inputs


def opened(mode: int = 2) -> tuple[Sim, InProcessLink]:
    sim = Sim("x450")
    link = InProcessLink(sim, [1])
    link.open(mode, None)
    return sim, link


class TestTargets:
    """Standing set-points."""

    def test_are_written_once(self) -> None:
        sim, link = opened()
        target = Counted(1.0)
        link.track(True)
        link.set_target(target)
        sim.sleep(0.5)
        assert target.count == 1

    def test_are_written_again_when_set_again(self) -> None:
        sim, link = opened()
        target = Counted(1.0)
        link.track(True)
        for _ in range(3):
            link.set_target(target)
            sim.sleep(0.05)
        assert target.count == 3

    def test_are_written_again_after_a_command(self) -> None:
        sim, link = opened()
        target = Counted(1.0)
        link.track(True)
        link.set_target(target)
        sim.sleep(0.05)
        link.command(synthesis.inputs(1))
        assert sim.sil_ints[0, 1] == 0
        sim.sleep(0.05)
        assert target.count == 2
        assert sim.sil_ints[0, 1] == 1
        link.command(TakeOff(np.array([[0.0, 0.0, -5.0]]), np.array([np.nan])))
        sim.sleep(0.05)
        assert target.count == 2  # a take-off keeps its height

    def test_wait_until_they_are_tracked(self) -> None:
        sim, link = opened()
        target = Counted(1.0)
        link.set_target(target)
        sim.sleep(0.1)
        assert target.count == 0
        link.track(True)
        sim.sleep(0.1)
        assert target.count == 1

    def test_none_empties_the_inputs(self) -> None:
        sim, link = opened()
        link.track(True)
        link.set_target(Counted(1.0))
        sim.sleep(0.05)
        link.set_target(None)
        sim.sleep(0.05)
        assert not sim.sil_ints.any()
        assert not sim.sil_floats.any()

    @pytest.mark.parametrize(
        "target",
        [
            AttitudeTarget(np.zeros((1, 3)), down=np.array([-4.0])),
            RateTarget(np.zeros((1, 3)), down=np.array([-4.0])),
        ],
    )
    def test_with_a_height_hold_it(self, target: Target) -> None:
        sim, link = opened()
        link.command_word(int(synthesis.BASE | synthesis.Command.ARMED))
        link.send(target)
        sim.sleep(8)
        assert sim.pos[0, 2] == pytest.approx(-4.0, abs=0.05)

    def test_sticks_are_no_set_point(self) -> None:
        sim, link = opened()
        link.send(StickTarget(np.array([[1600.0, 1500.0, 1400.0, 1500.0]])))
        assert sim.sil_ints[0, 1] == 0
        assert sim.sil_floats[0, 3:6].tolist() == [1600.0, 1500.0, 1400.0]


def test_close_leaves_the_world_alone() -> None:
    sim, link = opened()
    target = Counted(1.0)
    link.track(True)
    link.set_target(target)
    link.close()
    link.close()
    sim.sleep(0.1)
    assert target.count == 0


def test_open_again_forgets() -> None:
    sim, link = opened()
    link.track(True)
    link.set_target(Counted(1.0))
    sim.pos[0] = (4.0, 0.0, 0.0)
    link.open(0, None)
    sim.sleep(0.1)
    assert not sim.sil_ints[0, 1]
    assert link.truth.home.tolist() == [[4.0, 0.0, 0.0]]


def test_vehicles_of_several_kinds_are_rows_in_the_order_of_their_ids() -> None:
    sim = Sim({"x450": 3, "octo_x": 2})
    sim.reset(pos=[[i, 0, 0] for i in range(1, 6)])
    for group in sim.groups:
        group.rotor_speed[:] = 2 * np.pi / 60 * np.arange(1, group.rotor_speed.shape[1] + 1)
    link = InProcessLink(sim, [5, 1, 4])
    assert link.truth.pos[:, 0].tolist() == [5, 1, 4]
    np.testing.assert_allclose(link.truth.rpm[[0, 2]], [range(1, 9)] * 2)
    np.testing.assert_allclose(link.truth.rpm[1], [1, 2, 3, 4, 0, 0, 0, 0])
    link.limit_speed(np.array([3.0, 4.0, 5.0]))
    assert sim.speed_limit[[4, 0, 3]].tolist() == [3, 4, 5]
    assert link.read("mass").dtype == np.float64


def test_arming_leaves_those_alone_that_are_armed() -> None:
    sim = Sim("x450", 2)
    link = InProcessLink(sim, [1, 2])
    link.open(0, None)
    link.command_word([int(synthesis.BASE | synthesis.Command.ARMED), 0])
    before = sim.navigator_mode[0]
    link.arm(np.array([True, True]))
    assert sim.armed.tolist() == [1, 1]
    assert sim.navigator_mode[0] == before
    link.arm(np.array([False, True]))
    assert sim.armed.tolist() == [0, 1]


def test_command_words_may_differ() -> None:
    sim = Sim("x450", 3)
    link = InProcessLink(sim, [3, 1, 2])
    link.open(0, None)
    base, armed = int(synthesis.BASE), int(synthesis.BASE | synthesis.Command.ARMED)
    link.command_word([armed, base, armed])
    assert sim.armed.tolist() == [0, 1, 1]


def test_world_is_locked_while_it_is_touched() -> None:
    class Watched:
        def __init__(self) -> None:
            self.lock = threading.RLock()
            self.entered = 0

        def __enter__(self) -> None:
            self.lock.acquire()
            self.entered += 1

        def __exit__(self, *_: object) -> None:
            self.lock.release()

    sim, lock = Sim("x450"), Watched()
    link = InProcessLink(sim, [1], lock)
    link.open(0, None)
    calls = [
        lambda: link.truth.pos,
        lambda: link.truth.rpm,
        lambda: link.read("mass"),
        lambda: link.write("mass", 1.5),
        lambda: link.speed_limit,
        lambda: link.arm(np.array([True])),
        lambda: link.command_word(0),
        lambda: link.send(Counted(1.0)),
        lambda: link.track(True),
        lambda: link.write_inputs(synthesis.inputs(1), None),
        lambda: link.set_origin((1, 2, 3)),
        lambda: link.reboot(1, 0),
        link.close,
    ]
    for call in calls:
        before = lock.entered
        call()
        assert lock.entered > before


class TestFaultsOfLinks:
    """Set-points that get lost, or are late."""

    def test_lost_set_points_come_when_the_link_is_back(self) -> None:
        sim, link = opened()
        sim.faults.add("link_loss", link="setpoints", duration=1.0)
        sim.sleep(0.1)
        link.track(True)
        link.set_target(Counted(1.5))
        sim.sleep(0.5)
        assert sim.sil_floats[0, 0] == 0
        sim.sleep(0.6)
        assert sim.sil_floats[0, 0] == 1.5

    def test_late_set_points_come_after_the_delay(self) -> None:
        sim, link = opened()
        sim.faults.add("link_delay", link="setpoints", delay=0.3)
        sim.sleep(0.1)
        link.arm(np.array([True]))
        sim.sleep(0.28)
        assert not sim.armed[0]
        sim.sleep(0.1)
        assert sim.armed[0]

    def test_those_of_other_vehicles_arrive(self) -> None:
        sim = Sim("x450", 3)
        link = InProcessLink(sim, [3, 1, 2])
        link.open(2, None)
        sim.faults.add("link_loss", ids=1, link="setpoints")
        sim.sleep(0.1)
        link.arm(np.array([True, True, True]))
        link.send(Each(np.array([3.0, 1.0, 2.0])))
        assert sim.armed.tolist() == [0, 1, 1]
        assert sim.sil_floats[:, 0].tolist() == [0, 2, 3]


class Each:
    """A position of each vehicle."""

    def __init__(self, north: NDArray[np.float64]) -> None:
        self.north = north

    def inputs(self) -> synthesis.Inputs:
        inputs = synthesis.inputs(len(self.north))
        inputs.ints[:, synthesis.OFFBOARD] = synthesis.Offboard.POSITION
        inputs.floats[:, 0] = self.north
        return inputs

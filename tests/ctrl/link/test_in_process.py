"""The link in process: when a set-point is handed over, and what it leaves alone."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from pyrfly.ctrl.link import InProcessLink
from pyrfly.ctrl.targets import AttitudeTarget, RateTarget, StickTarget, Target
from pyrfly.protocol import synthesis
from pyrfly.sim import Sim


class Counted:
    """A target that counts how often it is handed over."""

    def __init__(self, north: float) -> None:
        self.north = north
        self.handed = 0

    def words(self) -> synthesis.Words:
        self.handed += 1
        words = synthesis.words(1)
        words.ints[:, synthesis.OFFBOARD] = synthesis.Offboard.POSITION
        words.floats[:, 0], words.floats[:, 2] = self.north, -3.0
        return words


def opened(mode: int = 2) -> tuple[Sim, InProcessLink]:
    sim = Sim("x450")
    link = InProcessLink(sim, [1])
    link.open(mode, None)
    return sim, link


class TestTargets:
    """Standing set-points."""

    def test_are_handed_over_once(self) -> None:
        sim, link = opened()
        target = Counted(1.0)
        link.obey(True)
        link.aim(target)
        sim.sleep(0.5)
        assert target.handed == 1

    def test_are_handed_over_again_when_given_again(self) -> None:
        sim, link = opened()
        target = Counted(1.0)
        link.obey(True)
        for _ in range(3):
            link.aim(target)
            sim.sleep(0.05)
        assert target.handed == 3

    def test_are_handed_over_again_after_a_command(self) -> None:
        sim, link = opened()
        target = Counted(1.0)
        link.obey(True)
        link.aim(target)
        sim.sleep(0.05)
        link.command(synthesis.take_off(0.0, 0.0, -5.0, armed=False))
        assert sim.sil_ints[0, 1] == 0
        sim.sleep(0.05)
        assert target.handed == 2
        assert sim.sil_ints[0, 1] == 1

    def test_wait_until_they_are_obeyed(self) -> None:
        sim, link = opened()
        target = Counted(1.0)
        link.aim(target)
        sim.sleep(0.1)
        assert target.handed == 0
        link.obey(True)
        sim.sleep(0.1)
        assert target.handed == 1

    def test_none_empties_the_ports(self) -> None:
        sim, link = opened()
        link.obey(True)
        link.aim(Counted(1.0))
        sim.sleep(0.05)
        link.aim(None)
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
        link.command_bits(int(synthesis.BASE | synthesis.Command.ARMED))
        link.give(target)
        sim.sleep(8)
        assert sim.pos[0, 2] == pytest.approx(-4.0, abs=0.05)

    def test_sticks_are_no_set_point(self) -> None:
        sim, link = opened()
        link.give(StickTarget(np.array([[1600.0, 1500.0, 1400.0]])))
        assert sim.sil_ints[0, 1] == 0
        assert sim.sil_floats[0, 3:6].tolist() == [1600.0, 1500.0, 1400.0]


def test_close_leaves_the_world_alone() -> None:
    sim, link = opened()
    target = Counted(1.0)
    link.obey(True)
    link.aim(target)
    link.close()
    link.close()
    sim.sleep(0.1)
    assert target.handed == 0


def test_open_again_forgets() -> None:
    sim, link = opened()
    link.obey(True)
    link.aim(Counted(1.0))
    sim.pos[0] = (4.0, 0.0, 0.0)
    link.open(0, None)
    sim.sleep(0.1)
    assert not sim.sil_ints[0, 1]
    assert link.truth.home.tolist() == [[4.0, 0.0, 0.0]]


def test_command_words_may_differ() -> None:
    sim = Sim("x450", 3)
    link = InProcessLink(sim, [3, 1, 2])
    link.open(0, None)
    base, armed = int(synthesis.BASE), int(synthesis.BASE | synthesis.Command.ARMED)
    link.command_bits([armed, base, armed])
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
        lambda: link.write("mass", 1.5, None),
        lambda: link.command_bits(0),
        lambda: link.give(Counted(1.0)),
        lambda: link.obey(True),
        lambda: link.send_words(synthesis.words(1), None),
        lambda: link.set_origin((1, 2, 3)),
        lambda: link.reboot(1, 0),
        link.close,
    ]
    for call in calls:
        before = lock.entered
        call()
        assert lock.entered > before

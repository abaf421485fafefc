"""Ownership of stepping: `Sim.hand_over`."""

from __future__ import annotations

from typing import Any

import pytest

from pyrfly import Sim


class Stepper:
    """Steps, or lets others."""

    def __init__(self) -> None:
        self.closed = False
        self.alone = True

    def require_may_step(self) -> None:
        if self.alone:
            raise RuntimeError("only the stepper steps")


def test_the_stepper_decides_who_may_step() -> None:
    sim, stepper = Sim("sdk"), Stepper()
    sim.hand_over(stepper)
    with pytest.raises(RuntimeError, match="only the stepper steps"):
        sim.step()
    with pytest.raises(RuntimeError, match="only the stepper steps"):
        sim.run(0.1)
    assert sim.time == 0.0
    stepper.alone = False
    sim.step()
    assert sim.time == sim.dt


def test_a_sim_is_handed_over_again_when_the_other_has_closed() -> None:
    sim, first, second = Sim("sdk"), Stepper(), Stepper()
    sim.hand_over(first)
    sim.hand_over(first)
    with pytest.raises(RuntimeError, match="a Stepper steps this Sim already"):
        sim.hand_over(second)
    first.closed, second.alone = True, False
    sim.hand_over(second)
    sim.step()


@pytest.mark.parametrize("wrong", [3, None, "server", lambda: None])
def test_only_a_stepper_takes_over(wrong: Any) -> None:
    sim = Sim("sdk")
    with pytest.raises(TypeError, match="stepper: expected an object with closed and require_may"):
        sim.hand_over(wrong)
    sim.step()

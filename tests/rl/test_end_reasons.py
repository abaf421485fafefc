"""Why episodes end, in infos."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from gymnasium.vector import AutoresetMode

from pyrfly import Sim
from pyrfly.protocol.bits import Boundary
from pyrfly.rl import EndReason, PyrflyVectorEnv

MODES = list(AutoresetMode)
STILL = np.zeros((3, 4), np.float32)


def hovering(mode: AutoresetMode = AutoresetMode.SAME_STEP, **options: Any) -> PyrflyVectorEnv:
    """Return three environments of which the second is to end."""
    envs = PyrflyVectorEnv(3, "hover", autoreset_mode=mode, hover_centred=True, **options)
    envs.reset(seed=3)
    return envs


def ended(envs: PyrflyVectorEnv, infos: dict[str, Any]) -> dict[str, Any]:
    """Return the infos of what is over, which is not in those of the next episode."""
    same = envs.autoreset_mode == AutoresetMode.SAME_STEP
    assert "end_reason" not in (infos if same else infos.get("final_info", {}))
    return dict(infos["final_info"]) if same else infos


def moved(column: str, value: Any) -> Callable[[Sim], None]:
    def move(sim: Sim) -> None:
        getattr(sim, column)[1] = value

    return move


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("prepare", "reason"),
    [
        (moved("pos", (500, 0, -100)), EndReason.FAR),
        (moved("task_floor", -1e3), EndReason.LOW),
        (moved("rate", 2000.0), EndReason.FAULT),
        (moved("pos", (2e6, 0, -100)), EndReason.FAULT),  # also far from the goal
        (moved("status", 1 << 6), EndReason.FAULT),  # frozen, at no boundary
        (moved("task_length", 1), EndReason.TIME_LIMIT),
    ],
)
def test_infos_say_why_an_episode_ended(
    prepare: Callable[[Sim], None], reason: EndReason, mode: AutoresetMode
) -> None:
    envs = hovering(mode)
    prepare(envs.sim)
    _, _, terminated, truncated, infos = envs.step(STILL)
    found = ended(envs, infos)
    assert found["end_reason"].tolist() == [0, reason, 0]
    assert found["end_reason"].dtype == np.uint8
    assert found["_end_reason"].tolist() == [False, True, False]
    assert truncated.tolist() == [False, reason == EndReason.TIME_LIMIT, False]
    assert (terminated | truncated).tolist() == [False, True, False]


@pytest.mark.parametrize("mode", MODES)
def test_an_episode_that_begins_anew_has_no_end(mode: AutoresetMode) -> None:
    envs = hovering(mode)
    envs.sim.pos[1] = (500, 0, -100)
    envs.step(STILL)
    if mode == AutoresetMode.DISABLED:
        *_, infos = envs.step(STILL)
        assert infos["end_reason"].tolist() == [0, EndReason.FAR, 0]  # still there
        envs.reset(options={"reset_mask": np.array([False, True, False])})
    *_, infos = envs.step(STILL)
    assert "end_reason" not in infos
    assert "final_info" not in infos


@pytest.mark.parametrize("copy", [True, False])
def test_returned_reasons_are_fresh_with_copy_alone(copy: bool) -> None:
    envs = hovering(copy=copy)
    envs.sim.pos[1] = (500, 0, -100)
    first = ended(envs, envs.step(STILL)[-1])["end_reason"]
    envs.sim.pos[2] = (500, 0, -100)
    envs.step(STILL)
    assert first.tolist() == ([0, EndReason.FAR, 0] if copy else [0, 0, EndReason.FAR])


# --- boundaries ---


def test_every_boundary_has_a_reason() -> None:
    names = {f"BOUNDARY_{one.name}": EndReason.BOUNDARY_SPEED + one for one in Boundary}
    found = {one.name: one for one in EndReason if one >= EndReason.BOUNDARY_SPEED}
    assert found == names


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("action", ["freeze", "terminate"])
def test_a_boundary_that_stops_a_vehicle_is_the_reason(action: str, mode: AutoresetMode) -> None:
    def bound(sim: Sim) -> None:
        sim.safety.add("tilt", maximum=0.01)  # which is reported, and ends nothing
        sim.safety.add("altitude", maximum=[1e3, 5.0, 1e3], action=action)

    envs = hovering(mode, configure=bound)
    _, _, terminated, _, infos = envs.step(STILL)
    assert terminated.tolist() == [False, True, False]
    assert ended(envs, infos)["end_reason"].tolist() == [0, EndReason.BOUNDARY_ALTITUDE, 0]


@pytest.mark.parametrize(
    ("ticks", "reason"),
    [
        ((7, 9), EndReason.BOUNDARY_SPEED),
        ((9, 7), EndReason.BOUNDARY_HEIGHT),
        ((7, 7), EndReason.BOUNDARY_SPEED),  # the order of the table
        ((3, 2**32 - 3), EndReason.BOUNDARY_HEIGHT),  # ticks wrap around
    ],
)
def test_of_several_boundaries_the_first_that_was_crossed_is_told(
    ticks: tuple[int, int], reason: EndReason
) -> None:
    def bound(sim: Sim) -> None:
        for name in ("speed", "height"):
            sim.safety.add(name, maximum=900.0, action="freeze")

    envs = hovering(configure=bound)
    crossed = [Boundary.SPEED, Boundary.HEIGHT]
    envs.sim.crossings[1, crossed] = 1
    envs.sim.crossed_tick[1, crossed] = ticks
    envs.sim.status[1] = 1 << 6
    *_, infos = envs.step(STILL)
    assert ended(envs, infos)["end_reason"].tolist() == [0, reason, 0]


def test_distances_are_refused_which_environments_do_not_have() -> None:
    with pytest.raises(ValueError, match="configure: environments have no distance to each other"):
        hovering(configure=lambda sim: sim.safety.add("separation", minimum=2.0))


# --- several vehicles ---


def test_the_time_of_vehicles_that_share_an_episode_ends_for_all() -> None:
    envs = PyrflyVectorEnv(4, "formation", max_episode_steps=2, autoreset_mode="Disabled")
    envs.reset(seed=1)
    envs.step(np.zeros((4, 4), np.float32))
    envs.sim.task_length[2:] = 9
    _, _, terminated, truncated, infos = envs.step(np.zeros((4, 4), np.float32))
    assert not terminated.any()
    assert truncated.all()
    own, other = EndReason.TIME_LIMIT, EndReason.OTHER_VEHICLE
    assert infos["end_reason"].tolist() == [own, own, other, other]

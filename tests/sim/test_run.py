"""`Sim.run` with samplers."""

from __future__ import annotations

import sys

import pytest

from pyrfly import MissingExtraError, Sim
from pyrfly.log import Recorder


class Ticks:
    """Records the ticks of its samples."""

    every = 20

    def __init__(self, sim: Sim) -> None:
        self.sim = sim
        self.ticks: list[int] = []

    def sample(self) -> None:
        self.ticks.append(round(self.sim.time / self.sim.dt))


@pytest.mark.parametrize(
    ("seconds", "ticks"), [(0.05, [0, 20, 40, 50]), (0.04, [0, 20, 40]), (0, [0])]
)
def test_samples_are_taken_at_the_start_regularly_and_at_the_end(
    seconds: float, ticks: list[int]
) -> None:
    sim = Sim("sdk")
    sampler = Ticks(sim)
    sim.run(seconds, record=sampler)
    assert sampler.ticks == ticks


@pytest.mark.parametrize("kind", [Ticks, Recorder])
def test_a_recorder_of_another_sim_is_refused(kind: type) -> None:
    sim = Sim("sdk")
    with pytest.raises(ValueError, match="record: expected a recorder of this Sim"):
        sim.run(1.0, record=kind(Sim("sdk")))
    assert sim.time == 0.0


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf"), 1.7e308, "1"])
def test_an_invalid_duration_is_refused(seconds: float) -> None:
    with pytest.raises((ValueError, TypeError), match="seconds: expected"):
        Sim("sdk").run(seconds)


def test_run_takes_whole_steps_for_the_duration():
    sim = Sim("x450", dt=2e-3)
    sim.run(0.5)
    assert sim.time == pytest.approx(0.5)
    assert sim.groups[0].batch.tick == 250


def test_a_missing_progress_bar_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(MissingExtraError, match=r"a progress bar needs tqdm.*pyrfly\[log\]"):
        Sim("x450").run(0.1, progress=True)


def test_the_progress_bar_counts_simulated_time(capsys):
    sim = Sim("x450")
    sim.run(0.3, progress=True)
    assert "0.3/0.3 s simulated" in capsys.readouterr().err
    assert sim.time == pytest.approx(0.3)

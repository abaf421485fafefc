"""Models that fail: in processes of their own this is a fault of one vehicle."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyrfly import Sim, plugins
from pyrfly.protocol.bits import Fault

Build = Callable[[str], Path]

WAYS = {
    0.1: "its process ended by SIGSEGV",
    0.2: "it did not return within 0.5 s",
    0.3: "its process ended with status 3; it printed 'no more'",
    0.4: "its process ended by SIGABRT",
}


def failing(build: Build, ways: list[float], **options: Any) -> Sim:
    """Return a Sim in which vehicle k + 1 fails by its way, and the last is of the core."""
    loaded = plugins.load(build("broken"), isolate=True, **{"limit": 0.5, **options})
    sim = Sim({loaded: len(ways), "x450": 1})
    sim.step(10)
    commands = sim.groups[0].view("command")
    commands[:, 0], commands[:, 1] = 1, ways
    return sim


@pytest.mark.slow
def test_a_failure_ends_one_vehicle_with_its_reason_and_the_others_go_on(build: Build) -> None:
    sim = failing(build, [*WAYS, 0.0])
    sim.step(20)
    failed = [Fault.MODEL_FAILED] * len(WAYS)
    assert sim.status.tolist() == [*failed, 0, 0]
    assert sim.groups[0].view("model_time")[-1] > 0 or np.isfinite(sim.pos).all()
    text = sim.check().text
    for k, reason in enumerate(WAYS.values()):
        assert f"CopterID {k + 1}: {reason}" in text
    assert sim.check().text == text
    assert sim.time == pytest.approx(0.03)


def test_a_reset_begins_with_a_new_model(build: Build) -> None:
    sim = failing(build, [0.1, 0.0])
    sim.step(20)
    sim.groups[0].view("command")[:] = 0
    sim.reset()
    sim.step(20)
    assert sim.check().ok


def test_a_model_that_prints_much_or_closes_files_goes_on(build: Build) -> None:
    sim = failing(build, [0.5, 0.6])
    sim.step(50)
    assert sim.status[:1].tolist() == [0]


def test_lines_that_a_model_prints_come_while_it_flies(build: Build) -> None:
    heard: list[tuple[int, str]] = []
    times = []

    def hear(vehicle: int, line: str) -> None:
        heard.append((vehicle, line))
        times.append(sim.time)

    sim = failing(build, [0.8, 0.0], printed=hear)
    sim.step(1000)
    assert set(heard) == {(1, " [31mred")}
    assert len(set(times)) > 10
    sim.groups[0].view("command")[1, 1] = 0.3
    sim.step(10)
    assert heard[-1] == (2, "no more")


@pytest.mark.slow
def test_a_model_that_does_not_return_computes_no_longer(build: Build) -> None:
    sim = failing(build, [0.2])
    process = sim.groups[0].models[0].owner.pid
    sim.step(20)
    end = time.monotonic() + 5
    while (state := process_state(process)) not in "ZX" and time.monotonic() < end:
        time.sleep(0.01)
    assert state in "ZX"


def process_state(number: int) -> str:
    return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]


def test_the_limit_is_that_of_a_step(build: Build) -> None:
    sim = failing(build, [0.9], limit=0.25)
    sim.step(20)
    assert sim.check().ok


def test_a_fork_of_a_model_has_no_part_in_the_simulation(build: Build) -> None:
    sim = failing(build, [1.0, 0.0])
    before = sim.pos[:2, 0].copy()
    sim.step(20)
    assert (sim.pos[:2, 0] - before).tolist() == [20, 20]


@pytest.mark.parametrize("isolate", [False, True])
def test_a_state_that_is_not_finite_is_a_fault_of_one_vehicle(build: Build, isolate: bool) -> None:
    sim = Sim({plugins.load(build("broken"), isolate=isolate): 3})
    sim.groups[0].view("command")[1, :2] = 1, 0.7
    sim.step(20)
    assert sim.status.tolist() == [0, Fault.NOT_FINITE, 0]
    assert np.isfinite(sim.pos).all()


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_of_the_program_leaves_the_models_alone(build: Build) -> None:
    sim = failing(build, [0.0])
    child = os.fork()
    if child == 0:
        sim.step(4)
        text = sim.check().text
        sim.groups[0].models[0].owner.close()
        os._exit(0 if "its process is that of the program" in text else 1)
    assert os.waitpid(child, 0)[1] == 0
    sim.step(20)
    assert sim.check().ok


def test_processes_end_with_the_sim(build: Build) -> None:
    sim = Sim({plugins.load(build("broken"), isolate=True): 2})
    processes = [sim.groups[0].models[row].owner for row in range(2)]
    numbers = [process.pid for process in processes]
    assert all(Path(f"/proc/{number}").exists() for number in numbers)
    del sim
    for process in processes:
        process.close()
    assert not any(Path(f"/proc/{number}").exists() for number in numbers)

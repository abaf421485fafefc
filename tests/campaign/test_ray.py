"""Campaigns on a local cluster of Ray with two workers."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow")
ray = pytest.importorskip("ray")

from ray.cluster_utils import Cluster  # noqa: E402

from pyrfly import Sim  # noqa: E402
from pyrfly.campaign import Campaign  # noqa: E402


@pytest.fixture(scope="module")
def second_node() -> Iterator[str]:
    """Return the second node of a cluster of two, with a worker each."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    node = cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    yield node.node_id
    ray.shutdown()
    cluster.shutdown()


def fall_in(folder: Path) -> Callable[[Sim], Any]:
    """Return a flight that obeys the marks in a folder; nested, so that Ray sends it by value."""

    def lose(mark: str, processes: list[int]) -> None:
        """Kill processes, the first time that there is a mark."""
        try:
            (folder / mark).unlink()
        except FileNotFoundError:
            return
        (folder / "machine").unlink(missing_ok=True)
        for process in processes:
            os.kill(process, signal.SIGKILL)

    def fall(sim: Sim) -> Any:
        with (folder / "processes").open("a") as file:
            file.write(f"{os.getpid()}\n")
        if os.getpid() != driver:
            lose("worker", [os.getpid()])
            lose(ray.get_runtime_context().get_node_id(), [os.getppid(), os.getpid()])
        while (folder / "machine").exists():  # which is not this one
            time.sleep(0.05)
        sim.reset(pos=(0, 0, -50))
        sim.step(100)
        return {"depth": sim.pos[:, 2] + 50}

    driver = os.getpid()
    return fall


def campaign_of(function: Any) -> Campaign:
    table = {"mass": ("scale", 0.8, 1.2), "wind": ("normal", 0, 3)}
    return Campaign(function=function, vehicle="x450", samples=24, randomize=table)


@pytest.mark.parametrize("lost", ["nothing", "a worker", "a machine"])
def test_results_on_ray_are_those_in_process(tmp_path: Path, second_node: str, lost: str) -> None:
    campaign = campaign_of(fall_in(tmp_path))
    here = campaign.run(tmp_path / "here")
    (tmp_path / "processes").unlink()
    marks = {"nothing": [], "a worker": ["worker"], "a machine": [second_node, "machine"]}[lost]
    for mark in marks:
        (tmp_path / mark).touch()
    there = campaign.run(tmp_path / "there", backend="ray", shard_size=4)
    for name, values in here.columns.items():
        assert values.tobytes() == there[name].tobytes()
    processes = (tmp_path / "processes").read_text().split()
    assert len(processes) >= 6 + (lost != "nothing")
    assert str(os.getpid()) not in processes
    assert not any((tmp_path / mark).exists() for mark in marks)


@pytest.mark.usefixtures("second_node")
def test_an_error_of_a_worker_is_raised_here(tmp_path: Path) -> None:
    def broken(sim: Sim) -> None:
        raise ArithmeticError("no such flight")

    with pytest.raises(ArithmeticError, match="no such flight"):
        campaign_of(broken).run(tmp_path / "out", backend="ray", shard_size=4)


@pytest.mark.usefixtures("second_node")
def test_policies_and_missions_fly_on_ray(tmp_path: Path) -> None:
    pytest.importorskip("gymnasium")
    (tmp_path / "up.csv").write_text("x,y,z\n0,0,-2\n")
    wind = {"wind": ("normal", 0, 1)}
    flown: list[dict[str, Any]] = [
        {"mission": tmp_path / "up.csv"},
        {"policy": lambda observations: np.zeros((len(observations), 4), np.float32)},
    ]
    for number, what in enumerate(flown):
        campaign = Campaign(**what, vehicle="x450", samples=4, randomize=wind)
        here = campaign.run(tmp_path / f"here{number}")
        there = campaign.run(tmp_path / f"there{number}", backend="ray", shard_size=3)
        for name, values in here.columns.items():
            assert (
                values.tolist() == there[name].tolist() or values.tobytes() == there[name].tobytes()
            )

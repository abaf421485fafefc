"""``pyrfly px4``: what is started, how it ends, and what is left."""

from __future__ import annotations

import argparse
import json
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from pyrfly.cli import main
from pyrfly.commands import px4
from pyrfly.options import attach_negative

Run = Callable[..., subprocess.Popen]


@pytest.fixture
def pyrfly(tmp_path: Path) -> Iterator[Run]:
    """Return a function that starts ``pyrfly px4`` with these arguments."""
    started: list[subprocess.Popen] = []

    def run(*arguments: object, **variables: str) -> subprocess.Popen:
        command = [sys.executable, "-m", "pyrfly", "px4", "--out", str(tmp_path / "out")]
        environment = {**os.environ, "PX4_SYS_AUTOSTART": "1", **variables}
        started.append(
            subprocess.Popen(
                [*command, *map(str, arguments)],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
            )
        )
        return started[-1]

    yield run
    for one in started:
        if one.poll() is None:
            one.kill()
        one.communicate()


def record(folder: Path) -> dict:
    """Return how an instance was started, as soon as it says so."""
    end = time.monotonic() + 20
    while not (folder / "record.json").exists():
        assert time.monotonic() < end
        time.sleep(0.01)
    return json.loads((folder / "record.json").read_text())


def ended(process: subprocess.Popen, number: signal.Signals = signal.SIGINT) -> str:
    process.send_signal(number)
    return process.communicate(timeout=20)[0]


@pytest.mark.slow
def test_each_instance_has_its_number_folder_and_environment(
    alive, pyrfly, built, tmp_path, first_instance
) -> None:
    build, first = built(), first_instance(2)
    process = pyrfly(
        *("--px4-dir", build, "--count", 2, "--instance", first, "--speed", 2.5),
        *("--param", "MIS_TAKEOFF_ALT=5", "--sim-host", "localhost", "--", "-t", "tests"),
    )
    folders = [tmp_path / "out" / f"instance_{first + i}" for i in range(2)]
    records = [record(folder) for folder in folders]
    text = ended(process)
    assert process.returncode == 0
    for i, (folder, found) in enumerate(zip(folders, records, strict=True)):
        assert found["folder"] == str(folder)
        assert found["arguments"] == [
            *("-i", str(first + i), "-d", str(build / "etc")),
            *("-s", "etc/init.d-posix/rcS", "-t", "tests"),
        ]
        assert found["variables"] == {
            "PX4_SIM_MODEL": "none_iris",
            "PX4_SIM_SPEED_FACTOR": "2.5",
            "PX4_SIM_HOSTNAME": "localhost",
            "PX4_PARAM_MIS_TAKEOFF_ALT": "5",
        }
        assert "ready" in (folder / "console.log").read_text()
        assert f"TCP {4560 + first + i}" in text
        assert not any(map(alive, found["processes"]))


@pytest.mark.slow
def test_before_1_14_the_airframe_has_the_older_name(
    pyrfly, built, tmp_path, first_instance
) -> None:
    first = first_instance(1)
    process = pyrfly("--px4-dir", built("1.12"), "--model", "none_iris", "--instance", first)
    found = record(tmp_path / "out" / f"instance_{first}")
    assert found["variables"] == {"PX4_SIM_MODEL": "iris"}
    assert "PX4 1.12, iris" in ended(process)


@pytest.mark.slow
def test_vehicles_are_flown_by_their_autopilots(pyrfly, built, first_instance) -> None:
    first = first_instance(2)
    process = pyrfly("--px4-dir", built(), "--vehicles", "iris:2", "--instance", first)
    assert process.stdout is not None
    lines: list[str] = []
    wanted = {f"connected: {first + 1}, {first + 2}\n"}
    wanted |= {f"CopterID {first + i}: PX4: Ready for takeoff!\n" for i in (1, 2)}
    while not wanted <= set(lines):
        lines.append(process.stdout.readline())
        assert lines[-1], "".join(lines)
    assert ended(process) == ""
    assert process.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_nothing_behind(
    alive, pyrfly, built, tmp_path, first_instance, number: signal.Signals
) -> None:
    first = first_instance(1)
    process = pyrfly("--px4-dir", built(), "--instance", first)
    found = record(tmp_path / "out" / f"instance_{first}")
    ended(process, number)
    assert process.returncode == 0
    assert not any(map(alive, found["processes"]))


@pytest.mark.slow
def test_two_signals_leave_nothing_behind_either(
    alive, pyrfly, built, tmp_path, first_instance
) -> None:
    first = first_instance(1)
    process = pyrfly("--px4-dir", built(behaviour="stubborn"), "--instance", first)
    found = record(tmp_path / "out" / f"instance_{first}")
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    ended(process)
    assert process.returncode == 0
    assert not any(map(alive, found["processes"]))


@pytest.mark.slow
def test_a_process_that_dies_is_reported_with_its_last_lines(pyrfly, built, first_instance) -> None:
    first = first_instance(2)
    process = pyrfly("--px4-dir", built(behaviour="die"), "--count", 2, "--instance", first)
    text = process.communicate(timeout=20)[0]
    assert process.returncode == 1
    for i in range(2):
        assert f"PX4 instance {first + i} ended with status 3" in text
        assert f"  instance {first + i} is [32mready[0m\n  it cannot go on\n" in text


@pytest.mark.slow
def test_one_that_cannot_be_started_takes_the_others_along(
    alive, pyrfly, built, tmp_path, first_instance
) -> None:
    first = first_instance(2)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / f"instance_{first + 1}").touch()
    process = pyrfly("--px4-dir", built(), "--count", 2, "--instance", first)
    text = process.communicate(timeout=20)[0]
    assert process.returncode == 2
    assert f"error: PX4 instance {first + 1} cannot be started" in text
    file = tmp_path / "out" / f"instance_{first}" / "record.json"
    assert not file.exists() or not any(map(alive, json.loads(file.read_text())["processes"]))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--vehicles", "iris:2", "--count", "3"], "count: expected 2, one for each vehicle"),
        (["--vehicles", "iris", "--sim-host", "x"], "sim-host: --vehicles are simulated"),
        (["--vehicles", "iris", "--model", "sihsim_quadx"], "model: sihsim_quadx starts a"),
        (["--vehicles", "iris:300"], "vehicles: expected at most 250"),
        (["--relay"], "relay: expected --vehicles"),
        (["--events", "gust.toml"], "events: expected --vehicles"),
        (["--wind", "5,0,0"], "wind: expected --vehicles"),
        (["--origin", "zurich"], "origin: expected --vehicles"),
        (["--count", "200", "--instance", "51"], "instance: expected 0 to 50 for 200 vehicles"),
        (["--model", "boat"], "model: expected an airframe"),
    ],
)
def test_what_does_not_fit_together_is_said(built, capsys, arguments, words) -> None:
    assert main(["px4", "--px4-dir", str(built()), *arguments]) == 2
    assert words in capsys.readouterr().err


def test_vehicles_start_where_the_options_say(tmp_path: Path) -> None:
    np.save(tmp_path / "hill.npy", np.full((9, 9), 7.0))
    arguments = f"""--px4-dir x --vehicles iris:2 --origin zurich --start=-5,3 --interval 4 --yaw 90
        --wind 1,2,0 --sensors px4 --terrain {tmp_path}/hill.npy --terrain-spacing 10"""
    parser = argparse.ArgumentParser()
    px4.add_arguments(parser)
    sim = px4._simulation(parser.parse_args(attach_negative(arguments.split())), first_id=1)
    assert sim.origin == (47.397742, 8.545594, 488.0)
    np.testing.assert_allclose(sim.pos[:, :2], [(-5, 3), (-5, 7)])
    np.testing.assert_allclose(sim.terrain, -7.0)
    np.testing.assert_allclose(sim.euler[:, 2], math.pi / 2)
    np.testing.assert_allclose(sim.wind, [(1, 2, 0)] * 2)
    assert sim.sensors.enabled


@pytest.mark.parametrize("text", ["x", "=1", "A=", "lower=1", "A B=1"])
def test_a_parameter_has_a_name_and_a_value(built, capsys, text: str) -> None:
    with pytest.raises(SystemExit):
        main(["px4", "--px4-dir", str(built()), "--param", text])
    assert "expected NAME=VALUE of a parameter" in capsys.readouterr().err

"""The program, its parameters and its end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import rclpy
import yaml
from pyrfly_ros.parameters import PARAMETERS
from rclpy.parameter import Parameter

PACKAGE = Path(__file__).resolve().parents[1]
PORT = 21500


@pytest.fixture
def program() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Return a function that starts the program."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-u", "-m", "pyrfly_ros.program"]
        command += ["--first-port", str(PORT + os.getpid() % 1000), *arguments]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        started.append(subprocess.Popen(command, text=True, **pipes))
        return started[-1]

    yield start
    for one in started:
        one.kill()
        one.communicate()


def test_vehicles_of_the_command_line_are_in_ros_until_a_signal(program) -> None:
    options = ["--vehicles", "x450:2", "--rate", "max"]
    running = program(*options, "--ros-args", "-r", "__ns:=/here", "-p", "vehicles:='2'")
    lines = []
    while not lines or (lines[-1].strip() and not lines[-1].startswith("serving")):
        lines.append(running.stdout.readline())
    shown = "ros: node /here/pyrfly, topics of 1 of 2 vehicles in /here/vehicle_<CopterID>\n"
    assert shown in lines
    running.send_signal(signal.SIGINT)
    out, _ = running.communicate(timeout=30)
    assert running.returncode == 0
    assert "ros: " in out


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--ros-args", "-p", "rates.odom:=1.0"], "parameter rates.odom: expected one of prefix"),
        (["--ros-args", "-p", "vehicles:='3'"], "parameter vehicles: expected IDs from 1 to 1"),
        (["--vehicles", "x451"], "x451"),
    ],
)
def test_what_is_not_valid_is_said(program, arguments, text) -> None:
    running = program(*arguments)
    _, told = running.communicate(timeout=60)
    assert running.returncode == 2
    assert text in told
    assert "Traceback" not in told


def test_parameters_do_not_change_later(world) -> None:
    here = world(parameters={"rates.odometry": 10.0})
    given = [Parameter("rates.odometry", value=20.0), Parameter("unknown", value=1)]
    for result in here.node.set_parameters(given):
        assert not result.successful
        assert "read when the program starts" in result.reason


def flat(tree: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return the values of a tree by names with dots."""
    found = {}
    for name, value in tree.items():
        found |= (
            flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value}
        )
    return found


def test_the_file_of_parameters_has_all_with_their_defaults() -> None:
    tree = yaml.safe_load((PACKAGE / "config" / "parameters.yaml").read_text())
    assert flat(tree["/**"]["ros__parameters"]) == PARAMETERS


def test_ros_reads_the_file_of_parameters() -> None:
    rclpy.init(args=["--ros-args", "--params-file", str(PACKAGE / "config" / "parameters.yaml")])
    try:
        node = rclpy.create_node(
            "pyrfly",
            allow_undeclared_parameters=True,
            automatically_declare_parameters_from_overrides=True,
        )
        found = {name: node.get_parameter(name).value for name in PARAMETERS}
        assert found == PARAMETERS
        node.destroy_node()
    finally:
        rclpy.shutdown()

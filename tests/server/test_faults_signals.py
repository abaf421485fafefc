"""Signals and closed terminals end ``pyrfly sim`` in every mode, and leave nothing behind."""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import socket
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = "127.0.0.1"
TIMEOUT = 60
WITH_LINKS = ["--mavlink", "ground_station,onboard", "--display", "--rfly-px4", "--custom-data"]

# Options, ports from the first one on that are then open, signal.
CASES = {
    "udp_full": (["--mode", "udp_full", *WITH_LINKS], [0, 10000, -1530, 20000], signal.SIGHUP),
    "udp_simple": (["--mode", "1"], [0, 2, 10002], signal.SIGINT),
    "mavlink_full": (["--mode", "mavlink_full"], [0, 10000, -1530, -5520], signal.SIGTERM),
    "mavlink_nosend": (["--mode", "4", "--rate", "max"], [0, 10000], signal.SIGHUP),
    "px4": (["--px4", "PORT"], [0], signal.SIGTERM),
    "px4 that is waited for": (["--px4", "PORT", "--lockstep"], [0], signal.SIGINT),
    "ardupilot": (["--ardupilot", "PORT"], [0], signal.SIGHUP),
}


@pytest.fixture
def first(first_port) -> int:
    """Return a first port at which those of all links are free."""
    return first_port(2, mavlink=True)


@pytest.fixture
def simulator(tmp_path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Return a function that runs ``pyrfly sim`` and returns its process when it serves."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str, **settings: Any) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "pyrfly", "sim", "--vehicles", "x450:2", *arguments]
        settings = settings or {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process = subprocess.Popen(command, cwd=tmp_path, text=True, **settings)
        started.append(process)
        lines = []
        while process.stdout is not None and not (lines and lines[-1].startswith("serving")):
            lines.append(process.stdout.readline())
            assert lines[-1], process.stderr.read()
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def is_free(port: int, kind: socket.SocketKind = socket.SOCK_DGRAM) -> bool:
    with socket.socket(socket.AF_INET, kind) as probe:
        try:
            probe.bind((HERE, port))
        except OSError:
            return False
        return True


def children(process: subprocess.Popen[str]) -> list[str]:
    """Return the processes that a process has started, where the system tells."""
    tasks = Path(f"/proc/{process.pid}/task").glob("*/children")
    return [child for task in tasks for child in task.read_text().split()]


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_signal_leaves_no_process_port_or_file(name, simulator, first, tmp_path):
    options, ports, number = CASES[name]
    kind = socket.SOCK_STREAM if "px4" in name else socket.SOCK_DGRAM
    if "PORT" in options:  # beside the ports of RflySim's modes
        options = [str(first + 4000) if option == "PORT" else option for option in options]
        ports = [port + 4000 for port in ports]
    process = simulator("--first-port", str(first), *options)
    assert not any(is_free(first + port, kind) for port in ports)
    assert children(process) == []
    process.send_signal(number)
    printed, errors = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 0, errors
    assert "stopped after" in printed
    assert "Traceback" not in errors
    assert all(is_free(first + port, kind) for port in ports)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the terminal is got in another way")
def test_a_closed_terminal_ends_it(simulator, first):
    """It is the session of the terminal, to which the system sends SIGHUP, and which is gone."""
    ours, theirs = pty.openpty()
    process = simulator(
        *("--first-port", str(first)),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(theirs)
    shown = b""
    while b"SimHz" not in shown:  # the status line
        shown += os.read(ours, 1000)
    assert not is_free(first)
    os.close(ours)
    process.wait(TIMEOUT)
    assert is_free(first)


@pytest.mark.slow
def test_a_killed_server_leaves_its_ports_to_the_next_one(simulator, first):
    killed = simulator("--first-port", str(first))
    killed.kill()
    killed.wait(TIMEOUT)
    following = simulator("--first-port", str(first))
    following.send_signal(signal.SIGTERM)
    following.communicate(timeout=TIMEOUT)
    assert following.returncode == 0


@pytest.mark.slow
def test_a_reader_that_stops_reading_does_not_stop_it(simulator, first, full_pipe):
    """Its output is full at the start; a client is served all the same, and a signal ends it."""
    reader, writer = full_pipe()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.bind((HERE, first + 1))
        client.settimeout(TIMEOUT)
        process = simulator("--first-port", str(first), stdout=writer, stderr=writer)
        for _ in range(10):
            client.recv(2048)
        process.send_signal(signal.SIGTERM)
        assert process.wait(TIMEOUT) == 0
    for end in (reader, writer):
        os.close(end)


@pytest.mark.slow
def test_a_closed_standard_output_is_no_error(simulator, first):
    process = simulator(
        *("--first-port", str(first), "--rate", "max", "--seconds", "0.1"),
        stderr=subprocess.PIPE,
        preexec_fn=lambda: os.close(1),
    )
    _, errors = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, "Traceback" in errors) == (0, False)

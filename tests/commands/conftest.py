"""A log, and folders that look like builds of PX4, with a stand-in for its program."""

from __future__ import annotations

import random
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pyrfly import Sim
from pyrfly.log import Recorder

STANDIN = Path(__file__).resolve().parents[1] / "server" / "standins" / "px4_program.py"

AIRFRAMES = {
    "1.12": ("10016_iris", "1030_plane", "1010_iris_opt_flow.post"),
    "1.16": ("10016_none_iris", "1030_gazebo-classic_plane", "10040_sihsim_quadx"),
}
MARKS = {
    "1.12": (),
    "1.13": ("init.d-posix/px4-rc.rtps",),
    "1.14": (),
    "1.15": ("init.d/rc.rover_differential_apps",),
    "1.16": ("init.d/rc.rover_differential_apps", "init.d-posix/px4-rc.mavlinksim"),
}
"""Files of a version that older ones do not have."""

Built = Callable[..., Path]


@pytest.fixture
def log(tmp_path: Path) -> str:
    """Return the file of a log of half a second."""
    sim = Sim("x450")
    recorder = Recorder(sim, every=100)
    sim.run(0.5, record=recorder)
    recorder.log().save(tmp_path / "flight.npz")
    return str(tmp_path / "flight.npz")


@pytest.fixture
def built(tmp_path: Path) -> Built:
    """Return a function that makes a build of a version; it returns its folder."""

    def build(version: str = "1.16", folder: str = "build", behaviour: str = "fly") -> Path:
        top = tmp_path / folder
        old = version in ("1.12", "1.13")
        for name in AIRFRAMES["1.12" if old else "1.16"]:
            file = top / "etc" / "init.d-posix" / "airframes" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
        for name in MARKS[version]:
            (top / "etc" / name).parent.mkdir(parents=True, exist_ok=True)
            (top / "etc" / name).touch()
        program = top / "bin" / "px4"
        program.parent.mkdir()
        program.write_text(
            f"#!{sys.executable}\nimport runpy, sys\nsys.argv.insert(1, {behaviour!r})\n"
            f"runpy.run_path({str(STANDIN)!r}, run_name='__main__')\n"
        )
        program.chmod(0o755)
        return top

    return build


@pytest.fixture
def first_instance() -> Callable[[int], int]:
    """Return a function that finds numbers of instances whose TCP ports are free."""

    def free(port: int) -> bool:
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                return False
            return True

    def find(count: int) -> int:
        while True:
            first = random.randrange(20, 240)
            if all(free(4560 + first + i) for i in range(count)):
                return first

    return find


@pytest.fixture
def alive() -> Callable[[int], bool]:
    """Return whether a process runs; one that waits for its parent to notice its end does not."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("needs /proc")

    def runs(pid: int) -> bool:
        try:
            text = (Path("/proc") / str(pid) / "stat").read_text()
        except OSError:
            return False
        return text.rpartition(")")[2].split()[0] not in "ZX"

    return runs

"""docs/adding-a-link.md: its link serves what the page says, its methods are those of a link."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pyrfly import Sim
from pyrfly.server import Link, PortError, Server

from .conftest import page, programs

PAGE = page("adding-a-link.md")
ROOT = Path(__file__).resolve().parents[2]


def test_the_example_sends_heights() -> None:
    (program,) = programs(PAGE)
    found: dict[str, Any] = {}
    exec(program, found)
    sim = Sim("x450", 2)
    sim.reset(pos=[(0, 0, -4), (0, 5, -7.5)], hover=True)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        ear.bind(("127.0.0.1", 0))
        ear.settimeout(10)
        link = found["HeightLink"](sim, *ear.getsockname(), first_id=3)
        server = Server(sim, mode=None, rate="max", links=[link], tick=0.25)
        server.run(1.0)
        server.close()
        texts = [ear.recv(100).decode() for _ in range(20)]
    assert texts == ["3 4.00", "4 7.50"] * 10
    assert link.stats.vehicle(4)["sent"] == 10


def test_the_example_passes_the_linters_as_a_link_of_the_server() -> None:
    (program,) = programs(PAGE)
    (path,) = re.findall(r"New file `(.*)`:", PAGE)
    ruff = shutil.which("ruff")
    if ruff is None:
        pytest.skip("needs ruff")
    for command in (["check"], ["format", "--check"]):
        done = subprocess.run(
            [ruff, *command, "--stdin-filename", ROOT / path, "-"],
            input=program,
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_example_names_a_host_without_address_and_counts_what_is_not_sent() -> None:
    (program,) = programs(PAGE)
    found: dict[str, Any] = {}
    exec(program, found)
    with pytest.raises(PortError, match=r"address: no address for 'nohost\.invalid'"):
        found["HeightLink"](Sim("x450"), "nohost.invalid")
    link = found["HeightLink"](Sim("x450"))
    link.give(0)
    link.close()  # as a network that is gone
    link.flush()
    assert link.stats["send_errors"] == 1


def test_all_methods_of_a_link_are_there() -> None:
    methods = {name for name in vars(Link) if not name.startswith("_")} - {"where", "pauses"}
    table = PAGE.split("| --- | --- | --- |")[1].split("\n\n")[0]
    first_cells = [line.split("|")[1] for line in table.strip().splitlines()]
    assert set(re.findall(r"`(\w+)\(", " ".join(first_cells))) == methods

"""docs/adding-a-link.md: its link serves what the page says, its methods are those of a link."""

from __future__ import annotations

import re
import socket
from typing import Any

from pyrfly import Sim
from pyrfly.server import Link, Server

from .conftest import page, programs

PAGE = page("adding-a-link.md")


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


def test_all_methods_of_a_link_are_there() -> None:
    methods = {name for name in vars(Link) if not name.startswith("_")} - {"where", "pauses"}
    table = PAGE.split("| --- | --- | --- |")[1].split("\n\n")[0]
    first_cells = [line.split("|")[1] for line in table.strip().splitlines()]
    assert set(re.findall(r"`(\w+)\(", " ".join(first_cells))) == methods

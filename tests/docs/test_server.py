"""docs/server-options.md: every option of ``pyrfly sim`` and every link has a row."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import re
from collections.abc import Callable

import pytest

from pyrfly.server import Link, links
from pyrfly.server.arguments import add_arguments
from pyrfly.server.relay import Relay

from .conftest import page, programs, rows

PAGE = page("server-options.md")


@pytest.mark.slow
def test_the_program_serves(
    first_port: Callable[[int], int], capsys: pytest.CaptureFixture[str]
) -> None:
    (program,) = programs(page("server.md"))
    exec(program.replace("Server(sim,", f"Server(sim, first_port={first_port(2)},"), {})
    assert float(capsys.readouterr().out.split()[0]) > 0


def options_in(cells: list[str]) -> set[str]:
    return {option for cell in cells for option in re.findall(r"`(--[\w-]+)", cell)}


def test_every_option_has_a_row_and_every_row_is_of_an_option() -> None:
    parser = argparse.ArgumentParser(add_help=False)
    add_arguments(parser)
    known = set(re.findall(r"--[\w-]+", parser.format_usage()))
    assert len(known) > 25
    of_links = options_in([option for _, option, *_ in rows(PAGE, "links")])
    assert of_links | options_in([option for option, _ in rows(PAGE, "options")]) == known


def test_every_link_has_a_row_and_every_row_is_of_a_link() -> None:
    names = {Relay.name}
    for module in pkgutil.iter_modules(links.__path__):
        found = importlib.import_module(f"pyrfly.server.links.{module.name}")
        kinds = [getattr(found, name) for name in found.__all__]
        own = {k.name for k in kinds if isinstance(k, type) and issubclass(k, Link)}
        assert own, f"{module.name} has no link"
        names |= own
    assert {link.strip("`") for link, *_ in rows(PAGE, "links")} == names

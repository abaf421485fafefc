"""docs/server.md: every option of ``pyrfly sim`` and every link has a row."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import re
from pathlib import Path

from pyrfly.server import Link, links
from pyrfly.server.arguments import add_arguments
from pyrfly.server.relay import Relay

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "server.md").read_text(encoding="utf-8")


def rows(kind: str) -> list[list[str]]:
    (table,) = re.findall(rf"<!-- {kind} -->(.*?)<!-- end -->", PAGE, re.DOTALL)
    lines = [line for line in table.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def options_in(cells: list[str]) -> set[str]:
    return {option for cell in cells for option in re.findall(r"`(--[\w-]+)", cell)}


def test_every_option_has_a_row_and_every_row_is_of_an_option() -> None:
    parser = argparse.ArgumentParser(add_help=False)
    add_arguments(parser)
    known = set(re.findall(r"--[\w-]+", parser.format_usage()))
    assert len(known) > 25
    of_links = options_in([option for _, option, *_ in rows("links")])
    assert of_links | options_in([option for option, _ in rows("options")]) == known


def test_every_link_has_a_row_and_every_row_is_of_a_link() -> None:
    names = {Relay.name}
    for module in pkgutil.iter_modules(links.__path__):
        found = importlib.import_module(f"pyrfly.server.links.{module.name}")
        kinds = [getattr(found, name) for name in found.__all__]
        own = {k.name for k in kinds if isinstance(k, type) and issubclass(k, Link)}
        assert own, f"{module.name} has no link"
        names |= own
    assert {link.strip("`") for link, *_ in rows("links")} == names

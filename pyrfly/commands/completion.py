"""``pyrfly completion``: what the TAB key completes in a shell, by argcomplete."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import Any

from pyrfly.errors import import_extra
from pyrfly.vehicles import FAMILIES, names

__all__ = ["add_arguments", "complete", "run"]

SHELLS = ("bash", "zsh", "fish")

ASKED = "_ARGCOMPLETE"
"""Variable by which the code of a shell asks for completions."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly completion``."""
    parser.add_argument("shell", choices=SHELLS, help="the shell that the code is for")


def run(options: argparse.Namespace) -> int:
    """Print code for a shell."""
    print(_argcomplete().shellcode(["pyrfly"], shell=options.shell))
    return 0


def complete(parser: Callable[[], argparse.ArgumentParser]) -> None:
    """Answer a shell that asks, and end the program; do nothing otherwise."""
    if ASKED in os.environ:
        _argcomplete().autocomplete(parser(), default_completer=_values)


def _argcomplete() -> Any:
    return import_extra("argcomplete", "completion", "completion in a shell")


def _values(prefix: str, action: argparse.Action, **others: Any) -> Any:
    """Return names of vehicles for arguments that take them, and files for the others."""
    known = VEHICLES.get(action.dest)
    if known is None:
        return _argcomplete().completers.FilesCompleter()(prefix, action=action, **others)
    done, comma, _ = prefix.rpartition(",")  # of several sets
    return [done + comma + name for name in known()]


VEHICLES = {"vehicle": names, "vehicles": names, "sets": lambda: [*FAMILIES, *names()]}
"""What completes the arguments that are parsed to these names."""

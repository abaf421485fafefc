"""Modes of ``pyrfly sim``: `mode_names` from the command line, `served` by the server."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from pyrfly.errors import shown
from pyrfly.protocol.link_modes import LinkMode, link_mode
from pyrfly.server.outputs import OUTPUTS
from pyrfly.transport import OptionError

__all__ = ["mode_names", "served"]

_OLD = tuple(name for name in OUTPUTS if name.endswith("_old"))


def mode_names(text: str) -> tuple[str, ...]:
    """Return the names of modes from names and RflySim's numbers between commas."""
    return tuple(_mode_name(part.strip()) for part in text.split(","))


def _mode_name(text: str) -> str:
    if text.lower() in OUTPUTS:
        return text.lower()
    try:
        return link_mode(text).label
    except ValueError:
        names = ", ".join([*(mode.label for mode in LinkMode), *_OLD])
        raise argparse.ArgumentTypeError(
            f"expected {names} or 0 to {max(LinkMode)}, got {shown(text)}"
        ) from None


def served(modes: Sequence[str]) -> str:
    """Return the mode of the server for the modes of the command line: the one place of the choice.

    Raises
    ------
    OptionError
        There is no link for a mode, or there are several modes for the same ports.
    """
    for mode in modes:
        if mode not in OUTPUTS:
            raise OptionError(
                f"mode: {mode} is not available yet; expected --mode {' or '.join(OUTPUTS)}"
            )
    if len(set(modes)) > 1:
        raise OptionError(
            f"mode: expected one mode for the ports from 20100 on, got {', '.join(modes)}"
        )
    return modes[0]

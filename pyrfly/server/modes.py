"""RflySim's modes: `mode_names` from the command line, and the `links_of` a mode."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from pyrfly.errors import brief
from pyrfly.protocol.link_modes import LinkMode, link_mode
from pyrfly.protocol.timeouts import TIMEOUTS
from pyrfly.server.link import Link
from pyrfly.server.links.mavlink import MavlinkLink
from pyrfly.server.links.rflysim import RflySimLink
from pyrfly.server.outputs import OUTPUTS
from pyrfly.server.starts import Starts
from pyrfly.server.timeouts import checked_timeouts
from pyrfly.sim import Sim
from pyrfly.transport import OptionError, without_key

__all__ = ["links_of", "mode_names", "served"]

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
            f"expected {names} or 0 to {max(LinkMode)}, got {brief(text)}"
        ) from None


def served(modes: Sequence[str]) -> str:
    """Return the mode of the ports from 20100 on; an OptionError if there are several."""
    if len(set(modes)) > 1:
        raise OptionError(
            f"mode: expected one mode for the ports from 20100 on, got {', '.join(modes)}"
        )
    return modes[0]


def links_of(
    sim: Sim,
    mode: str,
    rate: float,
    tick: int,
    timeouts: Mapping[str, float],
    setpoints_arm: bool,
    host: str,
    peers: Sequence[str],
    first_port: int,
    first_id: int,
    key: bytes | None,
    relayed: bool,
    starts: Starts,
    allow: Sequence[str],
) -> tuple[Link, ...]:
    """Return the links of one of RflySim's modes; arguments as of `Server`.

    In a MAVLink mode the vehicles are PX4s for ground stations and SDKs, too.
    """
    paced = TIMEOUTS["setpoints"].seconds * max(1.0, rate)  # clients send in real time
    lapse = checked_timeouts(timeouts).get("setpoints", paced)
    rflysim = RflySimLink(
        *(sim, mode, tick, lapse, setpoints_arm, host, peers),
        *(first_port, first_id, starts),
        allow=without_key(allow, key),
    )
    if relayed or not mode.startswith("mavlink_"):
        return (rflysim,)
    kinds = (mode, "ground_station", "onboard")
    try:
        return rflysim, MavlinkLink(
            *(sim, kinds, host, peers, first_port, first_id, max(1.0, rate), key, starts, allow),
            timeouts=timeouts,
        )
    except BaseException:
        rflysim.close()
        raise

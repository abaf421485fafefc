"""Options of ``pyrfly sim`` that need others, exclude them, or name one of its vehicles."""

from __future__ import annotations

import argparse

from pyrfly.transport import OptionError

__all__ = ["check_copter_ids", "check_options"]

_NEEDED = {
    "ardupilot_frame": ("ardupilot",),
    "display_rate": ("display",),
    "flightgear_vehicle": ("flightgear",),
    "lockstep": ("px4",),
    "px4_version": ("px4", "px4_serial", "px4_net"),
}
"""Options that have an effect with another one alone, with one of those."""

_MAVLINK_AUTOPILOTS = ("px4", "px4_serial", "px4_net", "ardupilot")
"""Options of autopilots outside that ground stations speak to."""


def check_options(options: argparse.Namespace, mode: str) -> None:
    """Check options that depend on one another.

    Parameters
    ----------
    options : Namespace
        The options.
    mode : str
        The mode that is served, of an option or of a start script.

    Raises
    ------
    OptionError
        An option has no effect without another one, or two exclude each other.
    """
    for name, needed in _NEEDED.items():
        if getattr(options, name) not in (None, False) and not _given(options, needed):
            raise OptionError(f"{_named(name)}: expected none without {_any_of(needed)}")
    _check_mavlink(options, mode.startswith("mavlink_"), mode)


def _check_mavlink(options: argparse.Namespace, by_mode: bool, mode: str) -> None:
    """Check that no two systems of MAVLink are one vehicle, and that a key is used."""
    outside = _given(options, _MAVLINK_AUTOPILOTS)
    if outside and options.mavlink is not None:
        raise OptionError(
            f"--mavlink: expected none with {_named(outside[0])}, whose autopilot speaks MAVLink "
            "itself"
        )
    if by_mode and options.ardupilot is not None:
        raise OptionError(
            "--mode: expected udp_full or udp_simple with --ardupilot, whose autopilot speaks "
            f"MAVLink itself, got {mode}"
        )
    answers = options.mavlink is not None or (by_mode and not outside)
    if options.mavlink_key is not None and not answers:
        raise OptionError(
            "--mavlink-key: expected none without --mavlink or a MAVLink mode in which the "
            "vehicles answer themselves"
        )


def check_copter_ids(options: argparse.Namespace, first_id: int, n: int) -> None:
    """Check options that name a vehicle by its CopterID.

    Raises
    ------
    OptionError
        There is no such vehicle.
    """
    last_id = first_id + n - 1
    for name in ("status_of", "flightgear_vehicle"):
        copter_id = getattr(options, name)
        if copter_id is not None and not first_id <= copter_id <= last_id:
            expected = f"CopterID {first_id}" + (f" to {last_id}" if n > 1 else "")
            raise OptionError(f"{_named(name)}: expected {expected}, got {copter_id}")


def _given(options: argparse.Namespace, names: tuple[str, ...]) -> list[str]:
    return [name for name in names if getattr(options, name) is not None]


def _any_of(names: tuple[str, ...]) -> str:
    return " or ".join(map(_named, names))


def _named(name: str) -> str:
    return f"--{name.replace('_', '-')}"

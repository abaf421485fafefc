"""``pyrfly mixer``: what a PX4 mixer file makes of controls."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from pyrfly.errors import brief, near_names
from pyrfly.files import printable
from pyrfly.mixers import CONTROLS, FleetMixer, Mixer, controls, find_airframe, load
from pyrfly.transport import OptionError

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly mixer``."""
    parser.add_argument(
        "files",
        nargs="*",
        type=Path,
        metavar="FILE",
        help="mixer files; the outputs of a file follow those of the files before it",
    )
    parser.add_argument(
        "--px4-dir",
        type=Path,
        metavar="DIR",
        help="instead of files: PX4's sources up to 1.13, or a build, for --airframe",
    )
    parser.add_argument("--airframe", metavar="NAME", help="name or number of an airframe there")
    parser.add_argument(
        "--controls",
        type=_values,
        default={},
        metavar="NAME=VALUE,...",
        help=f"the controls, all others are 0; names: {', '.join(CONTROLS)}",
    )


def run(options: argparse.Namespace) -> int:
    """Print the outputs of a mixer."""
    mixer = _mixer(options)
    outputs = FleetMixer(mixer, 1).update(controls(**options.controls))
    lines = zip(
        range(mixer.count), outputs.values[0], outputs.pwm()[0], mixer.descriptions(), strict=True
    )
    print(f"{'output':>6} {'value':>8} {'PWM [us]':>9}  made of")
    for number, value, pulse, text in lines:
        print(f"{number:>6} {value:>8.4f} {pulse:>9}  {text}")
    return 0


def _mixer(options: argparse.Namespace) -> Mixer:
    if options.files and options.px4_dir is None and options.airframe is None:
        return load(*options.files)
    if options.files or options.px4_dir is None or options.airframe is None:
        raise OptionError("mixer: expected either files, or --px4-dir and --airframe")
    found = find_airframe(options.px4_dir, options.airframe)
    print(f"airframe {found.number}_{found.name}: {printable(found.script)}")
    for name, file in (("main", found.main), ("aux", found.aux)):
        print(f"{name:>4}: {printable(file) if file else 'none'}")
    for line in found.missing:
        print(f"missing: {line}")
    return load(*found.files())


def _values(text: str) -> dict[str, float]:
    """Return controls by name of the option."""
    values = {}
    for part in text.split(","):
        name, equals, number = part.strip().partition("=")
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if not equals or not abs(value) <= 1:
            raise argparse.ArgumentTypeError(f"expected NAME=VALUE, -1 to 1, got {brief(part)}")
        if name not in CONTROLS:
            near = near_names(name, CONTROLS)
            raise argparse.ArgumentTypeError(f"expected a name such as {near}, got {brief(name)}")
        values[name] = value
    return values

"""``pyrfly export-model``: a vehicle as a model that needs no pyrfly."""

from __future__ import annotations

import argparse
from pathlib import Path

from pyrfly.commands.progress import doing
from pyrfly.files import printable
from pyrfly.sim.sensor_profiles import PROFILES
from pyrfly.standalone import FORMATS, export_model

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly export-model``."""
    parser.add_argument("vehicle", metavar="SET", help="a parameter set, or its file")
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        required=True,
        help="; ".join(f"{ending or 'no ending'}: {what}" for ending, (what, _) in FORMATS.items()),
    )
    parser.add_argument(
        "--no-controller",
        action="store_true",
        help="the model alone: its inputs are the actuator commands",
    )
    parser.add_argument(
        "--sensors",
        choices=PROFILES,
        default="px4_sih",
        help="profile whose white noise the sensors of a library have (default: %(default)s)",
    )


def run(options: argparse.Namespace) -> int:
    """Export a vehicle; print the files."""
    with doing(f"writes a model of {options.vehicle}"):
        files = export_model(
            options.vehicle,
            options.out,
            controller=not options.no_controller,
            sensors=options.sensors,
        )
    for path in files:
        print(printable(path))
    return 0

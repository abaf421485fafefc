"""``pyrfly vehicles --picture``: pictures of parameter sets."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from pyrfly.commands.logs import require_no_folder
from pyrfly.files import prepare_folder, printable
from pyrfly.vehicles import VehicleParameters
from pyrfly.view import portrait, sheet

__all__ = ["add_argument", "draw"]

SUFFIXES = (".png", ".jpg", ".webp")


def add_argument(parser: argparse.ArgumentParser) -> None:
    """Define the option."""
    parser.add_argument(
        "--picture",
        type=_file,
        metavar="FILE",
        help=f"what to draw all that are listed into: {', '.join(SUFFIXES)}; its folder is created",
    )


def _file(text: str) -> Path:
    path = Path(text)
    if path.suffix.lower() not in SUFFIXES:
        raise argparse.ArgumentTypeError(
            f"expected a file that ends in {', '.join(SUFFIXES)}, got {text!r}"
        )
    return path


def draw(vehicles: Sequence[VehicleParameters], path: Path) -> None:
    """Write a picture of a vehicle, or a page of several, and print its path."""
    from PIL import Image

    prepare_folder("--picture", path.parent)
    require_no_folder(path)
    pixels = portrait(vehicles[0]) if len(vehicles) == 1 else sheet(vehicles)
    Image.fromarray(pixels).save(path)
    print(printable(path))

"""The vehicles of ``pyrfly sim``, of its options and start scripts: `Fleet`, `fleet_of`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from pyrfly import plugins
from pyrfly.errors import brief
from pyrfly.options import naming, vehicle_counts, with_channels
from pyrfly.server.scripts.settings import StartSettings
from pyrfly.transport import MAXIMUM_FLEET, OptionError
from pyrfly.vehicles import VehicleParameters, load

__all__ = ["Fleet", "Library", "add_libraries", "fleet_of"]

_STEP = 1e-3
"""Integrator step of a `pyrfly.Sim` [s], with models of longer steps one of theirs."""


class Library(NamedTuple):
    """A library of ``--dll``, and how many vehicles are to have it; None: not said."""

    path: Path
    vehicles: int | None


class Fleet(NamedTuple):
    """Vehicles by parameter set, and the integrator step for them [s]."""

    counts: Mapping[Any, int]
    dt: float = _STEP

    @property
    def n(self) -> int:
        """Number of vehicles."""
        return sum(self.counts.values())

    @property
    def names(self) -> list[str]:
        """Names of the sets, libraries by their files."""
        return [one if isinstance(one, str) else one.name for one in self.counts]


def add_libraries(parser: argparse.ArgumentParser) -> None:
    """Define the options of models in libraries."""
    parser.add_argument(
        "--dll",
        type=_library,
        action="append",
        metavar="FILE[:COUNT]",
        help="vehicles whose model is a library with RflySim's functions (.so), and how many; each "
        "has a process of its own; may be given more than once, beside --vehicles",
    )
    parser.add_argument(
        "--dll-in-process",
        action="store_const",
        const=True,
        help="run models of libraries in this process: faster, but a model that crashes ends it",
    )


def _library(text: str) -> Library:
    path, colon, digits = text.rpartition(":")
    if not (colon and digits.isascii() and digits.isdigit()):
        return Library(Path(text), None)
    if len(digits) > 9 or not 1 <= int(digits) <= MAXIMUM_FLEET or not path:
        raise argparse.ArgumentTypeError(
            f"expected FILE or FILE:COUNT, COUNT 1 to {MAXIMUM_FLEET}, got {brief(text)}"
        )
    return Library(Path(path), int(digits))


def fleet_of(
    options: argparse.Namespace,
    settings: StartSettings,
    printed: Callable[[int, str], object] | None = None,
) -> Fleet:
    """Return the vehicles that options and a start script ask for; options go before the script.

    Libraries are loaded, which runs native code: they are those that ``--dll`` or the script name.
    What isolated ones print is given to ``printed``, with the number of the vehicle from 1.

    Raises
    ------
    OptionError, ParameterError
        There is no such vehicle, or there are too many; a file is no model.
    """
    libraries = _libraries(options, settings)
    if options.dll_in_process and not libraries:
        raise OptionError("--dll-in-process: expected none without a library, such as by --dll")
    isolate = not options.dll_in_process
    models = [
        (plugins.load(one.path, isolate=isolate, printed=printed), one.vehicles or 1)
        for one in libraries
    ]
    counts: dict[Any, int] = {}
    if options.vehicles is not None:
        counts.update(vehicle_counts(options.vehicles))
    elif not models:
        counts[settings.vehicle] = settings.count
    counts.update(models)
    if options.vehicles is None and options.dll is None and settings.display_class is not None:
        counts = {_shown_as(one, settings.display_class): n for one, n in counts.items()}
    if sum(counts.values()) > MAXIMUM_FLEET:
        raise OptionError(
            f"--dll: expected at most {MAXIMUM_FLEET} vehicles in all, got {sum(counts.values())}"
        )
    with naming(vehicle="--vehicles"):
        whole = with_channels(counts, options.px4_channels)
    return Fleet(whole, max([_STEP, *(model.step for model, _ in models)]))


def _libraries(options: argparse.Namespace, settings: StartSettings) -> list[Library]:
    """Return the libraries that are named: of a single one the script may say how many."""
    named: list[Library] = options.dll or []
    if options.vehicles is not None or len(named) > 1:
        return named
    if not named and settings.library is not None:
        named = [Library(settings.library, None)]
    return [one._replace(vehicles=one.vehicles or settings.count) for one in named]


def _shown_as(vehicle: str | VehicleParameters, number: int) -> VehicleParameters:
    """Return a vehicle with another number in RflySim3D."""
    return replace(load(vehicle) if isinstance(vehicle, str) else vehicle, uav_type=number)

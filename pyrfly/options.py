"""Options of several programs: numbers within bounds, vehicles, terrain maps, files of events.

The functions for `argparse` raise its ArgumentTypeError, or a ValueError for what is no number.
"""

from __future__ import annotations

import argparse
import difflib
import math
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from pyrfly.errors import (
    CommandWarning,
    Error,
    ParameterError,
    SceneError,
    brief,
    near_names,
    warn,
)
from pyrfly.files import printable, read_regular
from pyrfly.sim import Sim
from pyrfly.sim.boundary_tables import enter_boundaries
from pyrfly.sim.ends import RUN_ENDS, checked_until
from pyrfly.sim.events import enter_events
from pyrfly.terrain import GEOIDS, TerrainMap, read_terrain
from pyrfly.transport import MAXIMUM_FLEET, OptionError
from pyrfly.vehicles import VehicleParameters, load
from pyrfly.vehicles.entries import parse_toml

__all__ = [
    "Parser",
    "add_battery",
    "add_boundaries",
    "add_estimator",
    "add_events",
    "add_geoid",
    "add_params",
    "add_payload",
    "add_px4_channels",
    "add_scene",
    "add_terrain",
    "add_until",
    "attach_negative",
    "attach_payloads",
    "enable_batteries",
    "enable_estimator",
    "enter_boundary_file",
    "enter_event_file",
    "load_params",
    "naming",
    "number",
    "numbers",
    "origin",
    "put_scene",
    "terrain_of",
    "triple",
    "vehicle_counts",
    "warnings_told",
    "whole_number",
    "with_channels",
]

_CHOICES = re.compile(r"invalid choice: '?([^' ]+)'? .*\(choose from (.*)\)")

_ALIKE = 0.7  # of names that one may be meant by the other, as of difflib

ALIASES = {"quad_x": "sdk"}
"""Names of vehicles beside those of the parameter sets."""

ORIGINS = {"zurich": (47.397742, 8.545594, 488.0)}
"""Places by name: the home of PX4's simulations [@px4 v1.16.1 px4-rc.mavlinksim]."""

_MAXIMUM_FILE = 10_000_000
"""Maximum size of a file of events [bytes]."""


class Parser(argparse.ArgumentParser):
    """Parser, also of each command, whose errors name what is like an unknown option or choice."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """See `argparse.ArgumentParser.parse_known_args`; an unknown option is an error."""
        options, further = super().parse_known_args(args, namespace)
        for word in further:
            if word.startswith("--"):
                name = word.partition("=")[0]
                known = dict.fromkeys(re.findall(r"--[a-z0-9-]+", self.format_usage()))
                near = near_names(name, known, f"those of {self.prog} --help")
                self.exit(2, f"{self.prog}: error: unknown option {name}; try {near}\n")
        return options, further

    def error(self, message: str) -> NoReturn:
        """End the program with a message."""
        if match := _CHOICES.search(message):
            message += _near(match[1], re.findall(r"[\w-]+", match[2]))
        super().error(message)


def _near(word: str, known: Iterable[str]) -> str:
    """Return the name that was probably meant, as the end of a message, or nothing."""
    return "".join(
        f"; try {name}" for name in difflib.get_close_matches(word, list(known), 1, _ALIKE)
    )


@contextmanager
def warnings_told(program: str, *kinds: type[Warning], places: bool = False) -> Iterator[None]:
    """Print warnings as a line each, not with the place in the program that they come from.

    Parameters
    ----------
    program : str
        What the lines begin with.
    *kinds : type
        Which warnings, by default any UserWarning; others are shown as Python does.
    places : bool
        Whether the lines end with file and line, of a user's script.
    """
    told = kinds or (UserWarning,)
    usual = warnings.showwarning

    def tell(
        message: Warning | str, category: type[Warning], file: str, line: int, *others: Any
    ) -> None:
        if issubclass(category, told):
            place = f" ({Path(file).name}:{line})" if places else ""
            print(f"{program}: warning: {message}{place}", file=sys.stderr)
        else:
            usual(message, category, file, line, *others)

    with warnings.catch_warnings():
        for kind in told:
            warnings.simplefilter("default", kind)
        warnings.showwarning = tell  # type: ignore[assignment]  # its arguments are positional
        yield


def number(low: float, high: float, unit: str) -> Callable[[str], float]:
    """Return a function that reads a number in ``low..high``."""

    def number(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not low <= value <= high:
            raise _unexpected(f"{low:g} to {high:g} {unit}", text)
        return value

    return number


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """Return a function that reads a whole number in ``low..high``."""

    def whole_number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise _unexpected(f"a whole number, {low} to {high}", text) from None
        if not low <= value <= high:
            raise _unexpected(f"{low} to {high}", text)
        return value

    return whole_number


def numbers(names: str, limits: Sequence[float]) -> Callable[[str], tuple[float, ...]]:
    """Return a function that reads numbers between commas, each up to plus and minus a limit.

    An infinite limit is none, but the number is finite.
    """
    bounds = ", ".join(f"{limit:g}" for limit in limits)
    within = f" within plus and minus {bounds}" if all(map(math.isfinite, limits)) else ""

    def numbers(text: str) -> tuple[float, ...]:
        try:
            values = tuple(map(float, text.split(",")))
        except ValueError:
            values = ()
        if len(values) != len(limits) or not all(
            math.isfinite(value) and abs(value) <= limit
            for value, limit in zip(values, limits, strict=True)
        ):
            raise _unexpected(f"{names}{within}", text)
        return values

    return numbers


triple = numbers("three numbers a,b,c", (math.inf,) * 3)
"""Reads three finite numbers between commas."""


def add_geoid(parser: argparse.ArgumentParser, what: str) -> None:
    """Define the option ``--geoid``, which makes ``what``."""
    parser.add_argument(
        "--geoid",
        metavar="MODEL",
        help=f"{what} ({', '.join(GEOIDS)} if PROJ has its grid, or a .tif or .gtx; "
        "docs/terrain.md); by default altitudes stay as they are",
    )


def origin(text: str) -> tuple[float, ...]:
    """Read latitude, longitude [deg] and height [m], or the name of a place of `ORIGINS`.

    Examples
    --------
    >>> origin("zurich")
    (47.397742, 8.545594, 488.0)
    """
    expected = f"latitude, longitude [deg] and height [m], or {', '.join(ORIGINS)},"
    read = numbers(expected, (90.0, 180.0, 1e4))
    return ORIGINS[text] if text in ORIGINS else read(text)


def _unexpected(expected: str, text: str) -> argparse.ArgumentTypeError:
    return argparse.ArgumentTypeError(f"expected {expected}, got {brief(text)}")


def attach_negative(arguments: Sequence[str]) -> list[str]:
    """Return arguments of a program with negative values joined to their options by ``=``.

    Otherwise `argparse` takes ``-5,0,0`` for an option.
    """
    joined: list[str] = []
    for argument in arguments:
        if joined and re.match(r"-[.\d]", argument) and re.fullmatch(r"--[\w-]+", joined[-1]):
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


@contextmanager
def _refused(option: str, error: type[ValueError]) -> Iterator[None]:
    """Name the option in an error of what it asks for."""
    try:
        yield
    except error as told:
        raise OptionError(f"{option}: {told}") from None


@contextmanager
def naming(**options: str) -> Iterator[None]:
    """Name options in errors that begin with the argument which the option is passed as.

    Parameters
    ----------
    **options : str
        Options by the name of the argument.

    Examples
    --------
    >>> from pyrfly.options import naming
    >>> from pyrfly.transport import resolved
    >>> with naming(peers="--peer"):
    ...     resolved("peers", "")
    Traceback (most recent call last):
    pyrfly.transport.ports.OptionError: --peer: expected an address or a host name, got ''
    """
    try:
        yield
    except Error as error:
        argument, colon, text = str(error).partition(":")
        if not colon or argument not in options:
            raise
        raise OptionError(f"{options[argument]}:{text}") from None


def vehicle_counts(text: str) -> dict[str, int]:
    """Return the numbers of vehicles by parameter set from ``NAME[:COUNT][,NAME[:COUNT]]...``.

    Raises
    ------
    OptionError
        When the text has another form, a set occurs twice, or there are too many vehicles.
    """
    counts: dict[str, int] = {}
    for part in text.split(","):
        name, colon, digits = part.strip().partition(":")
        short = digits.isascii() and digits.isdigit() and len(digits) <= 9
        count = int(digits) if short else 0
        if not name or (colon and count < 1):
            raise OptionError(
                f"vehicles: expected NAME or NAME:COUNT, COUNT 1 to {MAXIMUM_FLEET}, "
                f"got {brief(part)}"
            )
        name = ALIASES.get(name, name)
        if name in counts:
            raise OptionError(f"vehicles: expected each set once, got {name!r} twice")
        counts[name] = count if colon else 1
    if sum(counts.values()) > MAXIMUM_FLEET:
        raise OptionError(
            f"vehicles: expected at most {MAXIMUM_FLEET} in all, got {sum(counts.values())}"
        )
    return counts


def add_px4_channels(parser: argparse.ArgumentParser) -> None:
    """Define the option of the channels of PX4 that drive the actuators."""
    parser.add_argument(
        "--px4-channels",
        type=_channels,
        metavar="N,N,...",
        help="channels of PX4, from 0, that drive the actuators, in their order, - for none; 0,1,-,"
        "-,3 are those of generic_wing for planes with elevons (default: those of the family)",
    )


def _channels(text: str) -> list[int]:
    words = [word.strip() for word in text.split(",")]
    if not all(word == "-" or (word.isascii() and word.isdigit()) for word in words):
        raise argparse.ArgumentTypeError(f"expected numbers or - with commas, got {brief(text)}")
    return [-1 if word == "-" else int(word[:3]) for word in words]


def with_channels(counts: Mapping[Any, int], channels: Sequence[int] | None) -> Mapping[Any, int]:
    """Return vehicles by parameter set with the channels of `add_px4_channels`.

    Raises
    ------
    OptionError
        A set has another number of actuators.
    """
    if channels is None:
        return counts
    with naming(px4_channels="--px4-channels"):
        return {_set(one).with_px4_channels(list(channels)): n for one, n in counts.items()}


def _set(vehicle: Any) -> VehicleParameters:
    return load(vehicle) if isinstance(vehicle, str) else vehicle


def add_terrain(parser: argparse.ArgumentParser) -> None:
    """Define the options of a terrain map."""
    parser.add_argument(
        "--terrain",
        type=Path,
        metavar="FILE",
        help="terrain map: a .png with its .txt beside it (RflySim), a .npy or a GeoTIFF; the "
        "vehicles start on it",
    )
    parser.add_argument(
        "--terrain-spacing",
        type=number(1e-3, 1e5, "m"),
        metavar="M",
        help="distance of two heights of a .npy [m], the middle of which is at the origin",
    )
    _add_terrain_picture(parser)


def _add_terrain_picture(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--terrain-picture",
        type=Path,
        metavar="FILE",
        help="picture of the map, north up, from edge to edge, that is shown (default: a .jpg "
        "beside the map of its name)",
    )


def terrain_of(
    options: argparse.Namespace, origin: Sequence[float] | None = None
) -> TerrainMap | None:
    """Return the map of the options of `add_terrain`, or None.

    Parameters
    ----------
    options : Namespace
        The options.
    origin : sequence of float, optional
        Of the local frame, for a GeoTIFF; maps of RflySim have their own, or none.
    """
    given = {"spacing": options.terrain_spacing, "picture": options.terrain_picture}
    if options.terrain is None:
        for name, value in given.items():
            if value is not None:
                raise OptionError(f"--terrain-{name}: expected none without --terrain")
        return None
    is_placed = options.terrain.suffix.lower() in (".tif", ".tiff")
    with naming(spacing="--terrain-spacing"):
        return read_terrain(options.terrain, origin=origin if is_placed else None, **given)


def add_events(parser: argparse.ArgumentParser) -> None:
    """Define the option of a file of events."""
    parser.add_argument(
        "--events",
        type=Path,
        metavar="FILE",
        help="changes of columns at simulated times: a .toml file of tables [[events]] with the "
        "arguments of Sim.at, such as time = 5, wind = [8, 0, 0] (docs/events.md)",
    )


def add_boundaries(parser: argparse.ArgumentParser, end: str) -> None:
    """Define the option of a file of safety boundaries; ``end``: what ``terminate`` does."""
    parser.add_argument(
        "--boundaries",
        type=Path,
        metavar="FILE",
        help="safety boundaries: a .toml file of tables [[boundaries]] with the arguments of "
        "Sim.safety.add, such as boundary = 'speed', maximum = 12, action = 'terminate', which "
        f"{end} (docs/safety.md)",
    )


def add_until(parser: argparse.ArgumentParser, what: str) -> None:
    """Define the option ``--until``, at whose ends ``what`` ends."""
    parser.add_argument(
        "--until",
        type=_ends,
        default=(),
        metavar="END,...",
        help=f"end {what}, with the reason: {', '.join(RUN_ENDS)}, one or several of them "
        "(docs/safety.md)",
    )


def _ends(text: str) -> tuple[str, ...]:
    try:
        return checked_until([part.strip() for part in text.split(",")])
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error).removeprefix("until: ")) from None


def add_params(parser: argparse.ArgumentParser) -> None:
    """Define the option of a file of parameters by number."""
    parser.add_argument(
        "--params",
        type=Path,
        metavar="FILE",
        help="RflySim's parameters by number, a .csv file of interface,number,value,vehicle "
        "(docs/parameters-by-number.md)",
    )


def add_battery(parser: argparse.ArgumentParser) -> None:
    """Define the option of batteries."""
    parser.add_argument(
        "--battery",
        type=number(0.1, 10_000, "min"),
        metavar="MIN",
        help="feed vehicles by batteries for so many minutes of hover, or of cruise "
        "(docs/power.md); without, they have one that does not run down",
    )


def enable_batteries(options: argparse.Namespace, sim: Sim) -> None:
    """Feed vehicles by the batteries of the option of `add_battery`, if it is given.

    Raises
    ------
    OptionError
        A vehicle can have none.
    """
    if options.battery is None:
        return
    with _refused("--battery", ValueError):
        sim.power.enable(endurance=60.0 * options.battery)


def payload(text: str) -> tuple[float, float]:
    """Read the mass [kg] of a payload and, after a comma, the length of its cable [m]."""
    try:
        mass, *cable = map(float, text.split(","))
        (length,) = cable or [0.0]
    except ValueError:
        mass = length = math.nan
    if not (0.0 < mass <= 1e4 and 0.0 <= length <= 1e4):
        raise _unexpected("a mass above 0 to 1e+04 kg, or also ,0 to 1e+04 m of cable", text)
    return mass, length


def add_payload(parser: argparse.ArgumentParser) -> None:
    """Define the option of payloads."""
    parser.add_argument(
        "--payload",
        type=payload,
        metavar="KG[,M]",
        help="let vehicles carry a payload of this mass, on a cable of this length, which "
        "DO_GRIPPER drops (docs/payload.md)",
    )


def attach_payloads(options: argparse.Namespace, sim: Sim) -> None:
    """Let vehicles carry the payload of the option of `add_payload`, if it is given.

    Raises
    ------
    OptionError
        A vehicle can carry none.
    """
    if options.payload is None:
        return
    mass, cable = options.payload
    with _refused("--payload", ParameterError):
        sim.payload.attach(mass, cable=cable)


def add_scene(parser: argparse.ArgumentParser) -> None:
    """Define the options of a scene and of collisions."""
    parser.add_argument(
        "--scene",
        type=Path,
        metavar="FILE",
        help="what stands around the vehicles: a .toml or a mesh (docs/scene.md)",
    )
    parser.add_argument(
        "--collisions",
        action="store_true",
        help="vehicles meet each other, the scene and the ground, and break (docs/collisions.md)",
    )


def put_scene(options: argparse.Namespace, sim: Sim) -> None:
    """Put the scene of the options of `add_scene` around the vehicles, and let them collide.

    Raises
    ------
    OptionError
        The file is missing or invalid, or vehicles cannot collide.
    """
    if options.scene is not None:
        with _refused("--scene", SceneError):
            sim.scene.set(options.scene)
    if options.collisions:
        with _refused("--collisions", ParameterError):
            sim.collisions.enable()


def add_estimator(parser: argparse.ArgumentParser, default: bool) -> None:
    """Define the option of flight on an estimate of the state."""
    parser.add_argument(
        "--estimator",
        action=argparse.BooleanOptionalAction,
        default=default,
        help="fly on what an estimator makes of the sensors, so that their faults change flights, "
        "instead of on the true state (docs/estimator.md)",
    )


def enable_estimator(options: argparse.Namespace, sim: Sim) -> None:
    """Let vehicles with sensors fly on an estimate, by the option of `add_estimator`.

    Raises
    ------
    OptionError
        A vehicle has no sensors.
    """
    if not options.estimator:
        return
    try:
        sim.estimator.enable(fly=True)
    except ValueError:
        raise OptionError(
            "--estimator: expected vehicles with sensors that are simulated, see --sensors; a "
            "model in a library has its own"
        ) from None


def load_params(options: argparse.Namespace, sim: Sim, first_id: int = 1) -> None:
    """Set the parameters of the option of `add_params`, if it is given.

    Raises
    ------
    OptionError
        The file cannot be read, or an entry of it is wrong.
    """
    if options.params is None:
        return
    with _refused("--params", ValueError):
        refused = sim.model_params.load(options.params, first_id=first_id)
    for text in refused:
        warn(f"--params: {text}", CommandWarning)


def enter_event_file(options: argparse.Namespace, sim: Sim, first_id: int = 1) -> None:
    """Enter the events of the option of `add_events`, if it is given.

    Parameters
    ----------
    options : Namespace
        The options.
    sim : Sim
        The vehicles.
    first_id : int
        CopterID of the first vehicle, by which ``ids`` name it.

    Raises
    ------
    OptionError
        The file cannot be read, or has what is no event.
    """
    if options.events is not None:
        _enter_tables(
            options.events, "events", lambda tables: enter_events(sim.at, sim.n, tables, first_id)
        )


def enter_boundary_file(options: argparse.Namespace, sim: Sim, first_id: int = 1) -> None:
    """Give vehicles the boundaries of the option of `add_boundaries`, as `enter_event_file` does.

    Raises
    ------
    OptionError
        The file cannot be read, or has what is no boundary.
    """
    if options.boundaries is not None:
        _enter_tables(
            options.boundaries, "boundaries", lambda tables: enter_boundaries(sim, tables, first_id)
        )


def _enter_tables(path: Path, kind: str, enter: Callable[[Any], object]) -> None:
    """Read the tables of an option of this name from a file, and enter them."""
    name = printable(path)
    try:
        table = parse_toml(name, read_regular(path, _MAXIMUM_FILE))
        if unknown := table.keys() - {kind}:
            raise ValueError(f"expected tables [[{kind}]] alone, got {brief(min(unknown))}")
        enter(table.get(kind, []))
    except ParameterError as error:
        raise OptionError(f"--{kind}: {error}") from None
    except (TypeError, ValueError) as error:
        raise OptionError(f"--{kind}: {name}: {error}") from None

"""``pyrfly fly``: flies a mission; writes a log and a plot."""

from __future__ import annotations

import argparse
import math
import os
import shutil
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

from pyrfly import _core
from pyrfly.commands.interruption import Interruption
from pyrfly.commands.progress import Progress, doing
from pyrfly.commands.recordings import kept_recordings
from pyrfly.errors import MapError
from pyrfly.files import prepare_folder, printable, readable
from pyrfly.log import (
    FORMATS,
    Log,
    Recorder,
    SensorRecorder,
    flight_columns,
    plot_flight,
    require_format,
)
from pyrfly.log.flight_notes import notes_of_flights
from pyrfly.mission import (
    BATTERY_ACTIONS,
    DEFAULT_HOME,
    DEMO,
    FENCE_ACTIONS,
    BatteryAction,
    FlightResult,
    Mission,
    fly_missions,
    in_formation,
    read_mission,
    summary_table,
)
from pyrfly.mission.low_battery import checked_battery_actions
from pyrfly.options import (
    add_battery,
    add_boundaries,
    add_estimator,
    add_events,
    add_geoid,
    add_payload,
    add_scene,
    add_terrain,
    add_until,
    attach_payloads,
    enable_batteries,
    enable_estimator,
    enter_boundary_file,
    enter_event_file,
    number,
    put_scene,
    terrain_of,
    triple,
    vehicle_counts,
    whole_number,
)
from pyrfly.protocol.bits import Sensor
from pyrfly.sim import PROFILES, SEVERITIES, Sim
from pyrfly.sim.interface import names_of
from pyrfly.terrain import TerrainMap, geoid_height
from pyrfly.transport import OptionError

__all__ = ["add_arguments", "run"]

START_SPREAD = 0.5
"""Maximum distance of the start of a seeded flight from its place, north and east [m]."""

FAILED = 1

_PICTURE = ".png"

_LEVEL = TerrainMap(np.zeros((2, 2)), 1.0)
"""To read where home is, before the map that is read about it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly fly``."""
    parser.add_argument(
        "mission",
        nargs="?",
        type=Path,
        default=DEMO,
        help="a QGroundControl .plan, a text mission (QGC WPL), or a .csv of waypoints; by default "
        "the packaged demo",
    )
    parser.add_argument(
        "--vehicle",
        default="x450",
        metavar="NAME[:COUNT],...",
        help="parameter sets (see pyrfly vehicles), .toml, .sdf or .urdf files, and how many of "
        "each; several vehicles fly the mission side by side",
    )
    parser.add_argument(
        "--spacing",
        type=number(0, 1000, "m"),
        default=5.0,
        help="distance between vehicles, to the east [m] (default: 5)",
    )
    _add_scene(parser)
    parser.add_argument(
        "--speed-up",
        type=number(0.01, 1000, "times real time"),
        metavar="FACTOR",
        help="fly at most so many times as fast as real time; by default as fast as possible",
    )
    parser.add_argument(
        "--fence-action",
        choices=FENCE_ACTIONS,
        default="hold",
        help="action at a breach of the geofence of the plan (default: hold, as PX4)",
    )
    parser.add_argument(
        "--max-height",
        type=number(0, 10_000, "m"),
        metavar="M",
        help="height above home that counts as a breach of the geofence [m]",
    )
    add_until(parser, "the flight of a vehicle that comes there before its mission has ended")
    parser.add_argument(
        "--out", type=Path, default=Path("flights"), help="folder for log and plot; created"
    )
    parser.add_argument("--format", choices=FORMATS, default="npz", help="format of the log")
    parser.add_argument("--no-plot", action="store_true", help="write the log only")


def _add_scene(parser: argparse.ArgumentParser) -> None:
    """Define the options of place, air, sensors, events and chance."""
    parser.add_argument(
        "--home",
        type=triple,
        metavar="LAT,LON,ALT",
        help="start and origin [deg, deg, m above sea level as of plans, see --geoid], instead of "
        "that of the mission",
    )
    add_geoid(parser, "take altitudes above sea level to heights above the ellipsoid")
    add_terrain(parser)
    add_scene(parser)
    parser.add_argument(
        "--wind", type=triple, default=(0.0, 0.0, 0.0), metavar="N,E,D", help="wind velocity [m/s]"
    )
    parser.add_argument(
        "--turbulence",
        choices=SEVERITIES,
        help="Dryden turbulence of MIL-F-8785C; the seed decides which (docs/environment.md)",
    )
    add_battery(parser)
    add_payload(parser)
    parser.add_argument(
        "--battery-actions",
        type=_battery_actions,
        metavar="CHARGE=ACTION,...",
        help="what a low battery does, below each charge of 0 to 1: warn, return or land, or none "
        f"for nothing (default: {_as_text(BATTERY_ACTIONS)}, as PX4); with --battery",
    )
    parser.add_argument(
        "--sensors",
        choices=PROFILES,
        metavar="PROFILE",
        help="simulate sensors and log what each measures, with the noise of "
        f"{', '.join(PROFILES)} (docs/sensors.md)",
    )
    add_estimator(parser, default=False)
    add_events(parser)
    add_boundaries(parser, "ends all flights")
    parser.add_argument(
        "--seed",
        type=whole_number(0, 2**64 - 1),
        help="draw noise and gusts, and the start: a random heading, up to "
        f"{START_SPREAD} m north and east of home",
    )


def _as_text(actions: Mapping[float, BatteryAction]) -> str:
    return ",".join(f"{charge:g}={action}" for charge, action in actions.items())


def _battery_actions(text: str) -> Mapping[float, BatteryAction]:
    """Read actions by charge, such as ``0.3=return,0.1=land``."""
    pairs = [] if text == "none" else [part.partition("=") for part in text.split(",")]
    charge_of = number(0, 1, "before each =")
    found = {charge_of(charge): action.strip() for charge, _, action in pairs}
    try:
        return checked_battery_actions(found)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error).partition(": ")[2]) from None


def run(options: argparse.Namespace) -> int:
    """Fly; an interrupted flight is written as far as it was flown."""
    actions = _actions_of(options)
    terrain = _terrain(options)
    mission = _mission(options, terrain)
    sim, starts = _sim_at_start(options, terrain)
    _prepare_folder(options)
    missions = {i: in_formation(mission, start) for i, start in enumerate(starts, start=1)}
    earlier = _earlier(options)
    name = f"{options.mission.stem}-{_vehicles(options)}"
    with kept_recordings(options.out, name) as folder, Interruption() as interruption:
        failures: list[OSError] = []  # of the recording; the flight goes on
        recorder = Recorder(
            sim,
            flight_columns(sim),
            folder=folder / "flight",
            faults=True,
            failed=failures.append,
        )
        sensors = None
        if options.sensors:
            sensors = SensorRecorder(sim, folder=folder, failed=failures.append)
        with Progress() as progress:
            results = fly_missions(
                sim,
                missions,
                recorder=recorder,
                fence_action=options.fence_action,
                battery_actions=actions,
                stop=_Stop(sim, interruption, options.speed_up, progress),
                until=options.until,
            )
        log = recorder.log()
        completed = all(result.completed for result in results.values())
        name = options.mission.name
        log.metadata.update(mission=name, seed=options.seed, completed=completed)
        log.metadata.update(notes_of_flights(results, begin=0.0))
        try:
            _print(results, sim)
        finally:  # also if nobody reads that
            paths, errors = _write(log, sensors, missions[1], options)
            if all(path.suffix == _PICTURE for path in errors):
                shutil.rmtree(folder)
            else:  # what a whole log has no room for, the last part may have
                recorder.close()
                if sensors is not None:
                    sensors.close()
    if interruption.signal is not None:
        print(f"interrupted by {interruption.signal.name}; what was flown is in:")
    for path in paths:
        print(printable(path))
    _tell_of_earlier(earlier, paths)
    failed: list[Exception] = [*failures, *errors.values()]
    for error in failed[1:]:
        print(f"pyrfly fly: error: {error}", file=sys.stderr)
    if failed:
        raise failed[0]
    return interruption.exit_status or (0 if completed else FAILED)


def _terrain(options: argparse.Namespace) -> TerrainMap | None:
    """Return the map, with home on its ground: at latitude and longitude of a GeoTIFF.

    A home that was not set, and is not on a GeoTIFF, is its middle.
    """
    if options.terrain is None:
        return terrain_of(options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # `_mission` has them
        home = options.home or read_mission(options.mission, terrain=_LEVEL).home
    try:
        terrain = terrain_of(options, home[:2])
    except MapError as error:
        if home != DEFAULT_HOME:
            is_home = "; it is home, of the mission or by --home" if "origin:" in str(error) else ""
            raise MapError(f"{error}{is_home}") from None
        terrain = terrain_of(options)
    return None if terrain is None else terrain.relative_to(0.0, 0.0)


def _mission(options: argparse.Namespace, terrain: TerrainMap | None) -> Mission:
    """Return the mission, with the origin of a map as its home."""
    home = options.home if terrain is None else terrain.origin or options.home
    if options.mission == DEMO and home is not None:  # it is flown at any home
        mission = replace(read_mission(DEMO, terrain=terrain), home=home)
    else:
        mission = read_mission(options.mission, home, terrain=terrain)
    if options.geoid is not None:
        lat, lon, alt = mission.home
        mission = replace(
            mission, home=(lat, lon, alt + float(geoid_height(lat, lon, options.geoid)))
        )
    if options.max_height is not None:
        mission = replace(mission, fence=replace(mission.fence, max_height=options.max_height))
    return mission


def _actions_of(options: argparse.Namespace) -> Mapping[float, BatteryAction]:
    """Return what low batteries do."""
    if options.battery_actions is None:
        return BATTERY_ACTIONS
    if options.battery is None:
        raise OptionError("--battery-actions: expected --battery MIN with it")
    given: Mapping[float, BatteryAction] = options.battery_actions
    return given


def _sim_at_start(
    options: argparse.Namespace, terrain: TerrainMap | None
) -> tuple[Sim, list[tuple[float, float]]]:
    """Return the vehicles in a row to the east, and the place of each in it (north, east) [m]."""
    sim = Sim(vehicle_counts(options.vehicle))
    sim.environment.set_terrain(terrain)
    enable_batteries(options, sim)
    attach_payloads(options, sim)
    put_scene(options, sim)
    if options.turbulence is not None:
        sim.environment.set_turbulence(options.turbulence)
    if options.sensors is not None:
        sim.sensors.enable_all(options.sensors)
    enable_estimator(options, sim)
    pos = np.zeros((sim.n, 2))
    pos[:, 1] = options.spacing * np.arange(sim.n)
    starts = [(float(north), float(east)) for north, east in pos]
    yaw = np.zeros(sim.n)
    if options.seed is not None:
        random = 2 * _core.uniform(options.seed, 0, 0, 1, sim.n, 3) - 1
        pos += START_SPREAD * random[:, :2]
        yaw = math.pi * random[:, 2]
    sim.reset(pos=pos, yaw=yaw, seed=options.seed or 0)
    sim.select().write("wind", options.wind)
    enter_event_file(options, sim)
    enter_boundary_file(options, sim)
    return sim, starts


class _Stop:
    """Ends a flight at a signal, delays it to a multiple of real time, and says how far it is."""

    def __init__(
        self,
        sim: Sim,
        interruption: Interruption,
        speed_up: float | None,
        progress: Progress,
    ) -> None:
        self._sim = sim
        self._interruption = interruption
        self._speed_up = speed_up
        self._progress = progress
        self._begin = time.monotonic()

    def __call__(self) -> str:
        past = time.monotonic() - self._begin
        if self._progress.due and past > 0.0:
            factor = self._sim.time / past
            self._progress.show(f"{self._sim.time:.0f} s flown, {factor:.3g} times real time")
        if self._speed_up is not None:
            ahead = self._sim.time / self._speed_up - past
            if ahead > 0.0:
                self._interruption.wait(ahead)
        found = self._interruption.signal
        return "" if found is None else f"interrupted by {found.name}"


def _prepare_folder(options: argparse.Namespace) -> None:
    """Create the folder; raise an error now if the files cannot be written after the flight."""
    require_format(options.format)
    prepare_folder("--out", options.out)
    longest = max(("", *names_of(Sensor)), key=len) if options.sensors is not None else ""
    with suppress(FileNotFoundError):
        _path(options, f"-{longest}.{options.format}").lstat()  # names can be too long


def _write(
    log: Log, sensors: SensorRecorder | None, mission: Mission, options: argparse.Namespace
) -> tuple[list[Path], dict[Path, Exception]]:
    """Write logs and plot, each if it can be; return their paths, and the errors of the others."""
    title = f"{readable(options.mission.stem)}, flown by {_vehicles(options)}"
    files: dict[Path, Callable[[Path], object]] = {_path(options, f".{options.format}"): log.save}
    for name, measured in ({} if sensors is None else sensors.logs()).items():
        files[_path(options, f"-{name}.{options.format}")] = measured.save
    if not options.no_plot:
        files[_path(options, _PICTURE)] = lambda path: plot_flight(log, mission, path, title)
    found = {path: _error_of(write, path) for path, write in files.items()}
    paths = [path for path, error in found.items() if error is None]
    return paths, {path: error for path, error in found.items() if error is not None}


def _error_of(write: Callable[[Path], object], path: Path) -> Exception | None:
    """Write a file; return what failed: the others of the flight should not be lost with it."""
    try:
        with doing(f"writes {printable(path)}"):
            write(path)
    except Exception as error:
        return error
    return None


def _earlier(options: argparse.Namespace) -> list[Path]:
    """Return the files of an earlier flight of this mission by these vehicles."""
    sensors = [f"-{name}.{options.format}" for name in names_of(Sensor)]
    endings = (f".{options.format}", *sensors, _PICTURE)
    paths = (_path(options, ending) for ending in endings)
    return [path for path in paths if os.path.lexists(path)]  # False of a name that is too long


def _tell_of_earlier(earlier: Sequence[Path], written: Sequence[Path]) -> None:
    """Say which files of an earlier flight were replaced, and which are beside the new ones."""
    replaced = sum(path in written for path in earlier)
    if replaced:
        what = (
            "file of an earlier flight was" if replaced == 1 else "files of an earlier flight were"
        )
        print(f"pyrfly fly: {replaced} {what} replaced; another --out keeps both", file=sys.stderr)
    left = ", ".join(printable(path) for path in earlier if path not in written)
    if left:
        print(f"pyrfly fly: still of an earlier flight: {left}", file=sys.stderr)


def _vehicles(options: argparse.Namespace) -> str:
    return "+".join(Path(name).stem for name in vehicle_counts(options.vehicle))


def _path(options: argparse.Namespace, ending: str) -> Path:
    return Path(options.out / f"{options.mission.stem}-{_vehicles(options)}{ending}")


def _print(results: dict[int, FlightResult], sim: Sim) -> None:
    """Print the result of every vehicle, with a heading if there are several."""
    names = [group.name for group in sim.groups for _ in range(group.n)]
    for copter_id, result in results.items():
        if len(results) > 1:
            print(f"vehicle {copter_id}, {names[copter_id - 1]}")
        print(summary_table(result))
        if len(results) > 1:
            print()

"""Plots of flights, without a display; matplotlib is imported by the first plot."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import require_kind
from pyrfly.files import path_of, readable, replacing
from pyrfly.frames import euler_of_quaternion
from pyrfly.log.columns import component_names
from pyrfly.log.figure_style import (
    DPI,
    FENCE,
    FLOWN,
    INK,
    OTHERS,
    PITCH,
    SETPOINT,
    START,
    STYLE,
    WAYPOINT,
    YAW,
)
from pyrfly.log.log import Log
from pyrfly.log.setpoints import active_setpoint
from pyrfly.mission import Fence, Mission, ReturnToLaunch, TakeOff, is_leg
from pyrfly.mission.path import fence_areas, outline, planned_path
from pyrfly.vehicles import FAMILIES, family_named

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot_columns", "plot_flight"]

Array = NDArray[np.float64]

_MOST_PANELS = 300  # a picture has 65,535 pixels from top to bottom

_LEAST_HEIGHT = 0.5  # span of the panel of heights [m]: springs of a car are no hills

_FENCE_SAMPLES = 20_000  # of a flight, that are looked at for breaches


def plot_flight(
    log: Log,
    mission: Mission | None = None,
    path: str | os.PathLike[str] | None = None,
    title: str | None = None,
    *,
    copter_id: int | None = None,
) -> Figure:
    """Plot a flight: track from above, height, ground speed, position error, attitude.

    Of vehicles that dive it is the depth, downwards.

    Parameters
    ----------
    log : Log
        At least one sample of ``pos``. The speed is plotted if the log has ``vel``, the attitude if
        it has ``att``. The distance from the position
        set-point is plotted if the log has ``pos_sp``; with ``setpoint_mask`` only while it is
        active; with ``terrain`` a set-point below the ground counts as on it. With
        ``airspeed_before``, of a plane, its airspeed is plotted in place of that distance: a plane
        circles around positions. The way of a trailer is plotted if
        the log has it.
    mission : Mission, optional
        Plots its path and its waypoints with their item numbers, one label for a survey; its
        geofence, the areas that are forbidden filled, where the vehicle first was outside of it,
        and its rally points.
    path : str or path-like, optional
        File for the figure; the suffix determines the format, such as ``.png`` or ``.pdf``.
    title : str, optional
        Title of the figure.
    copter_id : int, optional
        CopterID of the vehicle; the first of the log by default. Of the others the tracks are
        plotted.

    Returns
    -------
    matplotlib.figure.Figure
        Not registered with pyplot, so it need not be closed.

    Raises
    ------
    KeyError
        The log does not have a required column.
    ValueError
        The log is empty or does not have the vehicle.
    """
    import matplotlib
    from matplotlib.figure import Figure

    flight = _flight(log, copter_id)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(11, 6.4), layout="constrained")
        panels = [_plot_height, _plot_speed, _plot_error, _plot_attitude]
        if flight.pos_sp is None or flight.airspeed is not None:
            panels.remove(_plot_error)
        if flight.vel is None:
            panels.remove(_plot_speed)
        if flight.euler is None:
            panels.remove(_plot_attitude)
        track, *others = _axes(figure, len(panels))
        _plot_track(track, flight, mission)
        top = None if mission is None else mission.fence.max_height
        if top is not None:
            limit = -top if flight.dives else top
            others[0].axhline(limit, color=FENCE, ls="-.", lw=1.2, label="geofence")
        for plot, axes in zip(panels, others, strict=True):
            plot(axes, flight)
        _finish(figure, path, title)
    return figure


def plot_columns(
    log: Log,
    path: str | os.PathLike[str] | None = None,
    title: str | None = None,
    *,
    copter_id: int | None = None,
) -> Figure:
    """Plot all columns of a vehicle over time, such as those of a sensor, a panel each.

    Parameters
    ----------
    log : Log
        At least one sample.
    path, title, copter_id
        See `plot_flight`.

    Returns
    -------
    matplotlib.figure.Figure
        Not registered with pyplot, so it need not be closed.

    Raises
    ------
    ValueError
        The log is empty, has more than 300 columns, or does not have the vehicle.
    """
    import matplotlib
    from matplotlib.figure import Figure

    row = _row(log, copter_id)
    if len(log.columns) > _MOST_PANELS:
        raise ValueError(
            f"log: expected at most {_MOST_PANELS} columns to plot, got {len(log.columns)}"
        )
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(11, 0.6 + 1.5 * len(log.columns)), layout="constrained")
        panels = figure.subplots(len(log.columns), 1, sharex=True, squeeze=False)[:, 0]
        for axes, (name, values) in zip(panels, log.columns.items(), strict=True):
            unit = log.fields[name].unit
            axes.set_title(f"{name} [{unit}]" if unit not in ("", "1") else name)
            parts = values[:, row].reshape(len(log), -1)
            axes.plot(log.time, parts, lw=1, label=component_names(log.fields[name]))
            if 1 < parts.shape[1] <= 4:
                _legend(axes)
        panels[-1].set_xlabel("time [s]")
        _finish(figure, path, title)
    return figure


def _finish(figure: Figure, path: str | os.PathLike[str] | None, title: str | None) -> None:
    """Add the title, and write the figure to a file."""
    if title:
        figure.suptitle(readable(title), x=0.01, ha="left", fontsize=12, fontweight="bold")
    if path is not None:
        with replacing(path_of("path", path)) as temporary:
            figure.savefig(temporary, dpi=DPI)


def _row(log: Log, copter_id: int | None) -> int:
    require_kind("log", log, Log)
    if not len(log) or not log.copter_ids.size:
        raise ValueError("log: expected at least one sample of one vehicle, got none")
    return log.row_of(copter_id)


@dataclass(frozen=True)
class _Flight:
    """Columns of one vehicle; inactive set-points are NaN."""

    time: Array
    pos: Array
    vel: Array | None
    euler: Array | None
    others: Array  # positions of the other vehicles, shape (T, n - 1, 3)
    pos_sp: Array | None
    airspeed: Array | None  # of a plane
    trailer: Array | None  # positions of its axle, of a vehicle with a trailer
    dives: bool  # whether its depth is shown, not its height


def _flight(log: Log, copter_id: int | None) -> _Flight:
    row = _row(log, copter_id)
    return _Flight(
        log.time,
        log["pos"][:, row],
        log["vel"][:, row] if "vel" in log.columns else None,
        np.degrees(euler_of_quaternion(log["att"][:, row])) if "att" in log.columns else None,
        np.delete(log["pos"], row, axis=1),
        _reachable_setpoint(log, row),
        _airspeed(log, row),
        next((log[name][:, row] for name in _trailers() & {*log.columns}), None),
        _dives(log, int(log.copter_ids[row])),
    )


def _airspeeds() -> set[str]:
    """Return the columns of airspeeds, of all families."""
    return {f.abilities.wings.airspeed for f in FAMILIES.values() if f.abilities.wings}


def _trailers() -> set[str]:
    """Return the columns of the positions of trailers, of all families."""
    return {f.abilities.trailer.pos for f in FAMILIES.values() if f.abilities.trailer}


def _dives(log: Log, copter_id: int) -> bool:
    """Return whether a vehicle is of a family that dives, as far as the log says its family."""
    entries = log.metadata.get("vehicles")
    for entry in entries if isinstance(entries, list) else ():
        try:
            family, beyond = family_named(entry["family"]), copter_id - int(entry["first_id"])
            of_entry = 0 <= beyond < int(entry["n"])
        except (KeyError, TypeError, ValueError):  # of a file that somebody else wrote
            continue
        if of_entry:
            return family.abilities.kind.dives
    return False


def _airspeed(log: Log, row: int) -> Array | None:
    """Return the airspeed that the controllers of a plane have, NaN before they run."""
    known = [name for name in _airspeeds() if name in log.columns]
    if not known:
        return None
    values = log[known[0]][:, row]
    return np.where(values > 0.0, values, np.nan)


def _reachable_setpoint(log: Log, row: int) -> Array | None:
    """Return the position set-point, None if the vehicle never has one.

    One below the ground, as at a landing, counts as on it.
    """
    setpoint = active_setpoint(log, "pos_sp", row)
    if setpoint is not None and np.isnan(setpoint).all():
        return None
    if setpoint is None or "terrain" not in log.columns:
        return setpoint
    down = np.minimum(setpoint[:, 2], log["terrain"][:, row])
    return np.column_stack((setpoint[:, :2], down))


def _axes(figure: Figure, rows: int) -> list[Axes]:
    """Return the axes: a square one, and some in a column with a common time axis."""
    grid = figure.add_gridspec(rows, 2, width_ratios=(1, 1.12))
    track = figure.add_subplot(grid[:, 0])
    last = figure.add_subplot(grid[-1, 1])
    last.set_xlabel("time [s]")
    above = [figure.add_subplot(grid[row, 1], sharex=last) for row in range(rows - 1)]
    for axes in above:
        axes.tick_params(labelbottom=False)
    return [track, *above, last]


def _plot_track(axes: Axes, flight: _Flight, mission: Mission | None) -> None:
    axes.set_title("Track from above")
    axes.set_xlabel("east [m]")
    axes.set_ylabel("north [m]")
    axes.set_aspect("equal", adjustable="datalim")
    north, east = flight.pos[:, 0], flight.pos[:, 1]
    if mission is not None:
        _plot_mission(axes, mission, flight.pos[0])
        _plot_fence(axes, mission.fence)
        _plot_rally(axes, mission)
        breaches = flight.pos[_breach_begins(mission.fence, flight.pos)]
        if len(breaches):
            style: Any = {"color": FENCE, "ms": 9, "mew": 2.5, "zorder": 8}
            axes.plot(breaches[:, 1], breaches[:, 0], "x", label="breach", **style)
    for index in range(flight.others.shape[1]):
        other = flight.others[:, index]
        label = None if index else "others"
        axes.plot(other[:, 1], other[:, 0], color=OTHERS, lw=0.8, label=label, zorder=1)
    if flight.trailer is not None:
        axes.plot(*flight.trailer[:, 1::-1].T, color=PITCH, lw=1.0, label="trailer", zorder=2)
    axes.plot(east, north, color=FLOWN, label="flown", zorder=3)
    axes.plot(
        east[0], north[0], "o", color=START, ms=10, mfc="none", mew=2, label="start", zorder=5
    )
    axes.plot(east[-1], north[-1], "X", color=INK, ms=6, label="end", zorder=6)
    axes.margins(0.12)
    place: Any = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.09)}
    axes.legend(ncols=5, handlelength=1.6, columnspacing=1.2, **place)


def _plot_mission(axes: Axes, mission: Mission, launch: Array) -> None:
    """Plot the path of a mission and its numbered waypoints."""
    marks: dict[tuple[float, float], list[str]] = {}
    surveys = _survey_labels(mission)
    for index in mission.order:
        item = mission.items[index]
        if is_leg(item) and not isinstance(item, (ReturnToLaunch, TakeOff)):
            rounded = (round(item.pos[0], 1), round(item.pos[1], 1))
            names = marks.setdefault(rounded, [])
            name = surveys.pop(item.survey, "") if item.survey else str(item.number or index + 1)
            if name and name not in names:
                names.append(name)
    north, east, _ = planned_path(mission, launch).T
    axes.plot(east, north, "--", color=SETPOINT, lw=1, label="planned", zorder=2)
    if not marks:
        return
    points = np.array(list(marks))
    axes.plot(points[:, 1], points[:, 0], "D", color=WAYPOINT, ms=5, label="waypoint", zorder=4)
    centre = points.mean(axis=0)
    for point, numbers in zip(points, marks.values(), strict=True):
        _label(axes, point, centre, ", ".join(numbers))


def _survey_labels(mission: Mission) -> dict[int, str]:
    """Return the numbers of the items of each survey, such as ``3 to 40``."""
    numbers: dict[int, list[int]] = {}
    for item in filter(is_leg, mission.items):
        if item.survey:
            numbers.setdefault(item.survey, []).append(item.number)
    ranges = {survey: sorted({min(of), max(of)}) for survey, of in numbers.items()}
    return {survey: " to ".join(map(str, ends)) for survey, ends in ranges.items()}


def _plot_fence(axes: Axes, fence: Fence) -> None:
    """Plot the areas of a geofence; those that are forbidden are filled."""
    label: str | None = "geofence"
    for area in fence_areas(fence):
        north, east = outline(area).T
        axes.plot(east, north, "-.", color=FENCE, lw=1.2, label=label, zorder=2)
        label = None
        if not area.inclusion:
            axes.fill(east, north, color=FENCE, alpha=0.15, lw=0, zorder=1)


def _plot_rally(axes: Axes, mission: Mission) -> None:
    if mission.rally:
        north, east, _ = np.array(mission.rally).T
        axes.plot(east, north, "s", color=START, ms=6, label="rally point", zorder=4)


def _breach_begins(fence: Fence, pos: Array) -> list[int]:
    """Return the samples of positions (T, 3) [m, NED] at which a breach of a geofence begins."""
    if fence == Fence():
        return []
    found, before = [], ""
    for sample in range(0, len(pos), max(1, len(pos) // _FENCE_SAMPLES)):
        now = fence.breach(pos[sample])
        if now and not before:
            found.append(sample)
        before = now
    return found


def _label(axes: Axes, point: Array, centre: Array, text: str) -> None:
    """Label a point, on the side away from the centre, where there are fewer lines."""
    offset = point - centre
    length = float(np.hypot(*offset))
    north, east = offset / length if length > 0 else (0.7, 0.7)
    axes.annotate(
        text,
        (point[1], point[0]),
        xytext=(11 * east, 11 * north),
        textcoords="offset points",
        ha="center",
        va="center",
        color=WAYPOINT,
        fontweight="bold",
        zorder=7,
    )


def _plot_height(axes: Axes, flight: _Flight) -> None:
    down = flight.pos[:, 2]
    axes.set_title("Depth below home [m]" if flight.dives else "Height above home [m]")
    axes.plot(flight.time, down if flight.dives else -down, color=FLOWN, label="flown")
    middle, half = np.mean(axes.get_ylim()), 0.5 * max(_LEAST_HEIGHT, np.ptp(axes.get_ylim()))
    axes.set_ylim(middle - half, middle + half)
    if flight.dives:
        axes.invert_yaxis()
    if len(axes.get_lines()) > 1:  # a limit, too
        _legend(axes)


def _plot_speed(axes: Axes, flight: _Flight) -> None:
    assert flight.vel is not None
    flown = np.hypot(flight.vel[:, 0], flight.vel[:, 1])
    axes.plot(flight.time, flown, color=FLOWN, label="ground speed")
    if flight.airspeed is None:
        axes.set_title("Ground speed [m/s]")
        return
    axes.set_title("Ground speed and airspeed [m/s]")
    axes.plot(flight.time, flight.airspeed, color=WAYPOINT, lw=1.2, label="airspeed")
    _legend(axes)


def _plot_error(axes: Axes, flight: _Flight) -> None:
    axes.set_title("Distance from the set-point [m]")
    assert flight.pos_sp is not None
    error = flight.pos - flight.pos_sp
    horizontal, vertical = np.hypot(error[:, 0], error[:, 1]), np.abs(error[:, 2])
    axes.plot(flight.time, horizontal, color=WAYPOINT, lw=1.2, label="horizontal")
    axes.plot(flight.time, vertical, color=FLOWN, lw=1.2, label="vertical")
    axes.set_ylim(bottom=0.0)
    _legend(axes)


def _plot_attitude(axes: Axes, flight: _Flight) -> None:
    axes.set_title("Attitude [deg], yaw on the right")
    assert flight.euler is not None
    roll, pitch, yaw = flight.euler.T
    # no line where yaw jumps between -180 and 180 deg
    jumps = np.abs(np.diff(yaw, append=yaw[-1:])) > 180
    heading = axes.twinx()
    heading.grid(False)
    heading.spines["right"].set_visible(True)
    heading.set_ylim(-190, 190)
    heading.set_yticks((-180, -90, 0, 90, 180))
    lines = heading.plot(
        flight.time, np.where(jumps, np.nan, yaw), color=YAW, lw=1.2, alpha=0.75, label="yaw"
    )
    lines += axes.plot(flight.time, pitch, color=PITCH, lw=1.2, label="pitch")
    lines += axes.plot(flight.time, roll, color=FLOWN, lw=1.2, label="roll")
    _legend(axes, lines[::-1])


def _legend(axes: Axes, lines: list[Any] | None = None) -> None:
    """Add a legend above the axes, to the right of the title."""
    style: Any = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0), "ncols": 3, "borderpad": 0.1}
    if lines is None:
        axes.legend(handlelength=1.6, columnspacing=1.2, **style)
    else:
        axes.legend(handles=lines, handlelength=1.6, columnspacing=1.2, **style)

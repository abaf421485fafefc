"""Equilibria of vehicles: `trim`, `nearest`.

Where searches begin that Newton's method ends (`pyrfly.sim.equations`), and what else is tried
where the first of them finds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import pi

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.columns import command_columns
from pyrfly.errors import ParameterError
from pyrfly.frames import euler_of_quaternion, quaternion_of_euler
from pyrfly.sim.equations import ANGLES, BODY_RATES, COMMANDS, DEPTH, TOLERANCE, Unknowns, newton
from pyrfly.sim.group import Group
from pyrfly.sim.model import Model, OperatingPoint, leave_ground, not_found
from pyrfly.sim.slopes import standing_columns, tilt
from pyrfly.sim.steady import ground_below, require_velocity
from pyrfly.sim.turns import require_steady, require_turns
from pyrfly.vehicles import Kind
from pyrfly.vehicles.trim import Trim, Underway

__all__ = ["holds", "nearest", "trim"]

Array = NDArray[np.float64]

FORCES = 3  # residuals that are accelerations of the centre of mass
AXES = ("north", "east", "down", "in roll", "in pitch", "in yaw")  # of the accelerations
FOLLOWED = 16  # steps from rest to a velocity
RANGE_TOLERANCE = 1e-6  # of commands beyond their range
TURN = 1e-9  # of a heading out of a wind that blows exactly across it [rad]
HEADINGS = tuple(k * pi / 4 for k in (0, 1, -1, 2, -2, 3, -3, 4))  # from the given one [rad]
LAID = 1.4  # pitch from hover of a vehicle that its wings carry in a wind [rad]


def _lag_start(unknowns: Unknowns, x: Array) -> None:
    """Set the further states to where they tend: rotor speeds, whose lag is linear in the speed."""
    first = unknowns.bounded
    still = unknowns.residual(x)[:, BODY_RATES:]
    x[:, first:] = 1.0
    slope = unknowns.residual(x)[:, BODY_RATES:] - still
    x[:, first:] = np.where(slope == 0.0, 0.0, -still / np.where(slope == 0.0, 1.0, slope))


def _begin(group: Group, hover: bool) -> Trim:
    """Return where the family begins a search, for one that lacks winged flight an error."""
    family = group.family
    if not hover and (not group.abilities.kind.circles or family.trim_winged_flight is not None):
        cruise = family.trim_winged_flight and family.trim_winged_flight(group.parameters)
        if cruise is None:
            raise ParameterError(
                f"hover: expected True for {group.name}, which does not fly by wings, got False"
            )
        return cruise
    begin = family.trim(group.parameters)
    if isinstance(begin, Trim):
        return begin
    return Trim(begin if isinstance(begin, tuple) else (begin,))


def _set_underway(unknowns: Unknowns, underway: Underway, vel: Array, x: Array) -> None:
    """Set what the family says of vehicles on their way, with velocities over the ground."""
    columns = unknowns.model.columns("state", "param")
    sine, cosine = exact.sincos(unknowns.yaw + x[:, 2])

    def along(north: Array, east: Array) -> tuple[Array, Array]:
        return north * cosine + east * sine, east * cosine - north * sine

    lacking = -unknowns.residual(x)[:, :BODY_RATES]
    lacking[:, 0], lacking[:, 1] = along(*lacking.T[:2])
    parts = unknowns.parts(x)  # views of it
    for name, values in underway(columns, along(*vel.T[:2])[0], lacking).items():
        parts[name][...] = values


def _stand(unknowns: Unknowns, group: Group, slope: Array, x: Array) -> NDArray[np.bool_]:
    """Set what vehicles have that stand on the ground; return which of the unknowns it is."""
    model, yaw = unknowns.model, unknowns.yaw
    x[:, :2] = tilt(slope, yaw)
    model.write({"att": quaternion_of_euler(np.column_stack([x[:, :2], yaw]))})
    columns = standing_columns(group.family, group.parameters.c_type, model.read, slope)
    if "att" in columns:
        x[:, :ANGLES] = euler_of_quaternion(columns["att"])
        x[:, 2] -= yaw
    if "pos" in columns:
        ground = model.read("ground")[:, 0] - model.read("terrain")
        x[:, DEPTH] = columns["pos"][:, 2] + ground - unknowns.pos[:, 2]
    found = np.zeros((1, x.shape[1]))
    found[:, [0, 1, DEPTH]] = 1.0
    parts, marks = unknowns.parts(x), unknowns.parts(found)  # views of them
    for name in parts.keys() & columns.keys():
        parts[name][...] = columns[name]
        marks[name][...] = 1.0
    return np.asarray(found[0] > 0.0)


def _guess(unknowns: Unknowns, group: Group, begin: Trim) -> tuple[Array, Array]:
    """Return the start of a search and the scales of the unknowns."""
    first = unknowns.bounded  # of the further states
    slope, moving = ground_below(group, unknowns.rows)
    vel = unknowns.model.read("vel") - moving
    x = np.zeros((unknowns.model.count, COMMANDS + sum(unknowns.widths)))
    x[:, 1] = begin.pitch
    x[:, COMMANDS:first] = begin.commands
    if begin.states:
        x[:, first:] = np.concatenate([begin.states[name] for name in unknowns.further])
    elif begin.underway is not None:
        _set_underway(unknowns, begin.underway, vel, x)
    elif unknowns.further:
        _lag_start(unknowns, x)
    standing = np.ones(x.shape[1], bool)
    if Kind.DRIVES in group.abilities.kind:
        standing = _stand(unknowns, group, slope, x)
        unknowns.slope = slope if begin.lies else None
        unknowns.rests = ~vel.any(axis=1) & (unknowns.yaw_rate == 0.0)
    scale = np.ones_like(x)
    scale[:, first:] = np.maximum(1.0, np.abs(x[:, first:]))
    scale[:, [COMMANDS + i for i in begin.fixed]] = 0.0
    scale[:, 2] = float(begin.slips)
    scale[:, DEPTH] = float(not group.flies)
    scale[:, :2] *= not begin.lies
    scale[:, list(begin.held)] = 0.0
    scale[np.ix_(unknowns.rests, ~standing)] = 0.0
    return x, scale


def _upright(x: Array, begin: Trim) -> NDArray[np.bool_]:
    """Return which unknowns are no flight upside down."""
    roll, pitch = x[:, :2].T
    upright: NDArray[np.bool_] = (abs(roll) < pi / 2) & (abs(pitch - begin.pitch) < pi / 2)
    return upright


def _search_headings(
    unknowns: Unknowns, x: Array, scale: Array, begin: Trim, wanted: NDArray[np.bool_]
) -> Iterator[Array]:
    """Yield where searches end with the bow or stern into what drives vehicles away at rest.

    What nothing pushes to the side stands only along the force of wind and current, which depends
    on its heading: the nearer of both headings is the first, others follow.
    """
    vel = unknowns.model.columns("state")["vel"]
    stands = wanted & ~vel.any(axis=1) & ~unknowns.rests & (unknowns.yaw_rate == 0.0)
    if not (begin.slips and begin.underway and stands.any()):
        return
    north, east = unknowns.residual(x).T[:2]
    into = exact.arctan2(-east, -north) - unknowns.yaw
    into -= 2 * pi * np.round(into / (2 * pi))
    away = into - np.copysign(pi, into)
    nearer = np.abs(into) <= np.abs(away)
    around = [np.full_like(into, angle) for angle in HEADINGS]
    for turned in (np.where(nearer, into, away), np.where(nearer, away, into), *around):
        start = x.copy()
        start[:, 2] = np.where(stands, turned, 0.0)
        start[:, COMMANDS:] = 0.0
        _set_underway(unknowns, begin.underway, vel, start)
        yield newton(unknowns, start, scale)[0]


def _search_tilted(
    unknowns: Unknowns, x: Array, scale: Array, begin: Trim, _wanted: NDArray[np.bool_]
) -> Iterator[Array]:
    """Yield where searches end of vehicles whose actuators cannot hold them level."""
    if begin.held:
        free = scale.copy()
        free[:, list(begin.held)] = 1.0
        yield newton(unknowns, x, free)[0]


def _search_turned(
    unknowns: Unknowns, x: Array, scale: Array, begin: Trim, wanted: NDArray[np.bool_]
) -> Array:
    """Return where searches end of vehicles whose headings are turned a little.

    The lift of a stalled surface of [@gz-classic] jumps where the flow changes from ahead of it to
    behind. In a wind exactly from the side rounding chooses one or the other at each attitude; out
    of it by far more than rounding, all attitudes are on one side. Those that have an equilibrium
    there keep that heading.
    """
    yaw = unknowns.yaw
    unknowns.yaw = np.where(wanted, yaw + TURN, yaw)
    end, residual = newton(unknowns, x, scale)
    found = holds(residual[:, :BODY_RATES]) & _upright(end, begin)
    unknowns.yaw = np.where(found, unknowns.yaw, yaw)
    return end


def _follow(
    unknowns: Unknowns, x: Array, scale: Array, begin: Trim, wanted: NDArray[np.bool_]
) -> Array:
    """Return where the equilibria end that are followed from level flight to the velocities.

    A guess for rest, or for cruise, may be of no use far from it: blades that stall do not tell
    where to go, and others go over to an equilibrium upside down. What has a guess for its velocity
    is followed into its turn alone.
    """
    model = unknowns.model
    motion = {"vel": model.columns("state")["vel"], "wind": model.columns("input")["wind"]}
    sine, cosine = exact.sincos(unknowns.yaw)
    ahead = begin.airspeed * np.stack([cosine, sine, np.zeros_like(sine)], axis=1)
    level = {"vel": ahead, "wind": np.zeros_like(ahead)}
    if begin.underway:
        level = motion
    turn = unknowns.yaw_rate
    for share in np.linspace(0.0, 1.0, FOLLOWED + 1):
        model.write({k: (1.0 - share) * level[k] + share * motion[k] for k in motion})
        unknowns.yaw_rate = share * turn
        end, residual = newton(unknowns, x, scale)
        wanted = wanted & _upright(end, begin)
        x = np.where(wanted[:, None], end, x)
        wanted = wanted & holds(residual[:, :BODY_RATES])
        if not wanted.any():
            break
    model.write(motion)
    unknowns.yaw_rate = turn
    return x


def _search_laid(
    unknowns: Unknowns, x: Array, scale: Array, begin: Trim, wanted: NDArray[np.bool_]
) -> Array:
    """Return where searches end that begin with the wings flat in the wind, on their back or not.

    A tailsitter lies on its wings in a wind near its cruise airspeed. Between there and upright
    they stall, and Newton's method does not find beyond.
    """
    ends = []
    for pitch in (LAID, -LAID):
        laid = x.copy()
        laid[:, 1] += pitch
        ends.append(newton(unknowns, laid, scale))
    (flat, residual), (other, _) = ends
    found = holds(residual[:, :BODY_RATES]) & _upright(flat, begin)
    return np.where(found[:, None], flat, other)


def trim(
    group: Group,
    rows: NDArray[np.intp],
    vel: Array,
    yaw: Array,
    wind: Array | None = None,
    *,
    yaw_rate: Array | None = None,
    start: Array | None = None,
    hover: bool = True,
) -> OperatingPoint:
    """Return the equilibrium of vehicles of a group.

    Parameters
    ----------
    group : Group
        The group.
    rows : ndarray of int, shape (k,)
        Rows of the vehicles.
    vel : ndarray, shape (k, 3)
        Ground velocities [m/s, NED].
    yaw : ndarray, shape (k,)
        Headings [rad].
    wind : ndarray, shape (k, 3), optional
        Wind velocities [m/s, NED]; by default the present ones.
    yaw_rate : ndarray, shape (k,), optional
        Of steady turns about the vertical [rad/s]; by default 0.
    start : ndarray, shape (k, 3), optional
        Positions [m, NED] at which a reset puts the vehicles; by default they are where they are.
    hover : bool
        Whether rotors carry vehicles that fly by wings, too.

    Raises
    ------
    ParameterError
        A vehicle has no such equilibrium, or none that is found, or an actuator is out of its range
        there, or nothing drives it that fast, or it would leave the ground or the water, or a turn
        goes on as none.
    """
    require_velocity(group, rows, vel, yaw, _begin(group, hover).fastest)
    turn = np.zeros(len(rows)) if yaw_rate is None else yaw_rate
    require_turns(group, rows, turn)
    point, remaining = nearest(
        group, rows, vel, yaw, wind, yaw_rate=yaw_rate, start=start, hover=hover
    )
    missing = ~holds(remaining)
    if missing.any():
        row = int(np.argmax(missing))
        left = f"{_motion(point, row)} {_described(remaining[row])}"
        begin = _begin(group, hover)
        if begin.airspeed > 0.0:
            left += f"; it flies at about {begin.airspeed:.3g} m/s: vel= gives the velocity"
        raise not_found(group, int(rows[row]), left + (begin.hint and f"; {begin.hint}"))
    _require_range(group, rows, point)
    require_steady(group, rows, point, turn)
    return point


def _motion(point: OperatingPoint, row: int) -> str:
    """Tell the velocity of a vehicle, and the wind where there is one."""

    def listed(values: Array) -> str:
        return ", ".join(f"{value:.3g}" for value in values)

    wind = point.inputs["wind"][row]
    blowing = f" in a wind of {listed(wind)} m/s" if wind.any() else ""
    return f"at a velocity of {listed(point.state['vel'][row])} m/s{blowing}"


def _described(remaining: Array) -> str:
    """Tell which accelerations remain, of six: those of at least a hundredth of the largest."""
    left = ~(np.abs(remaining) < 0.01 * np.abs(remaining).max())
    values = [
        f"{value:.3g} {'m/s^2' if i < FORCES else 'rad/s^2'} {AXES[i]}"
        for i, value in enumerate(remaining)
        if left[i]
    ]
    spins = "" if left[:FORCES].any() else "; no actuator balances it: the vehicle spins"
    return f"remains an acceleration of {', '.join(values)}{spins}"


def _require_range(group: Group, rows: NDArray[np.intp], point: OperatingPoint) -> None:
    """Raise where an actuator is beyond its range in an equilibrium."""
    names = command_columns(group.parameters.c_type)
    commands = np.concatenate([point.inputs[name] for name in names], axis=1)
    outside = _outside(group, commands)
    if outside.any():
        row, i = (int(k) for k in np.argwhere(outside)[0])
        raise not_found(
            group,
            int(rows[row]),
            f"actuator {i} had to be at {commands[row, i]:.3g}, which goes from "
            f"{group.ranges[i].low:g} to {group.ranges[i].high:g}",
        )


def _outside(group: Group, commands: Array) -> NDArray[np.bool_]:
    """Return which commands are beyond the range of actuators that move something."""
    lowest = np.array([actuator.low for actuator in group.ranges])
    highest = np.array([actuator.high for actuator in group.ranges])
    beyond = (commands < lowest - RANGE_TOLERANCE) | (commands > highest + RANGE_TOLERANCE)
    outside: NDArray[np.bool_] = beyond & (highest > lowest)
    return outside


def _is_good(
    unknowns: Unknowns, group: Group, x: Array, residual: Array, begin: Trim
) -> NDArray[np.bool_]:
    """Return which unknowns are those of an equilibrium, within the range of actuators."""
    outside = _outside(group, x[:, COMMANDS : unknowns.bounded]).any(axis=1)
    good: NDArray[np.bool_] = holds(residual[:, :BODY_RATES]) & _upright(x, begin) & ~outside
    return good


def holds(remaining: Array) -> NDArray[np.bool_]:
    """Return which of the remaining accelerations of `nearest` are those of an equilibrium."""
    worst: Array = np.abs(remaining).max(axis=1)
    return worst <= 1e3 * TOLERANCE


def nearest(
    group: Group,
    rows: NDArray[np.intp],
    vel: Array,
    yaw: Array,
    wind: Array | None = None,
    *,
    yaw_rate: Array | None = None,
    start: Array | None = None,
    hover: bool = True,
) -> tuple[OperatingPoint, Array]:
    """Return where the search for an equilibrium ends, and the accelerations that remain there.

    Parameters as of `trim`; the accelerations [m/s^2, NED; rad/s^2, FRD] have shape (k, 6).
    """
    model = Model(group, rows, start=start)
    ground = {"terrain": model.columns("input")["terrain"]}
    leave_ground(model, group)
    still = {"rate": np.zeros(3)}
    model.write({"vel": vel, **still, **({} if wind is None else {"wind": wind})})
    model.let_payloads_hang()
    turn = np.zeros(model.count) if yaw_rate is None else yaw_rate
    unknowns = Unknowns(group, rows, model, yaw, turn)
    begin = _begin(group, hover)
    start_of_search, scale = _guess(unknowns, group, begin)
    x, residual = newton(unknowns, start_of_search, scale)
    for others in (_search_headings, _search_tilted):
        missing = ~_is_good(unknowns, group, x, residual, begin)
        if not missing.any():
            break
        for found in others(unknowns, start_of_search, scale, begin, missing):
            good = _is_good(unknowns, group, found, unknowns.residual(found), begin)
            x = np.where((missing & good)[:, None], found, x)
            missing &= ~good
            if not missing.any():
                break
        residual = unknowns.residual(x)
    carried = (_search_laid,) if hover and group.abilities.kind.transitions else ()
    for search in (_search_turned, _follow, *carried):
        missing = ~(holds(residual[:, :BODY_RATES]) & _upright(x, begin))
        if not missing.any():
            break
        found = search(unknowns, start_of_search, scale, begin, missing)
        x = np.where(missing[:, None], found, x)
        residual = unknowns.residual(x)
    model.write(ground)
    return model.point(), residual[:, :BODY_RATES]

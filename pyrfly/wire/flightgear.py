"""FlightGear's packets that show a vehicle: native FDM, version 24.

A FlightGear with a flight model of its own switched off takes the state of its aircraft from one
UDP datagram: 408 bytes, big-endian, without a header [@flightgear]. It refuses other versions;
2018.3 to 2020.3 have this one. Units are FlightGear's: radians and metres, but feet, knots and
revolutions per minute as well.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.errors import require_kind
from pyrfly.sim import Ids, Part, Sim
from pyrfly.vehicles.constants import TOUCHDOWN_HEIGHT
from pyrfly.wire.pack import pack as pack_state

__all__ = ["DTYPE", "ENGINES", "VERSION", "WHEELS", "pack"]

Array = NDArray[np.float64]

VERSION = 24
"""Version of the layout."""

ENGINES = 4
"""Number of engines that a packet has room for."""

WHEELS = 3
"""Number of wheels that a packet has room for."""

_RUNNING = 2  # eng_state; 0 off, 1 cranking

_FOOT = 0.3048  # m
_KNOT = 1852.0 / 3600.0  # m/s

_TURNING = 1.0  # 1/min: a slower rotor stands still
_SLOW = 0.1  # m/s: a slower flow has no direction
_LEVEL = 1e-3  # least cosine of the pitch: Euler rates are limited near the vertical

_SEA_LEVEL = (101325.0, 340.294)  # Pa, m/s: static pressure, speed of sound [@us76]


def _fields() -> np.dtype[np.void]:
    """Return the layout of [@flightgear net_fdm.hxx]; all fields are aligned to their size."""
    fields: list[tuple[str, str, tuple[int, ...]]] = []

    def add(kind: str, names: str, count: int = 0) -> None:
        shape = (count,) if count else ()
        fields.extend((name, ">" + kind, shape) for name in names.split())

    add("u4", "version padding")
    add("f8", "longitude latitude altitude")
    add("f4", "agl phi theta psi alpha beta phidot thetadot psidot vcas climb_rate")
    add("f4", "v_north v_east v_down v_body_u v_body_v v_body_w A_X_pilot A_Y_pilot A_Z_pilot")
    add("f4", "stall_warning slip_deg")
    add("u4", "num_engines")
    add("u4", "eng_state", ENGINES)
    add("f4", "rpm fuel_flow fuel_px egt cht mp_osi tit oil_temp oil_px", ENGINES)
    add("u4", "num_tanks")
    add("f4", "fuel_quantity", 4)
    add("u4", "num_wheels")
    add("u4", "wow", WHEELS)
    add("f4", "gear_pos gear_steer gear_compression", WHEELS)
    add("u4", "cur_time")
    add("i4", "warp")
    add("f4", "visibility elevator elevator_trim_tab left_flap right_flap left_aileron")
    add("f4", "right_aileron rudder nose_wheel speedbrake spoilers")
    return np.dtype(fields)


DTYPE = _fields()
"""The layout, with FlightGear's names."""


class _Air(NamedTuple):
    """The flow that k vehicles meet."""

    velocity: Array  # (k, 3), of the vehicle relative to the air [m/s, FRD]
    pressure: Array  # Pa, static
    sound_speed: Array  # m/s


def pack(sim: Sim, ids: Ids = None) -> NDArray[np.void]:
    """Return packets with the states of vehicles.

    Parameters
    ----------
    sim : pyrfly.Sim
        The simulation, not stepped by another thread: columns are read one after the other.
    ids : int or sequence of int, optional
        The k CopterIDs, in any order; all vehicles by default.

    Returns
    -------
    ndarray, shape (k,), of `DTYPE`
        ``.tobytes()`` of a row is a packet. ``altitude`` is the height above the ellipsoid, as
        heights are everywhere here; ``agl`` that above the ground below. ``alpha``, ``beta`` and
        ``vcas`` are those of the velocity relative to the air at the vehicle; the angles are 0
        below 0.1 m/s, and the airspeed is calibrated, of subsonic flow. ``phidot``, ``thetadot``,
        ``psidot`` are rates of the Euler angles, limited within 0.06 degrees of a vertical nose.
        ``A_X_pilot`` and its like are the specific force at the centre of mass. Engines are the
        first four rotors; a vehicle of a family without rotors has none. ``wow``, of three wheels
        alike, is 1 less than 0.1 m above the ground, or above the height of a vehicle that stands
        on its feet. Fields of fuel, surfaces, time and warnings are 0.

    Raises
    ------
    ValueError
        An ID is not that of a vehicle.

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("sdk", 3)
    >>> packets = pack(sim, [3])
    >>> len(packets[0].tobytes()), int(packets["num_engines"][0]), packets["wow"][0].tolist()
    (408, 4, [1, 1, 1])
    """
    require_kind("sim", sim, Sim)
    state = pack_state(sim, "VehileInfo60d", ids)
    packets = np.zeros(len(state), DTYPE)
    packets["version"] = VERSION
    _fill_position(packets, state)
    _fill_motion(packets, state)
    for part in sim.select(ids):
        chosen = packets[part.indices]  # a copy where the indices are an array
        _fill_air(chosen, _air(part, state["AngQuatern"][part.indices]))
        _fill_body(chosen, part)
        _fill_engines(chosen, part, state["MotorRPMS"][part.indices])
        _fill_ground(chosen, part)
        packets[part.indices] = chosen
    return packets


def _fill_position(packets: NDArray[np.void], state: NDArray[np.void]) -> None:
    packets["latitude"] = np.radians(state["PosGPS"][:, 0])
    packets["longitude"] = np.radians(state["PosGPS"][:, 1])
    packets["altitude"] = state["PosGPS"][:, 2]
    for k, name in enumerate(("phi", "theta", "psi")):
        packets[name] = state["AngEuler"][:, k]


def _fill_motion(packets: NDArray[np.void], state: NDArray[np.void]) -> None:
    velocity = state["VelE"] / _FOOT
    for k, name in enumerate(("v_north", "v_east", "v_down")):
        packets[name] = velocity[:, k]
    packets["climb_rate"] = -velocity[:, 2]
    rates = _euler_rates(state["AngEuler"], state["RateB"])
    for name, values in zip(("phidot", "thetadot", "psidot"), rates, strict=True):
        packets[name] = values


def _column(part: Part, name: str) -> Array:
    """Return the rows of a column as doubles."""
    values: Array = part.group.view(name)[part.rows].astype(np.float64)
    return values


def _fill_body(packets: NDArray[np.void], part: Part) -> None:
    velocity = _column(part, "vel_body") / _FOOT
    force = _column(part, "specific_force") / _FOOT
    for k, (axis, name) in enumerate(zip("uvw", "XYZ", strict=True)):
        packets[f"v_body_{axis}"] = velocity[:, k]
        packets[f"A_{name}_pilot"] = force[:, k]


def _fill_air(packets: NDArray[np.void], air: _Air) -> None:
    forward, right, down = air.velocity.T
    speed = exact.norm(air.velocity)
    moves = speed >= _SLOW
    packets["alpha"] = np.where(moves, exact.arctan2(down, forward), 0.0)
    packets["beta"] = np.where(moves, exact.arcsin(right / np.where(moves, speed, 1.0)), 0.0)
    packets["vcas"] = _calibrated_airspeed(speed, air.pressure, air.sound_speed) / _KNOT


def _fill_engines(packets: NDArray[np.void], part: Part, rpm: Array) -> None:
    if part.group.abilities.rotors is None:
        return
    count = min(len(part.group.ranges), ENGINES)
    packets["num_engines"] = count
    packets["rpm"][:, :count] = rpm[:, :count]
    packets["eng_state"][:, :count] = np.where(rpm[:, :count] >= _TURNING, _RUNNING, 0)


def _fill_ground(packets: NDArray[np.void], part: Part) -> None:
    below = terrain = _column(part, "terrain")
    if part.group.has("ground"):  # as body_ground of csrc/vehicles/body/body.h
        ground = _column(part, "ground")
        below = np.where(ground[:, 1] == terrain, ground[:, 0], terrain)
    above = below - _column(part, "pos")[:, 2]
    feet = _column(part, "contact_height") if part.group.batch.has("contact") else 0.0
    packets["agl"] = above
    packets["num_wheels"] = WHEELS
    carried = _column(part, "collision_supports") if part.group.batch.has("collision") else 0
    packets["wow"] = ((above - feet < TOUCHDOWN_HEIGHT) | (carried != 0))[:, np.newaxis]
    packets["gear_pos"] = 1.0


def _air(part: Part, att: Array) -> _Air:
    """Return the flow; without the part ``environment`` the air is that at sea level."""
    wind = _column(part, "wind")
    pressure, sound_speed = (np.full(len(wind), value) for value in _SEA_LEVEL)
    if part.group.batch.has("environment"):
        wind = wind + _column(part, "wind_variation")
        pressure, sound_speed = (_column(part, name) for name in ("air_pressure", "sound_speed"))
    return _Air(_to_body(att, _column(part, "vel") - wind), pressure, sound_speed)


def _to_body(att: Array, vectors: Array) -> Array:
    """Return vectors (k, 3) [NED] in the body frames of attitudes (k, 4)."""
    scalar, axis = att[:, :1], -att[:, 1:]
    turned = np.cross(axis, vectors)
    body: Array = vectors + 2.0 * (scalar * turned + np.cross(axis, turned))
    return body


def _euler_rates(euler: Array, rate: Array) -> tuple[Array, Array, Array]:
    """Return the rates [rad/s] of roll, pitch and yaw of angular velocities (k, 3) [FRD].

    The axes of the three angles, in the body frame, are solved for [@beard-mclain chapter 3].
    """
    sine, cosine = exact.sincos(euler[:, :2])
    p, q, r = rate.T
    level = np.maximum(cosine[:, 1], _LEVEL)
    yaw_rate = (sine[:, 0] * q + cosine[:, 0] * r) / level
    return p + sine[:, 1] * yaw_rate, cosine[:, 0] * q - sine[:, 0] * r, yaw_rate


def _calibrated_airspeed(speed: Array, pressure: Array, sound_speed: Array) -> Array:
    """Return the speed [m/s] that has, at sea level, the impact pressure of a true airspeed.

    Isentropic flow of a ratio of specific heats of 1.4, ``(1 + M^2 / 5)^3.5 - 1`` times the static
    pressure; for small speeds without a loss of digits.
    """
    impact = pressure * np.expm1(3.5 * np.log1p(0.2 * np.square(speed / sound_speed)))
    mach2 = 5.0 * np.expm1(np.log1p(impact / _SEA_LEVEL[0]) / 3.5)
    calibrated: Array = _SEA_LEVEL[1] * np.sqrt(mach2)
    return calibrated

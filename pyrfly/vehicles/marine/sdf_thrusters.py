"""Thrusters of SDF files: motor models and ``Thruster`` of Gazebo, as one curve: `thrusters_of`."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import brief
from pyrfly.vehicles.entries import NOT_NEGATIVE, POSITIVE, Rule
from pyrfly.vehicles.gazebo.axes import axis_of
from pyrfly.vehicles.gazebo.body import to_frd
from pyrfly.vehicles.gazebo.channels import CHANNELS, Channels, motor_number
from pyrfly.vehicles.gazebo.elements import MOTOR, TALK
from pyrfly.vehicles.gazebo.model import SdfModel
from pyrfly.vehicles.gazebo.node import Node
from pyrfly.vehicles.gazebo.plugins import is_classic
from pyrfly.vehicles.marine.parameters import THRUSTERS

__all__ = ["GENERIC", "THRUSTER", "SdfThruster", "thrusters_of"]

Array = NDArray[np.float64]

_POSITIVE, _NOT_NEGATIVE, _ANY = (Rule(1, "", *r) for r in (POSITIVE, NOT_NEGATIVE, (-1e15, 1e15)))
_UP = np.array([0.0, 0.0, 1.0])
_POWERS = 5

_LOADING = 13_000.0
"""Thrust per area of the propeller [Pa], estimated: that of a T200 and of outboard motors."""

GENERIC = MOTOR | frozenset(
    "controlMethod minCommand minDutyCycle maxDutyCycle bidirectionalMotor"
    " positiveThrustPolynomial negativeThrustPolynomial".split()
)
THRUSTER = TALK | frozenset(
    "namespace joint_name use_angvel_cmd fluid_density propeller_diameter thrust_coefficient"
    " velocity_control p_gain i_gain d_gain max_thrust_cmd min_thrust_cmd deadband"
    " wake_fraction alpha_1 alpha_2".split()
)

_TAU = 0.02
"""Time constant of thrusters that follow at once in Gazebo [s], estimated: that of its motors."""


class SdfThruster(NamedTuple):
    """A thruster.

    Attributes
    ----------
    node : Node
        Its plug-in.
    link : str
        Its link.
    channel : int
        Its channel, in which order the thrusters are.
    position, axis : list of float
        Its place from the centre of mass [m], and the direction of its thrust ahead [FRD].
    reaction : float
        Torque about the axis per thrust [m].
    ahead, astern : tuple of float
        Coefficients of the powers of the speed over the rated one [N].
    rated, slowest : float
        Speeds at full command ahead, and astern [rad/s].
    tau, dead_zone, diameter : float
        Time constant [s], command below which it stands, diameter of the propeller [m].
    """

    node: Node
    link: str
    channel: int
    position: list[float]
    axis: list[float]
    reaction: float
    ahead: tuple[float, ...]
    astern: tuple[float, ...]
    rated: float
    slowest: float
    tau: float
    dead_zone: float = 0.0
    diameter: float = 0.0

    @property
    def thrust(self) -> float:
        """Its thrust at full command ahead [N]."""
        return sum(self.ahead)


def _square(thrust: float) -> tuple[float, ...]:
    return (0.0, thrust, 0.0, 0.0, 0.0)


# --- motor models ---------------------------------------------------------------------------------


def _polynomial(model: SdfModel, plugin: Node, name: str) -> tuple[float, ...]:
    """Return the coefficients from the first power on."""
    source = model.source
    words = source.text(plugin, name).strip("[] \t\n").replace(",", " ").split()
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        numbers = []
    if not 2 <= len(numbers) <= _POWERS + 1 or not np.isfinite(numbers).all():
        raise source.error(
            plugin, f"<{name}>: expected 2 to {_POWERS + 1} numbers, got {brief(' '.join(words))}"
        )
    if numbers[0] != 0.0:
        source.assume(plugin, f"{plugin.path}: <{name}>: no thrust at rest, not {numbers[0]:g} N")
    return (*numbers[1:], *[0.0] * (_POWERS + 1 - len(numbers)))


class _Curve(NamedTuple):
    """Thrust of a motor: curves ahead and astern, their speeds, the sense of the thrust along z."""

    ahead: tuple[float, ...]
    astern: tuple[float, ...]
    rated: float
    slowest: float
    sense: float
    reaction: float
    dead_zone: float = 0.0


def _by_polynomial(model: SdfModel, plugin: Node, fastest: float) -> _Curve:
    """Return the thrust that polynomials of the command give."""
    source = model.source
    ahead = _polynomial(model, plugin, "positiveThrustPolynomial")
    astern = tuple([0.0] * _POWERS)
    if source.flag(plugin, "bidirectionalMotor"):
        given = source.child(plugin, "negativeThrustPolynomial") is not None
        astern = _polynomial(model, plugin, "negativeThrustPolynomial") if given else ahead
    dead = source.number(plugin, "minCommand", 0.0, Rule(1, "", 0.0, 0.5))
    return _Curve(ahead, astern, fastest, fastest, 1.0, 0.0, dead)


def _speeds(model: SdfModel, plugin: Node, channels: Channels, fastest: float) -> tuple[float, ...]:
    """Return the speeds of a motor at its full commands [rad/s]."""
    source = model.source
    number = motor_number(source, plugin)
    if number not in channels.motors:
        source.assume(
            plugin, f"motor {number}: no control channel; the channel 1 is {fastest:g} rad/s"
        )
        return fastest, fastest
    channel = channels.motors[number]
    scaling, offset = channel.table["scaling"], channel.table["offset"]
    zero = channel.table["zero"][0]
    ends = scaling * (1.0 + offset) + zero, scaling * (1.0 - offset) - zero
    if not min(ends) > 0.0:
        raise source.error(
            channel.node,
            "<input_scaling>: expected a thruster that turns both ways by the channel -1 to 1, got "
            f"{-ends[1]:g} to {ends[0]:g} rad/s",
        )
    if max(ends) > fastest:
        source.assume(channel.node, f"{channel.node.path}: at most {fastest:g} rad/s")
    return min(ends[0], fastest), min(ends[1], fastest)


def _by_speed(model: SdfModel, plugin: Node, channels: Channels, fastest: float) -> _Curve:
    """Return the thrust by the squared speed."""
    source = model.source
    turning = model.plugins.choice(plugin, "turningDirection", ("cw", "ccw"), None)
    turn = 1.0 if turning == "ccw" else -1.0
    constant = source.number(plugin, "motorConstant", None, _ANY)
    if constant == 0.0:
        raise source.error(plugin, "<motorConstant>: expected a thrust, got 0")
    moment = source.number(plugin, "momentConstant", 0.0, _ANY)
    rated, slowest = _speeds(model, plugin, channels, fastest)
    sense = 1.0 if constant > 0.0 else -1.0
    if is_classic(plugin):
        sense = sense * turn if source.flag(plugin, "reversible") else 1.0
        if not source.flag(plugin, "reversible"):
            source.assume(
                plugin, f"{plugin.path}: <reversible>: it pushes astern by a negative command"
            )
    thrust = abs(constant) * rated * rated
    return _Curve(_square(thrust), _square(thrust), rated, slowest, sense, -turn * abs(moment))


def _motor(model: SdfModel, plugin: Node, channels: Channels) -> SdfThruster:
    """Return the thruster of a motor model, along z of its link."""
    source, body = model.source, model.body
    source.require_known(plugin, GENERIC)
    link = model.plugins.link(plugin, "linkName")
    kinds = ("velocity", "force_polynomial")
    kind = model.plugins.choice(plugin, "motorType", kinds, "velocity")
    fastest = source.number(plugin, "maxRotVelocity", None, _POSITIVE)
    curve = (
        _by_polynomial(model, plugin, fastest)
        if kind == "force_polynomial"
        else _by_speed(model, plugin, channels, fastest)
    )
    lags = [source.number(plugin, f"timeConstant{way}", _TAU, _POSITIVE) for way in ("Up", "Down")]
    return SdfThruster(
        node=plugin,
        link=link,
        channel=motor_number(source, plugin),
        position=body.place(link, body.centres[link]),
        axis=body.direction(link, curve.sense * _UP),
        reaction=curve.reaction,
        ahead=curve.ahead,
        astern=curve.astern,
        rated=curve.rated,
        slowest=curve.slowest,
        tau=0.5 * sum(lags),
        dead_zone=curve.dead_zone,
    )


# --- Thruster of Gazebo ---------------------------------------------------------------------------


def _thruster(model: SdfModel, plugin: Node, number: int) -> SdfThruster:
    """Return the thruster whose command is a thrust, or the speed of a propeller, along a joint."""
    source, body = model.source, model.body
    source.require_known(plugin, THRUSTER)
    joint = model.plugins.joint_of_body(plugin, "joint_name")
    diameter = source.number(plugin, "propeller_diameter", 0.02, _POSITIVE)
    density = source.number(plugin, "fluid_density", 1000.0, _POSITIVE)
    coefficient = abs(source.number(plugin, "thrust_coefficient", 1.0, _ANY))
    if coefficient == 0.0:
        raise source.error(plugin, "<thrust_coefficient>: expected a thrust, got 0")
    constant = coefficient * density * diameter**4
    most, least = (
        source.number(plugin, f"{end}_thrust_cmd", usual, _ANY)
        for end, usual in (("max", 1000.0), ("min", -1000.0))
    )
    if not most > 0.0 or least > 0.0:
        raise source.error(
            plugin, f"<max_thrust_cmd>: expected a range about 0, got {least:g} to {most:g}"
        )
    if source.flag(plugin, "use_angvel_cmd"):
        ahead, astern = (_square(constant * most * most) for _ in range(2))
        rated, slowest = most, -least or most
    else:
        ahead, astern = ((thrust, 0.0, 0.0, 0.0, 0.0) for thrust in (most, -least))
        rated = slowest = sqrt(most / constant)
    link = body.joints[joint].moved[0]
    dead = source.number(plugin, "deadband", 0.0, _NOT_NEGATIVE)
    return SdfThruster(
        node=plugin,
        link=link,
        channel=number,
        position=body.place(link, np.zeros(3)),
        axis=to_frd(axis_of(source, body, joint)),
        reaction=0.0,
        ahead=ahead,
        astern=astern,
        rated=rated,
        slowest=slowest,
        tau=_TAU,
        dead_zone=min(dead / most, 0.5),
        diameter=diameter,
    )


# --- all of them ----------------------------------------------------------------------------------


def _shares(model: SdfModel, found: Sequence[SdfThruster]) -> list[float]:
    """Return the thrust of each over that of the strongest, whose curve is that of all."""
    best = max(found, key=lambda one: one.thrust)
    shares = []
    for one in found:
        share = one.thrust / best.thrust
        curves = [[*t.ahead, *t.astern, t.slowest / t.rated] for t in (one, best)]
        mine, theirs = (np.array(curve) for curve in curves)
        theirs[:-1] *= share
        if np.abs(mine - theirs).max() > 1e-6 * np.abs(theirs).max():
            raise model.source.error(
                one.node,
                f"expected the curve of thrust of line {best.node.line} or a share of it, as all "
                "thrusters have one curve",
            )
        shares.append(share)
    return shares


def thrusters_of(model: SdfModel, channels: Channels) -> tuple[list[SdfThruster], dict[str, Any]]:
    """Return the thrusters in the order of their channels, and the columns that they share.

    Raises
    ------
    ParameterError
        There is none, or more than a vehicle has, an element is missing or invalid, two have one
        link, or their curves differ.
    """
    plugins, source = model.plugins, model.source
    found = [_motor(model, plugin, channels) for plugin in plugins["motor"]]
    found += [
        _thruster(model, plugin, CHANNELS + number)
        for number, plugin in enumerate(plugins["thruster"])
    ]
    found.sort(key=lambda one: one.channel)
    if not found:
        raise source.error(model.node, "expected at least one plug-in of a thruster, got none")
    if len(found) > THRUSTERS:
        raise source.error(
            found[THRUSTERS].node, f"expected up to {THRUSTERS} thrusters, got {len(found)}"
        )
    for i, one in enumerate(found):
        if one.link in [other.link for other in found[:i]]:
            raise source.error(one.node, f"expected one thruster of the link {one.link!r:.60}")
        if not one.thrust > 0.0:
            raise source.error(one.node, f"expected a thrust ahead, got {one.thrust:g} N")
    shares = _shares(model, found)
    best = found[shares.index(1.0)]
    diameter = best.diameter
    if not diameter:
        diameter = sqrt(4.0 * best.thrust / (pi * _LOADING))
        source.assume(best.node, f"propellers of {diameter:.2g} m, of {_LOADING:g} Pa of thrust")
    columns = {
        "thruster_ahead": list(best.ahead),
        "thruster_astern": list(best.astern),
        "thruster_rated": best.rated,
        "thruster_speed_max": [best.rated, best.slowest],
        "thruster_tau": best.tau,
        "thruster_dead_zone": best.dead_zone,
        "thruster_diameter": diameter,
    }
    turned = [
        one._replace(axis=[share * x for x in one.axis])
        for one, share in zip(found, shares, strict=True)
    ]
    return turned, columns

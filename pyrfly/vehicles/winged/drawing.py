"""Wings and tails with surfaces that move, for drawings: `surface`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.vehicles.drawing import LEVEL, TURN, Axes, Colour, Joint, Part
from pyrfly.vehicles.drawing_parts import ACCENT, SHELL, vector
from pyrfly.vehicles.drawing_solids import AIRFOIL, FLAP, FRONT, Wing
from pyrfly.vehicles.winged.hull import THICKNESS

__all__ = [
    "DEPTH",
    "TAPER",
    "UPRIGHT",
    "Effect",
    "Flap",
    "Panel",
    "axes_between",
    "surface",
]

Array = NDArray[np.float64]

UPRIGHT: Axes = ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))
"""Axes of a fin: its span is up."""

TAPER = (1.12, 0.88)
"""Chords at root and tip over the mean chord, estimated."""

DEPTH = 0.28
"""Chord of a surface over that of its wing, estimated."""


ALL, QUARTER = 0.99, 0.25
"""Share of the chord from which a whole panel turns, and where it then does, estimated."""


class Effect(NamedTuple):
    """What turns a surface.

    Attributes
    ----------
    actuator : int
        Which of ``displayed_actuators``.
    gain : float
        Deflection per that angle; above 0 the trailing edge goes along the local z.
    """

    actuator: int
    gain: float


class Flap(NamedTuple):
    """A surface at the trailing edge of a panel.

    Attributes
    ----------
    name : str
        What it is.
    effects : sequence of Effect
        What turns it; without any there is none.
    where : tuple of float
        Where it begins and ends, shares of the span.
    depth : float
        Its chord over that of the panel.
    """

    name: str
    effects: Sequence[Effect]
    where: tuple[float, float] = (0.0, 1.0)
    depth: float = DEPTH


class Panel(NamedTuple):
    """A wing on one side of the vehicle, or a tailplane, or a fin.

    Attributes
    ----------
    chords : tuple of float
        Chord at the root and at the tip [m].
    span : float
        Along the local y, below 0 to the left [m].
    sweep : float
        Distance of the middle of the chord of the tip behind that of the root [m].
    rise : float
        Distance of the tip along the local z [m].
    thickness : float
        Thickness over the chord.
    """

    chords: tuple[float, float]
    span: float
    sweep: float = 0.0
    rise: float = 0.0
    thickness: float = THICKNESS

    def edge(self, along: float, across: float) -> Array:
        """Return the point at a share of the span and of the chord from the leading edge."""
        chord = self.chord(along)
        x = (0.5 - across) * chord - along * self.sweep
        return np.array([x, along * self.span, along * self.rise])

    def chord(self, along: float) -> float:
        """Return the chord at a share of the span."""
        return self.chords[0] + along * (self.chords[1] - self.chords[0])


def surface(
    name: str,
    at: ArrayLike,
    panel: Panel,
    *flaps: Flap,
    axes: Axes = LEVEL,
    colour: Colour = SHELL,
    moved: Colour = ACCENT,
) -> Iterator[Part]:
    """Yield a panel, and the surfaces at its trailing edge that actuators turn.

    Parameters
    ----------
    name : str
        What it is.
    at : array_like, shape (3,)
        Middle of the chord of the root [m, FRD from the centre of mass].
    panel : Panel
        The panel.
    flaps : Flap
        Its surfaces, from the root to the tip.
    axes : tuple of tuple of float
        Local axes: the chord backward is along -x, the span along y.
    colour, moved : tuple of int
        Colours of the panel and of its surfaces.
    """
    frame = _Placed(np.asarray(at, np.float64), axes, panel)
    whole = frame.part(name, (0.0, 1.0), (0.0, 1.0), AIRFOIL, colour)
    first, *others = _pieces(frame, whole, [one for one in flaps if one.effects], moved)
    yield first._replace(far=(whole.solid,))
    yield from (part._replace(far=()) for part in others)


def _pieces(frame: _Placed, whole: Part, flaps: Sequence[Flap], moved: Colour) -> Iterator[Part]:
    """Yield a panel cut where its surfaces begin and end, from the root on."""
    end = 0.0
    for flap in flaps:
        begin, after = flap.where
        if begin > end:
            yield frame.part(whole.name, (end, begin), (0.0, 1.0), AIRFOIL, whole.colour)
        yield from frame.flap(whole.name, flap, whole.colour, moved)
        end = after
    if end < 1.0:
        yield frame.part(whole.name, (end, 1.0), (0.0, 1.0), AIRFOIL, whole.colour)


def _hinged(a: Array, b: Array, effects: Sequence[Effect]) -> tuple[Joint, ...]:
    """Return the joints about a hinge from a to b [m, FRD]."""
    axis = vector((b - a) / exact.norm(b - a))
    middle = vector(0.5 * (a + b))
    return tuple(Joint(TURN, one.actuator, axis, middle, one.gain) for one in effects)


def axes_between(root: Array, tip: Array, side: float) -> Axes:
    """Return local axes with the span, to the right or (-1) to the left, between two points."""
    along = side * (tip - root) * np.array([0.0, 1.0, 1.0])
    y = along / exact.norm(along)
    return (1.0, 0.0, 0.0), vector(y), vector([0.0, -y[2], y[1]])


class _Placed(NamedTuple):
    """A panel on its vehicle."""

    at: Array
    axes: Axes
    panel: Panel

    def point(self, along: float, across: float) -> Array:
        """Return a point of its chord plane [m, FRD]."""
        x, y, z = self.panel.edge(along, across)
        forward, side, down = np.array(self.axes)
        point: Array = self.at + x * forward + y * side + z * down
        return point

    def flap(self, name: str, flap: Flap, colour: Colour, moved: Colour) -> Iterator[Part]:
        """Yield what is before a surface, and the surface."""
        front = 1.0 - flap.depth
        first, last = sorted(flap.where, key=lambda along: along * self.panel.span)
        joints = _hinged(self.point(first, front), self.point(last, front), flap.effects)
        if flap.depth >= ALL:
            ahead = (self.point(first, QUARTER), self.point(last, QUARTER))
            joints = _hinged(*ahead, flap.effects)
            yield self.part(flap.name, flap.where, (0.0, 1.0), AIRFOIL, moved, joints)
            return
        yield self.part(f"{name} before {flap.name}", flap.where, (0.0, front), FRONT, colour)
        yield self.part(flap.name, flap.where, (front, 1.0), FLAP, moved, joints)

    def part(
        self,
        name: str,
        along: tuple[float, float],
        across: tuple[float, float],
        profile: tuple[tuple[float, float], ...],
        colour: Colour,
        joints: tuple[Joint, ...] = (),
    ) -> Part:
        """Return what is between shares of the span and of the chord."""
        panel = self.panel
        ends = [[panel.edge(share, edge) for edge in across] for share in along]
        origin = np.array([0.0, *ends[0][0][1:]])
        root, tip = ((float(a[0]), float(b[0])) for a, b in ends)
        _, span, rise = ends[1][0] - origin
        thin = 0.6 if profile == FLAP else 1.0  # where FRONT ends
        thick = [thin * panel.thickness * panel.chord(share) for share in along]
        solid = Wing(root, tip, float(span), float(rise), (thick[0], thick[1]), profile)
        _, side, down = np.array(self.axes)
        at = self.at + origin[1] * side + origin[2] * down
        return Part(name, solid, vector(at), self.axes, colour, joints)

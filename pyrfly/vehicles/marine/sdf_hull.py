"""Hulls of SDF files: buoyancy, added mass and drag by the three plug-ins of Gazebo: `hull_of`.

``UsvDynamics`` is a catamaran of two cylinders, ``libgazebo_uuv_plugin.so`` has a force as its
buoyancy, ``Hydrodynamics`` stands beside ``Buoyancy``, which is that of the collision shapes
[@gz-classic] [@gz-sim].
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.entries import ANY, NOT_NEGATIVE, POSITIVE, Range, Rule
from pyrfly.vehicles.gazebo.collisions import Solid, bounds_of, solids_of
from pyrfly.vehicles.gazebo.model import SdfModel
from pyrfly.vehicles.gazebo.node import Node
from pyrfly.vehicles.gazebo.source import Source

__all__ = ["BUOYANCY", "HYDRODYNAMICS", "USV", "UUV", "SdfHull", "hull_of"]

Array = NDArray[np.float64]
Columns = dict[str, float | list[float]]

_FRESH = 1000.0
"""Density of the water that the plug-ins of Gazebo assume [kg/m^3]."""

_COEFFICIENTS = {
    "drag_linear": "xU yV zW",
    "drag_quadratic": "xUU yVV zWW",
    "damping_linear": "kP mQ nR",
    "damping_quadratic": "kPP mQQ nRR",
    "added_mass": "xDotU yDotV zDotW",
    "added_inertia": "kDotP mDotQ nDotR",
}
"""Elements of each column in the words of the older plug-ins."""

_USV_USUAL = {
    **dict.fromkeys("xU yV zW kP mQ nR".split(), 20.0),
    "xDotU": 5.0,
    "yDotV": 5.0,
    "nDotR": 1.0,
    "xUU": 0.0,
    "yVV": 0.0,
    "nRR": 0.0,
}
_USV_HULL = {"hullRadius": 0.213, "boatWidth": 1.0, "boatLength": 1.35}

USV = frozenset(
    (*_USV_USUAL, *_USV_HULL, "bodyName", "waterLevel", "waterDensity", "length_n", "wave_model")
)
UUV = frozenset(
    "robotNamespace baseLinkName addedMassLinear addedMassAngular dampingLinear dampingAngular"
    " commandSubTopic buoyancy".split()
)
UUV_BUOYANCY = frozenset("link_name origin compensation height_scale_limit".split())
HYDRODYNAMICS = frozenset(
    "link_name namespace disable_coriolis disable_added_mass default_current water_density".split()
)
BUOYANCY = frozenset("uniform_fluid_density graded_buoyancy enable".split())


class SdfHull(NamedTuple):
    """A hull: its plug-in, its columns, the box around it [m, FRD], whether it is to dive."""

    node: Node
    columns: Columns
    box: tuple[Array, Array]
    dives: bool


def _rule(unit: str, of: Range) -> Rule:
    return Rule(1, unit, *of)


def _rows(value: Callable[[str], float]) -> Columns:
    """Return the columns of all coefficients, each by its element."""
    return {
        column: [value(name) for name in names.split()] for column, names in _COEFFICIENTS.items()
    }


# --- a catamaran of two cylinders -----------------------------------------------------------------


def _segment(radius: float, depth: float) -> float:
    """Return the area of a circle below a chord at a depth [m^2]."""
    half = sqrt(max(2.0 * radius * depth - depth * depth, 0.0))
    return radius * radius * float(exact.arctan2(half, radius - depth)) - (radius - depth) * half


def _draught(radius: float, area: float) -> float:
    """Return the depth [m], up to the radius, at which a circle has an area under water [m^2]."""
    low, high = 0.0, radius
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _segment(radius, middle) < area else (low, middle)
    return high


def _usv(model: SdfModel, plugin: Node) -> tuple[Columns, tuple[Array, Array]]:
    """Return the columns of two half cylinders about their draught, and the box around them."""
    source, body = model.source, model.body
    source.require_known(plugin, USV)
    base = next(iter(body.links))
    named = source.child(plugin, "bodyName") is not None
    link = model.plugins.link(plugin, "bodyName") if named else base
    radius, width, length = (
        source.number(plugin, name, usual, _rule("m", POSITIVE))
        for name, usual in _USV_HULL.items()
    )
    density = source.number(plugin, "waterDensity", 997.7735, _rule("kg/m^3", POSITIVE))
    points = source.whole(plugin, "length_n", 1000, 10)
    if not points:
        raise source.error(plugin, "<length_n>: expected at least 1, got 0")
    whole, volume = 2.0 * length * _segment(radius, radius), body.mass / density
    if not volume < whole:
        raise source.error(
            plugin,
            f"<hullRadius>: expected a hull that floats, of more than {volume:.6g} m^3 for "
            f"{body.mass:.6g} kg, got two half cylinders of {whole:.6g} m^3",
        )
    draught = _draught(radius, volume / (2.0 * length))
    area = 4.0 * length * sqrt(2.0 * radius * draught - draught * draught)
    place = body.place(link, np.zeros(3))
    ahead = length * sqrt((1.0 - 1.0 / points**2) / 12.0)
    half = np.array([0.5 * length, 0.5 * width + radius, radius])
    columns = {
        "water_density": density,
        "buoyancy_position": place,
        "buoyancy_spread": [ahead, 0.5 * width],
        "buoyancy_area": area,
        "buoyancy_height": whole / area,
        "buoyancy_offset": volume / area - draught,
        "flow_position": body.place(link, body.centres[link]),
        "munk_share": 1.0,
        **_rows(
            lambda name: (
                source.number(plugin, name, _USV_USUAL[name], _rule("", NOT_NEGATIVE))
                if name in _USV_USUAL
                else 0.0
            )
        ),
    }
    return columns, (np.array(place) - half, np.array(place) + half)


# --- a body that a force lifts --------------------------------------------------------------------


def _uuv(model: SdfModel, plugin: Node) -> tuple[Columns, tuple[Array, Array]]:
    """Return the columns of a body whose buoyancy is a share of a link's weight at a place."""
    source, body = model.source, model.body
    source.require_known(plugin, UUV)
    source.require_once(plugin, "buoyancy")
    lifted = source.child(plugin, "buoyancy")
    if lifted is None:
        raise source.error(plugin, "<buoyancy>: missing")
    source.require_known(lifted, UUV_BUOYANCY)
    link, base = (
        model.plugins.link(node, name)
        for node, name in ((lifted, "link_name"), (plugin, "baseLinkName"))
    )
    share = source.number(lifted, "compensation", None, _rule("", POSITIVE))
    limit = source.number(lifted, "height_scale_limit", 0.1, _rule("m", POSITIVE))
    place = body.place(link, source.numbers(lifted, "origin", 3, np.zeros(3)))
    volume = share * body.masses[link] / _FRESH
    vectors = {
        "added_mass": "addedMassLinear",
        "added_inertia": "addedMassAngular",
        "drag_linear": "dampingLinear",
        "damping_linear": "dampingAngular",
    }
    columns = {
        "water_density": _FRESH,
        "buoyancy_position": place,
        "buoyancy_spread": [0.0, 0.0],
        "buoyancy_area": volume / (2.0 * limit),
        "buoyancy_height": 2.0 * limit,
        "buoyancy_offset": limit,
        "flow_position": body.place(base, body.centres[base]),
        "munk_share": 1.0,
        "drag_quadratic": [0.0] * 3,
        "damping_quadratic": [0.0] * 3,
        **{
            column: source.numbers(plugin, name, 3, np.zeros(3), _rule("", NOT_NEGATIVE)).tolist()
            for column, name in vectors.items()
        },
    }
    half = 0.5 * exact.cube_root(volume)
    return columns, (np.array(place) - half, np.array(place) + half)


# --- derivatives, and the volume of the shapes ----------------------------------------------------


def _derivative(source: Source, plugin: Node, name: str) -> float:
    """Return a derivative of the forces without its sign, which has to be that of damping.

    Quadratic ones have ``abs`` in their names since version 7 of Gazebo.
    """
    newer = f"{name[:2]}abs{name[2:]}"
    read = name
    if len(name) == 3 and name[1] == name[2]:
        read = newer
        if source.child(plugin, newer) is None and source.child(plugin, name) is not None:
            source.assume(plugin, f"{plugin.path}: <{name}>: read as <{newer}>")
            read = name
    return -source.number(plugin, read, 0.0, _rule("", (ANY[0], 0.0))) or 0.0


def _cross_terms() -> frozenset[str]:
    """Return the names of all derivatives."""
    letters = "UVWPQR"
    pairs = [f"{one}{two}" for one, two in itertools.product(letters, letters)]
    ends = [*letters, *pairs, *(f"{p[0]}abs{p[1]}" for p in pairs), *(f"Dot{x}" for x in letters)]
    return frozenset(f"{axis}{end}" for axis, end in itertools.product("xyzkmn", ends))


_DERIVATIVES = _cross_terms()


def _review_derivatives(source: Source, plugin: Node, read: Collection[str]) -> None:
    """Record derivatives across axes, and a current, which is one of the world."""
    for child in plugin:
        name = child.tag
        if name in _DERIVATIVES - set(read) and source.number(plugin, name, 0.0) != 0.0:
            source.leave_out(plugin, f"{plugin.path}: <{name}>: a derivative across axes")
    if source.numbers(plugin, "default_current", 3, np.zeros(3)).any():
        source.leave_out(
            plugin, f"{plugin.path}: <default_current>: environment.set_current is the current"
        )


def _fluid_added_mass(source: Source, model: SdfModel, link: str) -> tuple[Array, Array]:
    """Return the added mass and inertia that a link has itself, along its axes."""
    links = {node.get("name"): node for node in source.children(model.node, "link")}
    inertial = source.child(links[link], "inertial")
    added = None if inertial is None else source.child(inertial, "fluid_added_mass")
    if added is None:
        return np.zeros(3), np.zeros(3)
    mass, inertia = (
        np.array([source.number(added, name, 0.0, _rule("", NOT_NEGATIVE)) for name in names])
        for names in (("xx", "yy", "zz"), ("pp", "qq", "rr"))
    )
    return mass, inertia


def _density(model: SdfModel) -> float:
    """Return the density of the water: of the plug-in of the buoyancy, if there is one."""
    source = model.source
    for plugin in model.plugins["buoyancy"]:
        source.require_known(plugin, BUOYANCY)
        graded = source.child(plugin, "graded_buoyancy")
        node, name = (
            (plugin, "uniform_fluid_density") if graded is None else (graded, "default_density")
        )
        return source.number(node, name, _FRESH, _rule("kg/m^3", POSITIVE))
    source.assume(model.node, f"buoyancy of its collision shapes in water of {_FRESH:g} kg/m^3")
    return _FRESH


def _displacement(solids: Collection[Solid]) -> Columns:
    """Return the columns of a hull of the volume of shapes, as high as they are."""
    volume = sum(solid.volume for solid in solids)
    middle = sum(solid.volume * solid.middle for solid in solids) / volume
    around = sum(solid.volume * (solid.spread + (solid.middle - middle) ** 2) for solid in solids)
    low, high = bounds_of(solids)
    height = float(high[2] - low[2])
    return {
        "buoyancy_position": np.asarray(middle).tolist(),
        "buoyancy_spread": np.sqrt(np.asarray(around)[:2] / volume).tolist(),
        "buoyancy_area": volume / height,
        "buoyancy_height": height,
        "buoyancy_offset": float(high[2] - np.asarray(middle)[2]),
    }


def _hydrodynamics(model: SdfModel, plugin: Node) -> tuple[Columns, tuple[Array, Array]]:
    """Return the columns of the derivatives, and of the collision shapes under water."""
    source, body = model.source, model.body
    source.require_known(plugin, HYDRODYNAMICS | _DERIVATIVES)
    link = model.plugins.link(plugin, "link_name")
    solids = solids_of(source, model.node, body)
    if not solids:
        raise source.error(
            model.node,
            "<collision>: expected a box, cylinder, sphere or capsule, got none: "
            "without a volume there is no buoyancy",
        )
    rows = _rows(lambda name: _derivative(source, plugin, name))
    read = " ".join(_COEFFICIENTS.values()).split()
    _review_derivatives(source, plugin, [*read, *(f"{n[:2]}abs{n[2:]}" for n in read)])
    still = source.flag(plugin, "disable_added_mass")
    own = _fluid_added_mass(source, model, link)
    for column, added in zip(("added_mass", "added_inertia"), own, strict=True):
        rows[column] = (added + (0.0 if still else np.array(rows[column]))).tolist()
    columns = {
        "water_density": _density(model),
        "flow_position": body.place(link, np.zeros(3)),
        "munk_share": 0.0 if source.flag(plugin, "disable_coriolis") else 1.0,
        **_displacement(solids),
        **rows,
    }
    return columns, bounds_of(solids)


_READ: Mapping[str, Callable[[SdfModel, Node], tuple[Columns, tuple[Array, Array]]]] = {
    "usv": _usv,
    "uuv": _uuv,
    "hydrodynamics": _hydrodynamics,
}


def hull_of(model: SdfModel, thrusters: Collection[str]) -> SdfHull:
    """Return the hull of a model; ``thrusters`` are the links that turn.

    Raises
    ------
    ParameterError
        There is no plug-in of water, or more than one, or an element of it is missing or invalid.
    """
    source = model.source
    found = [(kind, plugin) for kind in _READ for plugin in model.plugins[kind]]
    if len(found) != 1:
        raise source.error(
            found[1][1] if found else model.node,
            f"expected one plug-in of hydrodynamics, got {len(found)}",
        )
    kind, plugin = found[0]
    columns, box = _READ[kind](model, plugin)
    solids = [s for s in solids_of(source, model.node, model.body) if s.link not in thrusters]
    return SdfHull(plugin, columns, bounds_of(solids) if solids else box, kind != "usv")

"""Air, wind, gravity, magnetic field and ground at the vehicles of a simulation: `Environment`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from datetime import date as Date
from datetime import datetime as DateTime
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import _core
from pyrfly.arrays import finite_array
from pyrfly.errors import CommandWarning, brief, warn
from pyrfly.protocol.bits import Effect
from pyrfly.sim.arguments import chosen_name
from pyrfly.sim.group import Group
from pyrfly.sim.interface import PartInterface, bits_of, names_of
from pyrfly.sim.selection import Rows, Selection
from pyrfly.sim.water import current_columns, in_water, set_surface, surface_of
from pyrfly.sim.waves import sea_of, write_waves
from pyrfly.terrain import TerrainMap, read_terrain
from pyrfly.vehicles.commands import Ids

__all__ = ["Environment"]

Columns = Mapping[str, ArrayLike]

_LIMITS = _core.limits()
_KNOT = 1852 / 3600  # m/s
_POTENTIAL_RADIUS = 6356766.0  # m, of geopotential heights [@us76]

MAXIMUM_GUST = 200.0
"""Maximum of a component of a gust's amplitude [m/s]: well above any wind on earth."""

MAXIMUM_DURATION = 1e9
"""Maximum duration or delay of a gust [s]."""

LARGEST_ROTOR = 100.0
"""Maximum radius and height of a rotor [m]: above that of any aircraft."""

LARGEST_DISK = 1e5
"""Maximum area of the disks of all rotors of a vehicle [m^2], likewise."""

_PER_SPEEDS = ("N s^2/m", 1e3)
"""Unit and maximum of forces per air speed and rotor speed: far above what a step resolves."""

SEVERITIES = {"light": (15 * _KNOT, 1), "moderate": (30 * _KNOT, 2), "severe": (45 * _KNOT, 3)}
"""Wind 20 ft above ground [m/s], and the value of ``turbulence_severity`` [@mil-f-8785c 3.7]."""

EARTHS = ("flat", "ellipsoid", "sphere")
"""Shapes of the earth, in the order of the values of ``earth_shape``."""

_STRENGTHS = {"turbulence": "turbulence_wind", "gust": "gust"}
"""Column without which an effect does nothing."""


class Environment(PartInterface):
    """Air, wind, gravity, magnetic field and ground at the vehicles: `Sim.environment`.

    Every effect is off until it is enabled. Settings and results are columns of the `Sim`, which
    exist from then on (docs/environment.md, ``pyrfly columns``). The results are updated at the
    ``environment_rate`` of the `Sim` and by `refresh`, and constant in between.

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("x450", 2)
    >>> sim.environment.enable("atmosphere", "density")
    >>> sim.reset(pos=[[0, 0, 0], [0, 0, -3000]])
    >>> sim.air_density.round(3).tolist()
    [1.219, 0.905]
    """

    part = "environment"

    def _on(self) -> dict[str, int]:
        names = names_of(Effect)
        return {name: self._count("environment_effects", Effect[name.upper()]) for name in names}

    @property
    def wind(self) -> NDArray[Any]:
        """Wind velocity at the vehicles [m/s, NED], shape (n, 3).

        That is the steady wind, its variation, and the wind of faults.
        """
        chosen = self._select(None)
        wind = chosen.read("wind")
        if self.enabled:
            wind = wind + chosen.read("wind_variation")
        for group, rows, indices in chosen:
            if group.has("fault_wind"):
                noise = (
                    group.view("wind_deviation")[rows, np.newaxis] * group.view("wind_noise")[rows]
                )
                wind[indices] += group.view("fault_wind")[rows] + noise
        return wind

    @property
    def geodetic(self) -> NDArray[np.float64]:
        """Latitude [deg], longitude [deg], height above the ellipsoid [m], shape (n, 3)."""
        return self._access.frame().to_lla(self._select(None).read("pos"))

    def enable(self, *effects: str, ids: Ids = None) -> None:
        """Switch effects on.

        Parameters
        ----------
        *effects : {'atmosphere', 'density', 'shear', 'gust', 'turbulence', 'magnetic', 'gravity', \
'ground_effect', 'downwash'}
            ``atmosphere``: temperature, pressure, density and speed of sound of the standard
            atmosphere. ``density``: rotor thrust and torque and the drag in proportion to the air
            density, with ``atmosphere``. ``shear``: the steady wind grows with height. ``gust``
            and ``turbulence``: see `set_gust` and `set_turbulence`. ``magnetic``: the field of the
            World Magnetic Model. ``gravity``: normal gravity of WGS84 instead of the parameter.
            ``ground_effect``, ``downwash``: see `set_ground_effect` and `set_downwash`, with their
            defaults.
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.

        Raises
        ------
        ValueError
            There is no such effect, none is given, or a vehicle is outside of the atmosphere's
            heights.

        Warns
        -----
        CommandWarning
            A gust or turbulence is enabled that was not set.
        """
        bits = bits_of("effects", Effect, effects)
        if bits & Effect.DENSITY:
            bits |= Effect.ATMOSPHERE
        chosen = self._distinct(ids)
        if bits & Effect.ATMOSPHERE:
            self.check_heights(chosen)
        self._enable(bits, chosen, {})
        for effect, column in _STRENGTHS.items():
            if effect in effects and chosen and not chosen.read(column).any():
                warn(f"{effect}: calm so far: set_{effect} sets and enables it", CommandWarning)

    def _enable(self, bits: int, chosen: Selection, columns: Columns) -> None:
        """Switch effects on with settings, also where these are 0; the others are estimated."""

        def write() -> None:
            chosen.write_all(columns)
            for group, rows, _ in chosen:
                if bits & Effect.GROUND_EFFECT:
                    _estimate_rotors(group, rows, heights="rotor_radius" in columns)
                if bits & Effect.DOWNWASH:
                    _estimate_jets(group, rows)
            chosen.write_all(columns)  # an estimate replaces zeros
            self.switch_on(bits, chosen)

        parts = ("rotor_air", "downwash") if bits & Effect.DOWNWASH else ()
        self._change(write, "environment", *parts)

    def switch_on(self, bits: int, chosen: Selection) -> None:
        """Set bits of ``environment_effects``, which exists, in a change of the `Sim`."""
        for group, rows, _ in chosen:
            group.view("environment_effects")[rows] |= np.uint32(bits)
        self.refresh(chosen)

    def disable(self, *effects: str, ids: Ids = None) -> None:
        """Switch effects off; arguments as of `enable`."""
        bits = bits_of("effects", Effect, effects)
        chosen = self._distinct(ids)

        def write() -> None:
            for group, rows, _ in chosen:
                group.view("environment_effects")[rows] &= np.uint32(~bits & 0xFFFFFFFF)
            self.refresh(chosen)

        if self.enabled:
            self._change(write)

    def set_turbulence(self, severity: str, *, ids: Ids = None) -> None:
        """Set the severity of Dryden turbulence and enable it.

        The eddies drift with the steady wind, so a hovering vehicle meets them at the speed of
        ``sim.wind``, and at ``turbulence_min_speed`` without wind.

        Parameters
        ----------
        severity : {'light', 'moderate', 'severe'}
            A wind of 15, 30 or 45 knots 20 ft above ground; above 2000 ft the intensities with a
            probability of exceedance of 1e-2, 1e-3 or 1e-5 [@mil-f-8785c].
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.
        """
        wind, number = SEVERITIES[chosen_name("severity", severity, SEVERITIES)]
        columns = {"turbulence_wind": wind, "turbulence_severity": number}
        self._enable(Effect.TURBULENCE, self._distinct(ids), columns)

    def set_gust(
        self,
        velocity: ArrayLike,
        *,
        rise: float,
        hold: float = 0.0,
        fall: float | None = None,
        delay: float = 0.0,
        ids: Ids = None,
    ) -> None:
        """Set a 1-cos gust and enable it; it is repeated after every `Sim.reset`.

        Parameters
        ----------
        velocity : array_like, shape (k, 3) or (3,)
            Amplitude [m/s, NED], components of up to 200 m/s.
        rise, hold, fall : float
            Durations [s], up to 1e9 s; ``fall`` is ``rise`` by default.
        delay : float
            Time until it begins [s], from now and from every reset.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.

        Raises
        ------
        ShapeError, TypeError, ValueError
            An argument has the wrong shape, is not finite or out of its range; then nothing is
            changed.
        """
        chosen = self._distinct(ids)
        amplitude = chosen.per_vehicle("velocity", velocity, "m/s", 3)
        if (np.abs(amplitude) > MAXIMUM_GUST).any():
            raise ValueError(
                f"velocity: expected components of up to {MAXIMUM_GUST:g} m/s, "
                f"got {brief(velocity)}"
            )
        times = {"rise": rise, "hold": hold, "fall": rise if fall is None else fall, "delay": delay}
        seconds = [_duration(name, value) for name, value in times.items()]
        columns: dict[str, ArrayLike] = {
            "gust": amplitude,
            "gust_times": seconds[:3],
            "gust_delay": seconds[3],
            "gust_updates": 0,
        }
        self._enable(Effect.GUST, chosen, columns)

    def set_ground_effect(
        self,
        radius: ArrayLike | None = None,
        hub_height: ArrayLike | None = None,
        *,
        ids: Ids = None,
    ) -> None:
        """Enable the ground effect: more thrust near the ground.

        The thrust at a rotor speed is that far from the ground times 1 / (1 - (R / (4 z))^2) for
        hubs z above ``terrain``, constant below z = R / 2, and fades with the cosine of the tilt
        [@cheeseman-bennett]. Vehicles without rotors have none.

        Parameters
        ----------
        radius : array_like, shape (k,) or (), optional
            Radius R of the rotors [m], up to 100 m; by default that of the set
            (``main_rotor_radius`` of helicopters, ``rotor_radius`` of ``[hull]``), else 0.42 of the
            least distance between two hubs, estimated.
        hub_height : array_like, shape (k,) or (), optional
            Height of the hubs above ``pos`` [m], which is 0 on the ground; by default that of the
            set (``main_rotor_height`` of helicopters), else the radius, estimated.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.

        Raises
        ------
        ShapeError, TypeError, ValueError
            An argument has the wrong shape, is not finite or negative; then nothing is changed.
        """
        chosen = self._distinct(ids)
        columns = {}
        for column, name, value in (
            ("rotor_radius", "radius", radius),
            ("hub_height", "hub_height", hub_height),
        ):
            if value is not None:
                columns[column] = chosen.not_negative(name, value, "m", LARGEST_ROTOR)
        self._enable(Effect.GROUND_EFFECT, chosen, columns)

    def set_downwash(
        self,
        disk_area: ArrayLike | None = None,
        inflow: ArrayLike | None = None,
        *,
        ids: Ids = None,
    ) -> None:
        """Enable the downwash: the air that rotors move meets the other vehicles of these.

        It is a round turbulent jet along the thrust (``csrc/models/jet.h``), which begins with
        sqrt(2 T / (rho A)), twice the induced velocity, for the thrust T that acts less the drag
        along it, and adds to the wind of vehicles in it. So it drags them along, and their rotors
        lose thrust by ``rotor_inflow``, as of `set_rotor_air`, also in climb and wind. Vehicles
        with effects 'plain' feel the drag only.

        Parameters
        ----------
        disk_area : array_like, shape (k,) or (), optional
            Area A of the disks of all rotors [m^2], up to 1e5; 0 for a vehicle without a jet, which
            is in those of others. By default that of the radius of `set_ground_effect`, estimated.
        inflow : array_like, shape (k,) or (), optional
            Loss of thrust per air speed along the axis and rotor speed [N s^2/m]; by default, where
            it is 0, a quarter of the thrust per induced velocity of hover less the vertical
            ``drag_linear``, estimated.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.

        Raises
        ------
        ShapeError, TypeError, ValueError
            An argument has the wrong shape, is not finite or negative; then nothing is changed.
        """
        chosen = self._distinct(ids)
        columns = {}
        if disk_area is not None:
            columns["disk_area"] = chosen.not_negative("disk_area", disk_area, "m^2", LARGEST_DISK)
        if inflow is not None:
            columns["rotor_inflow"] = chosen.not_negative("inflow", inflow, *_PER_SPEEDS)
        self._enable(Effect.DOWNWASH, chosen, columns)

    def set_rotor_air(self, drag: ArrayLike, inflow: ArrayLike, *, ids: Ids = None) -> None:
        """Set the forces of the air speed at the hubs of rotors; zeros switch them off.

        A rotor of speed w [rad/s] whose hub moves with V [m/s] through the air has the additional
        forces -drag w V across its axis and -inflow w V along it [@rotorpy]. They add to
        the drag of the parameters, which contains that of the rotors in some sets
        (docs/environment.md).

        Parameters
        ----------
        drag : array_like, shape (k,) or ()
            Force across the axis per air speed and rotor speed [N s^2/m].
        inflow : array_like, shape (k,) or ()
            Loss of thrust per air speed along the axis and rotor speed [N s^2/m].
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.

        Raises
        ------
        ParameterError
            A vehicle has no rotors with a motor each, or its effects are 'plain'.
        ShapeError, TypeError, ValueError
            An argument has the wrong shape, is not finite or negative. After any of these nothing
            is changed.
        """
        chosen = self._distinct(ids)
        columns = {
            "rotor_drag": chosen.not_negative("drag", drag, *_PER_SPEEDS),
            "rotor_inflow": chosen.not_negative("inflow", inflow, *_PER_SPEEDS),
        }
        chosen.require_full_motors("set_rotor_air")
        self._change(lambda: chosen.write_all(columns), "rotor_air")

    @property
    def terrain_map(self) -> TerrainMap | None:
        """The terrain map that vehicles may be on; see `set_terrain`."""
        return self._access.terrain_map()

    def set_terrain(
        self, terrain: TerrainMap | str | os.PathLike[str] | None, *, ids: Ids = None
    ) -> None:
        """Put vehicles on a terrain map, or take them off it.

        Below them, ``terrain`` and ``terrain_gradient`` are those of the map, updated as the other
        results; what else writes these columns is overwritten. The second is one of
        `Sim.set_ground_plane`, which this enables. A vehicle outside of the map is over
        ground of the height of the nearest edge, and its ``off_map`` is 1. Vehicles that stand
        (slower than 0.5 m/s, at most 2 mm above their ground) are put on the new ground.

        Parameters
        ----------
        terrain : TerrainMap, str, path-like or None
            The map, or its file, which `pyrfly.terrain.read_terrain` reads. A `Sim` has one map:
            vehicles on another one are on this one now. If it has a place on the earth, that is the
            new origin of the `Sim`. None: the ground stays as it is below these vehicles, and is
            theirs to be written.
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.

        Raises
        ------
        MapError
            The file is missing or invalid.
        TypeError
            ``terrain`` is none of these.

        Examples
        --------
        >>> import pyrfly
        >>> from pyrfly.terrain import TerrainMap
        >>> sim = pyrfly.Sim("x450", 2)
        >>> sim.environment.set_terrain(TerrainMap([[0, 0], [30, 30]], spacing=100))
        >>> sim.reset(pos=[[0, 0], [60, 5]])
        >>> sim.pos[:, 2].tolist(), sim.off_map.tolist()
        ([-15.0, -30.0], [0, 1])
        """
        chosen = self._distinct(ids)
        if terrain is None:
            if self.terrain_map is not None:
                chosen.write("on_terrain_map", 0)
                chosen.write("off_map", 0)
            return
        if isinstance(terrain, (str, os.PathLike)):
            terrain = read_terrain(terrain)
        if not isinstance(terrain, TerrainMap):
            raise TypeError(
                f"terrain: expected a TerrainMap, the path of its file or None, "
                f"got {brief(terrain)}"
            )
        terrain_map = terrain

        def write() -> None:
            chosen.write("on_terrain_map", 1)
            self._access.use_terrain_map(terrain_map)
            for group, _, _ in self._select(None):
                _put_on_map(group)

        self._change(write, "terrain", "ground_plane")

    def set_water(
        self, height: ArrayLike = 0.0, depth: ArrayLike | None = None, *, ids: Ids = None
    ) -> None:
        """Set the surface of the water at vehicles in it, and its depth.

        The columns ``water_surface`` and ``terrain``, its bottom. At first the surface is at z = 0
        and the bottom 100 m below. Vehicles that float at rest go with the surface; those that are
        then below the bottom are raised to it. Vehicles on land have no water.

        Parameters
        ----------
        height : array_like, shape (k,) or ()
            Height of the surface above z = 0 [m].
        depth : array_like, shape (k,) or (), optional
            Depth of the water [m]; by default the bottom stays where it is, such as that of a
            terrain map, below vehicles on which it stays anyway.
        ids : int or sequence of int, optional
            CopterIDs; by default all vehicles in water.

        Raises
        ------
        ParameterError
            A chosen vehicle is not in water, or none is.
        ShapeError, TypeError, ValueError
            An argument has the wrong shape, or is out of range. After any of these nothing is
            changed.
        """
        chosen = in_water(self._distinct, ids, "set_water")
        surface, bottom = surface_of(chosen, height, depth)
        self._change(lambda: set_surface(chosen, surface, bottom), "water")

    def set_current(
        self, velocity: ArrayLike, depth: ArrayLike | None = None, *, ids: Ids = None
    ) -> None:
        """Let the water at vehicles flow, until it is set again.

        The columns ``water_velocity`` and ``water_shear_depth``.

        Parameters
        ----------
        velocity : array_like, shape (k, 3) or (3,)
            Velocity of the water at the surface [m/s, NED].
        depth : array_like, shape (k,) or (), optional
            Depth [m] at which the current has vanished, in proportion to the depth, as one by wind
            does at about 50 m [@dnv-c205 4.1.4]; by default it is the same everywhere.
        ids : int or sequence of int, optional
            CopterIDs; by default all vehicles in water.

        Raises
        ------
        ParameterError
            A chosen vehicle is not in water, or none is.
        ShapeError, TypeError, ValueError
            An argument has the wrong shape, or is out of range. After any of these nothing is
            changed.
        """
        chosen = in_water(self._distinct, ids, "set_current")
        columns = current_columns(chosen, velocity, depth)
        self._change(lambda: chosen.write_all(columns), "water")

    def set_waves(
        self,
        height: float | None = None,
        period: float | None = None,
        *,
        wind: float | None = None,
        gamma: float | None = None,
        direction: float = 0.0,
        short_crested: bool = False,
        seed: int = 0,
        ids: Ids = None,
    ) -> None:
        """Set the sea at vehicles in water: 24 components of a spectrum, from a seed.

        The surface rises and slopes, and the water moves and pushes, by linear waves of deep water
        (``csrc/models/waves.h``), of which a hull meets the mean over its length and width. The
        columns are ``wave_height``, ``wave_gradient``, ``wave_velocity``, ``wave_accel`` and
        ``wave_drift``, at the ``environment_rate``. Vehicles with the same arguments are in one
        sea. It begins anew with a reset.

        Parameters
        ----------
        height : float, optional
            Significant wave height [m]; 0: calm.
        period : float, optional
            Period of the peak of the spectrum [s]; by default that of a developed sea.
        wind : float, optional
            Instead of a height: the wind [m/s] that has developed the sea [@pierson-moskowitz].
        gamma : float, optional
            Peak enhancement of JONSWAP; by default 3.3 [@hasselmann], of a developed sea 1, which
            is the spectrum of Pierson and Moskowitz, and of ITTC with a height and a period.
        direction : float
            Where the waves travel to [rad, clockwise from north].
        short_crested : bool
            Whether directions spread about it by cos^2; by default all waves travel along it.
        seed : int
            Of phases and directions.
        ids : int or sequence of int, optional
            CopterIDs; by default all vehicles in water.

        Raises
        ------
        ParameterError
            A chosen vehicle is not in water, or none is.
        ShapeError, TypeError, ValueError
            An argument is not one number of its range, or the waves are so steep that they break.
            After any of these nothing is changed.
        """
        chosen = in_water(self._distinct, ids, "set_waves")
        sea = sea_of(
            height,
            period,
            wind=wind,
            gamma=gamma,
            direction=direction,
            short_crested=short_crested,
            seed=seed,
        )
        self._change(lambda: write_waves(chosen, sea), "waves")

    def set_earth(self, shape: str, *, ids: Ids = None) -> None:
        """Set the shape of the earth, for long or fast flights.

        ``"ellipsoid"`` is that of WGS84 with the oblateness J2, gravity towards its centre of mass
        and rotation: Coriolis acceleration, and an IMU that measures the earth's turn. The local
        frame stays a plane that touches it at the origin, so that its down axis is vertical there
        alone. ``"sphere"`` is one without rotation, of check case 4 [@nesc]. ``"flat"`` is the
        default: gravity along the down axis, by its parameter or the effect ``gravity``.

        Controllers assume the gravity of ``control_gravity``. ``"ellipsoid"`` switches the effect
        ``gravity`` on; ``"flat"`` leaves it as it is.

        Parameters
        ----------
        shape : {"flat", "ellipsoid", "sphere"}
            The shape.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.

        Raises
        ------
        ParameterError
            A vehicle is not of a family that flies, or its effects are 'plain'.
        TypeError, ValueError
            There is no such shape. After any of these nothing is changed.
        """
        chosen_name("shape", shape, EARTHS)
        chosen = self._distinct(ids)
        chosen.require_flight("set_earth")
        round_parts = () if shape == "flat" else ("earth",)
        parts = ("environment", *round_parts) if shape == "ellipsoid" else round_parts

        def write() -> None:
            if shape == "ellipsoid":
                self.switch_on(Effect.GRAVITY, chosen)
            if all(group.batch.has("earth") for group, _, _ in chosen):
                chosen.write("earth_shape", EARTHS.index(shape))

        self._change(write, *parts)

    def set_date(self, date: float | Date, *, ids: Ids = None) -> None:
        """Set the date of the magnetic field and enable it.

        Parameters
        ----------
        date : float, datetime.date or datetime.datetime
            A decimal year, such as 2026.5, a date, or a date and time.
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.

        Raises
        ------
        ValueError
            The date is outside of 2025.0 to 2030.0, the epoch of the World Magnetic Model 2025.
        """
        year = _decimal_year(date)
        begin, end = _LIMITS["magnetic_begin"], _LIMITS["magnetic_end"]
        if not begin <= year <= end:
            raise ValueError(
                f"date: expected {begin} to {end}, the epoch of the World Magnetic Model 2025, "
                f"got {brief(date)}"
            )
        self._enable(Effect.MAGNETIC, self._distinct(ids), {"magnetic_date": year})

    def origin_changed(self) -> None:
        """Compute all results anew: the origin of the map was moved."""
        if self.enabled:
            self._select(None).write("magnetic_cell_date", 0)
            self.refresh()

    def refresh(self, chosen: Selection | None = None) -> None:
        """Compute the results at the present positions; gust and turbulence take no step.

        `Sim.reset`, a new origin, and `enable` and `disable` do so; positions or winds that you
        write are met at the next update.

        Parameters
        ----------
        chosen : Selection, optional
            The vehicles; all by default.
        """
        everyone = self._select(None)
        batches = [group.batch for group, _, _ in everyone]
        if batches[-1].has("downwash"):  # enabled last
            _core.refresh(tuple(batches))
            chosen = everyone  # what changes one vehicle changes the air of others
        for group, rows, _ in everyone if chosen is None else chosen:
            group.refresh(rows)

    def check_heights(self, chosen: Selection) -> None:
        """Raise a ValueError if a vehicle is outside of the atmosphere's heights."""
        lowest, highest = _LIMITS["atmosphere_lowest"], _LIMITS["atmosphere_highest"]
        for group, rows, _ in chosen:
            height = self._access.frame().to_lla(group.view("pos")[rows])[:, 2]
            geopotential = _POTENTIAL_RADIUS * height / (_POTENTIAL_RADIUS + height)
            outside = np.flatnonzero(~((geopotential >= lowest) & (geopotential <= highest)))
            if outside.size:
                first = np.arange(group.first_id, group.first_id + group.n)[rows][outside[0]]
                raise ValueError(
                    f"atmosphere: expected heights of {lowest:g} to {highest:g} m above sea level, "
                    f"got {height[outside[0]]:.6g} m of CopterID {first}"
                )


def _put_on_map(group: Group) -> None:
    """Compute the ground of vehicles on the map; those that stand are put on it."""
    rows = np.flatnonzero(group.view("on_terrain_map"))
    pos, terrain = group.view("pos"), group.view("terrain")
    stand = rows[group.is_standing(rows)]
    group.refresh(rows)
    pos[stand, 2] = group.standing(stand, terrain[stand])


def _estimate_rotors(group: Group, rows: Rows, *, heights: bool) -> None:
    """Set radius and height of rotors where there is no radius yet; with `heights` all heights."""
    radius_of, height_of = group.family.rotor_radius, group.family.hub_height
    if radius_of is None:
        return
    radius, height = group.view("rotor_radius"), group.view("hub_height")
    chosen = np.zeros(group.n, bool)
    chosen[rows] = True
    unset = chosen & (radius == 0)
    radius[unset] = radius_of(group.parameters)
    unset |= chosen & heights
    height[unset] = radius[unset] if height_of is None else height_of(group.parameters)


def _estimate_jets(group: Group, rows: Rows) -> None:
    """Set the area of rotor disks and the loss of thrust by inflow where they are 0 yet."""
    area_of, inflow_of = group.family.disk_area, group.family.rotor_inflow
    if area_of is None or inflow_of is None:
        return
    area, inflow = group.view("disk_area"), group.view("rotor_inflow")
    chosen = np.zeros(group.n, bool)
    chosen[rows] = True
    area[chosen & (area == 0)] = area_of(group.parameters)
    if group.batch.effects == "full":
        unset = chosen & (inflow == 0)
        inflow[unset] = inflow_of(group.parameters, area[unset].astype(np.float64))


def _duration(name: str, value: Any) -> float:
    """Return a duration [s] as float; raise an error unless it is 0 to `MAXIMUM_DURATION`."""
    seconds = finite_array(name, value, "s", MAXIMUM_DURATION)
    if seconds.ndim or seconds < 0:
        raise ValueError(f"{name}: expected a time of at least 0 [s], got {brief(value)}")
    return float(seconds)


def _decimal_year(date: Any) -> float:
    """Return a date as a decimal year."""
    if isinstance(date, DateTime):
        begin = DateTime(date.year, 1, 1, tzinfo=date.tzinfo)
        return date.year + (date - begin) / (begin.replace(year=date.year + 1) - begin)
    if isinstance(date, Date):
        first, last = Date(date.year, 1, 1), Date(date.year + 1, 1, 1)
        return date.year + (date - first).days / (last - first).days
    if isinstance(date, bool) or not isinstance(date, (int, float, np.integer, np.floating)):
        raise TypeError(f"date: expected a decimal year or a datetime.date, got {brief(date)}")
    if not -sys.float_info.max <= date <= sys.float_info.max:
        raise ValueError(f"date: expected a finite decimal year, got {brief(date)}")
    return float(date)

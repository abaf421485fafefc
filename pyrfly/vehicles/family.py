"""Interface of a family of vehicles to generic code: `Family`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.protocol.px4_channels import VERSIONS, Px4Airframe
from pyrfly.vehicles.abilities import Abilities
from pyrfly.vehicles.actuators import Actuator
from pyrfly.vehicles.commands import Ids, Select, Selected
from pyrfly.vehicles.entries import Range
from pyrfly.vehicles.gazebo.model import SdfReader
from pyrfly.vehicles.hull import Hull
from pyrfly.vehicles.hull_tables import BY_MASS, HullRule
from pyrfly.vehicles.loops import ANY_PERIODS, LoopPeriods
from pyrfly.vehicles.model_params import NamedParam, NumberedParam, NumberedParams
from pyrfly.vehicles.parameters import VehicleParameters
from pyrfly.vehicles.plausibility import Quantity
from pyrfly.vehicles.trim import Trim

if TYPE_CHECKING:
    from pyrfly.vehicles.drawing import Drawing
    from pyrfly.vehicles.identifying import Recipe
    from pyrfly.vehicles.rounds import Round

__all__ = ["Afloat", "CommandsOf", "Family", "Gains", "LandingGear", "Read"]

V = TypeVar("V", covariant=True)
Array = NDArray[np.float64]

Read = Callable[[str], tuple[str, Mapping[str, Any]]]
"""Returns a label for messages, and the document of another parameter set by name."""


class Gains(Protocol):
    """The function `Family.gains`."""

    def __call__(
        self, columns: Mapping[str, Array], c_type: str, periods: LoopPeriods = ..., /
    ) -> dict[str, Array]:
        """Return the columns of role ``gain``."""


@dataclass(frozen=True)
class LandingGear:
    """What contact points of vehicles follow from.

    Attributes
    ----------
    feet : callable
        Returns an estimate of the points of their feet, shape (p, 3) [m, FRD from the centre of
        mass].
    grip, inertia : str
        Columns of the friction coefficient and of the moments of inertia [kg m^2, FRD].
    """

    feet: Callable[[VehicleParameters], Array]
    grip: str
    inertia: str


class Afloat(NamedTuple):
    """How a vehicle is in water.

    Attributes
    ----------
    depth : float
        Depth of the water that a `pyrfly.Sim` begins with [m].
    draught : float
        Depth of what touches the ground first, below z of the vehicle when level [m].
    plan : tuple of float
        Length and width of the hull at the water, the width of its hulls together, and their mean
        depth in it [m]: what waves meet.
    rise : str
        Column of the height of the centre of mass over the position [m].
    """

    depth: float
    draught: float
    plan: tuple[float, float, float, float]
    rise: str


def _same(parameters: VehicleParameters) -> VehicleParameters:
    return parameters


@dataclass(frozen=True, eq=False)
class Family(Generic[V]):
    """Entry of the registry of families.

    Attributes
    ----------
    name : str
        The family: ``family`` in a parameter file, and the attribute of a `pyrfly.Sim` with its
        commands.
    sets : Path
        Folder of its packaged parameter sets.
    build : callable
        Returns the checked parameters of a TOML document. Arguments: a label for messages, the
        document, and a `Read` for documents of other sets.
    gains : callable
        Returns the columns of role ``gain`` for parameter columns, a C type, and the periods of
        the control loops.
    trim : callable
        Returns where a search for an equilibrium begins: the command, 0 to 1, with which equal
        actuators hold a vehicle at rest, or those of all actuators, or a `Trim`.
    trim_winged_flight : callable, optional
        The same for winged flight, of a family with vehicles that hover, too; None for those that
        do not fly by wings.
    fastest_rate : callable
        Returns the maximum decay rate [1/s] of a vehicle with effects ``'full'`` or ``'plain'``,
        which an integrator step must resolve.
    actuators : callable
        Returns the actuators of a set, in the order of their commands: ranges, which are motors,
        and what they move.
    abilities : Abilities
        What its vehicles can do; of a family whose sets differ all that one of them can.
    commands : type
        Commands of this family; constructed with a `Select`.
    px4_airframe : Px4Airframe
        Types, channels and defaults of its vehicles as PX4s; by default of vehicles that PX4 does
        not know.
    px4_mix : callable, optional
        Of vehicles with other actuators than those of ``px4_airframe``, such as elevons: returns
        their commands per command of those, shape (k, k).
    ardupilot : callable, optional
        Returns the command of each actuator per output of ArduPilot as it is by default, shape
        (actuators, 16), of motors of 0 to 1, of other actuators of -1 to 1; None of a set for which
        there are none. Rotors alone need none: `pyrfly.protocol.ardupilot_frames`.
    ranges : mapping of str to (float, float)
        Closed ranges of parameter columns, also for values that are written later; any number
        for the others.
    ranges_by_type : mapping of str to mapping
        Further ranges of columns of a type of the core, of a family with types of several sizes.
    checked_together : mapping of str to callable
        Refuses, with a ValueError that begins with the name, rows of a parameter column whose
        elements say something together only. Arguments: the name, and rows of shape (k, width).
    abilities_by_set : callable, optional
        Of a family whose sets differ in their abilities: returns those of a set.
    waits : bool
        Whether its controllers leave the actuators as they are until there is a set-point.
    require_plain : callable
        Of a family with types that have a plain model: raises a ParameterError if that ignores
        essential parameters, and warns of others that it ignores.
    plausibility : callable
        Returns numbers of a vehicle that tell whether it makes sense, with their usual ranges.
    settled : callable, optional
        Of vehicles that hover: returns set-points, flags and the state of the controllers with
        which these hold an equilibrium without a transient, for its states, inputs and gains; all
        as columns of shape (k, width).
    contact : tuple of str
        State columns of the contact with the ground, which are neither trimmed nor linearized.
    stand : callable, optional
        Of vehicles whose feet are springs along the ground: returns the columns of those at rest.
        Arguments: the type, a function that returns a column of the vehicles by name, and the
        acceleration that holds them on a slope, shape (k, 2) [m/s^2, north and east].
    longest_periods : LoopPeriods
        Periods up to which there are gains with which its vehicles are well controlled.
    nominal_power : callable, optional
        Of vehicles with drives that a battery feeds: returns the shaft power [W] of all drives that
        a battery is chosen for, such as that of hover.
    motor_throttle : callable, optional
        Of vehicles with motors that get a throttle: returns the throttle that holds a speed.
        Arguments: a function that returns a column of the vehicle by name, and the speed [rad/s].
    arm : callable, optional
        Of vehicles with rotors on arms: returns the distance [m] of the farthest one from the
        centre of mass.
    rotor_radius : callable, optional
        Of vehicles with rotors: returns an estimate of their radius [m].
    hub_height : callable, optional
        Of vehicles whose sets know it: returns the height of the rotors' hubs above ``pos`` [m]; of
        others it is estimated as the radius.
    disk_area : callable, optional
        Of vehicles with rotors: returns an estimate of the area of all their disks [m^2].
    rotor_inflow : callable, optional
        Of vehicles with rotors: returns estimates of the column ``rotor_inflow`` for areas of all
        disks [m^2].
    afloat : callable, optional
        Of vehicles in water: returns the `Afloat` of a set. At rest their z is that of the water.
    landing_gear : LandingGear, optional
        Of vehicles on which contact points act.
    hull_rule : HullRule
        How the shapes that a vehicle collides with follow from its parameters, by default a sphere
        from its mass.
    draw : callable, optional
        Returns what a vehicle of a set looks like; None: like the shapes that it collides with.
    rounds : callable
        Returns what its vehicles do in a demo, by default nothing.
    recipe : callable, optional
        Of vehicles that can be identified from logs of their flights: returns how.
    benchmark : mapping of str to mapping of str to tuple of float
        Typical flight of sets by name, as values of columns, for ``pyrfly bench physics``.
    randomized : mapping of str to tuple
        Typical laws of random parameters, for ``pyrfly bench env``.
    numbered_params : NumberedParams
        Parameters that RflySim's InitInParams and DynModiParams set by number.
    numbered_params_by_type : mapping of str to NumberedParams
        Those of types of the core that have others.
    named_params : mapping of str to tuple of NamedParam
        Names of RflySim's template that the family has besides those of all bodies; the first
        column that a vehicle has is meant.
    sdf : SdfReader, optional
        How vehicles that Gazebo's SDF files describe are read; see `pyrfly.vehicles.from_sdf`.
    models : callable, optional
        Of vehicles that step themselves: returns the model of each, a library of the core.
        Arguments: the set, the CopterIDs of the vehicles, and the integrator step [s].
    published : callable
        Returns a parameter set with the laws that RflySim publishes, by default the same.
    """

    name: str
    sets: Path
    build: Callable[[str, Mapping[str, Any], Read], VehicleParameters]
    gains: Gains
    trim: Callable[[VehicleParameters], float | tuple[float, ...] | Trim]
    fastest_rate: Callable[[VehicleParameters, str], float]
    actuators: Callable[[VehicleParameters], tuple[Actuator, ...]]
    abilities: Abilities
    commands: Callable[[Select], V]
    px4_airframe: Px4Airframe = field(default_factory=Px4Airframe)
    px4_mix: Callable[[VehicleParameters], Array] | None = None
    ardupilot: Callable[[VehicleParameters], Array | None] | None = None
    trim_winged_flight: Callable[[VehicleParameters], Trim | None] | None = None
    ranges: Mapping[str, Range] = field(default_factory=lambda: MappingProxyType({}))
    ranges_by_type: Mapping[str, Mapping[str, Range]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    checked_together: Mapping[str, Callable[[str, Array], None]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    abilities_by_set: Callable[[VehicleParameters], Abilities] | None = None
    waits: bool = False
    require_plain: Callable[[VehicleParameters], None] = lambda _: None
    plausibility: Callable[[VehicleParameters], list[Quantity]] = lambda _: []
    settled: Callable[[Mapping[str, Array]], dict[str, Array]] | None = None
    contact: tuple[str, ...] = ("ground",)
    stand: Callable[[str, Callable[[str], Any], Array], dict[str, Array]] | None = None
    longest_periods: LoopPeriods = ANY_PERIODS
    nominal_power: Callable[[VehicleParameters], float] | None = None
    motor_throttle: Callable[[Callable[[str], Any], float], float] | None = None
    arm: Callable[[VehicleParameters], float] | None = None
    rotor_radius: Callable[[VehicleParameters], float] | None = None
    hub_height: Callable[[VehicleParameters], float] | None = None
    disk_area: Callable[[VehicleParameters], float] | None = None
    rotor_inflow: Callable[[VehicleParameters, Array], Array] | None = None
    afloat: Callable[[VehicleParameters], Afloat] | None = None
    landing_gear: LandingGear | None = None
    hull_rule: HullRule = BY_MASS
    draw: Callable[[VehicleParameters], Drawing] | None = None
    rounds: Callable[[], tuple[Round, ...]] = tuple
    recipe: Callable[[], Recipe] | None = None
    benchmark: Mapping[str, Mapping[str, tuple[float, ...]]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    randomized: Mapping[str, tuple[str, float, float]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    numbered_params: NumberedParams = field(default_factory=NumberedParams)
    numbered_params_by_type: Mapping[str, NumberedParams] = field(
        default_factory=lambda: MappingProxyType({})
    )
    named_params: Mapping[str, tuple[NamedParam, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    sdf: SdfReader | None = None
    models: Callable[[VehicleParameters, Sequence[int], float], list[_core.Library]] | None = None
    published: Callable[[VehicleParameters], VehicleParameters] = _same

    def __repr__(self) -> str:
        return f"<Family {self.name}>"

    def range_of(self, column: str, c_type: str, usual: Range) -> Range:
        """Return the closed range of a parameter column of a type, or else the usual one."""
        own = self.ranges_by_type.get(c_type, {})
        return own.get(column) or self.ranges.get(column, usual)

    def numbers_of(self, c_type: str) -> Mapping[int, NumberedParam]:
        """Return what the numbers of parameters are, of a type of the core."""
        return self.numbered_params_by_type.get(c_type, self.numbered_params).by_number

    def px4_outputs(self, parameters: VehicleParameters) -> tuple[Px4Airframe, Array | None]:
        """Return PX4's airframe of a set, and what its actuators get of it, None: each its channel.

        They are those of the family, but of a set with channels of its own.
        """
        if parameters.px4_channels:
            own = dict.fromkeys(VERSIONS, parameters.px4_channels)
            return self.px4_airframe._replace(channels=own), None
        mix = None if self.px4_mix is None else self.px4_mix(parameters)
        return self.px4_airframe, mix

    def hull(self, parameters: VehicleParameters) -> Hull:
        """Return what a vehicle of the family collides with: that of its set, or derived."""
        own = parameters.hull
        return own if own.shapes else self.hull_rule.derive(parameters)

    def drawing(self, parameters: VehicleParameters) -> Drawing:
        """Return what a vehicle of the family looks like: its own mesh, or what is drawn."""
        from pyrfly.vehicles.drawing import Drawing, Part, drawn_hull  # what few programs draw

        own = parameters.mesh
        if own is not None and not own.moving:
            return Drawing((Part("body", own),))
        drawn = drawn_hull(self.hull(parameters)) if self.draw is None else self.draw(parameters)
        if own is None:
            return drawn
        return Drawing((Part("body", own), *(part for part in drawn.parts if part.joints)))

    def abilities_of(self, parameters: VehicleParameters) -> Abilities:
        """Return what a vehicle of the family can do."""
        if self.abilities_by_set is None:
            return self.abilities
        return self.abilities_by_set(parameters)

    def set_files(self) -> list[Path]:
        """Return the files of its packaged sets; those with a leading underscore are no sets."""
        # Not importlib.resources, which would take a tenth of the import time of pyrfly.
        return sorted(self.sets.glob("[!_]*.toml"))

    def all_commands(self) -> str:
        """Return the names of all commands that its vehicles execute, for messages."""
        return ", ".join([*sorted(self.abilities.commands), *self.own_commands()])

    def own_commands(self) -> list[str]:
        """Return the names of the commands of this family alone, for messages."""
        own = [name for name in dir(self.commands) if not name.startswith("_")]
        return [f"{self.name}.{name}" for name in own]


class _Member(Protocol):
    @property
    def family(self) -> Family[Any]: ...


class _Fleet(Protocol):
    @property
    def groups(self) -> Sequence[_Member]: ...

    def select(self, ids: Ids = None, *, family: str | None = None) -> Selected: ...


class _Vehicles:
    """The vehicles of a family in a simulation: a `Select`."""

    def __init__(self, fleet: _Fleet, family: Family[Any]) -> None:
        self._fleet = fleet
        self._family = family

    def __call__(self, ids: Ids, /) -> Selected:
        return self._fleet.select(ids, family=self._family.name)

    def lacks(self, command: str) -> AttributeError:
        """See `Select.lacks`; a name that the simulation itself has is pointed to."""
        there = f"; there is sim.{command}" if hasattr(type(self._fleet), command) else ""
        own = ", ".join(self._family.own_commands())
        return AttributeError(f"{self._family.name}: expected one of {own}, got {command!r}{there}")


class CommandsOf(Generic[V]):
    """Attribute of a `pyrfly.Sim`: the commands of a family, bound to its vehicles.

    Reading it raises an AttributeError if the `pyrfly.Sim` has no vehicles of the family.
    """

    def __init__(self, family: Family[V]) -> None:
        self.family = family
        self.__doc__ = f"Commands for vehicles of the family {family.name}."

    def __set_name__(self, owner: type, name: str) -> None:
        if name != self.family.name:
            raise TypeError(f"{name}: expected the name of the family, {self.family.name}")

    @overload
    def __get__(self, fleet: None, kind: type) -> CommandsOf[V]: ...
    @overload
    def __get__(self, fleet: _Fleet, kind: type) -> V: ...
    def __get__(self, fleet: _Fleet | None, kind: type) -> CommandsOf[V] | V:
        if fleet is None:
            return self
        present = dict.fromkeys(group.family for group in fleet.groups)
        if self.family not in present:
            others = "; ".join(f"{other.name} ({other.all_commands()})" for other in present)
            raise AttributeError(
                f"{self.family.name}: this Sim has no vehicles of this family; it has: {others}"
            )
        return self.family.commands(_Vehicles(fleet, self.family))

"""What a vehicle by itself consists of: its columns with their values, and its periods."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import Field, parts, vehicle_types
from pyrfly.errors import ParameterError
from pyrfly.headers import get_include
from pyrfly.sim import Sim
from pyrfly.sim.arguments import periods
from pyrfly.sim.sensor_profiles import PROFILES
from pyrfly.vehicles import VehicleParameters, load

__all__ = ["DT", "Column", "Standalone", "standalone"]

DT = 1e-3
"""Step [s] that gains and periods are for: RflySim's."""

_RATES = (100.0, 250.0, 500.0, 250.0, 250.0)
"""Rates [Hz] of the control loops, of the environment and of sensors, as a `Sim` has them."""

_OF_MODEL = ("state", "input", "param")
_OF_CONTROLLERS = ("gain", "setpoint", "controller")


class Column(NamedTuple):
    """A column of one vehicle, with its values at the start."""

    field: Field
    values: NDArray[np.float64] | NDArray[np.uint32]

    @property
    def is_word(self) -> bool:
        """Whether it is of words of 32 bits."""
        return self.values.dtype.kind == "u"


class Standalone(NamedTuple):
    """A vehicle by itself.

    Attributes
    ----------
    name : str
        Its name in C.
    parameters : VehicleParameters
        The set.
    controlled : bool
        Whether it has its controllers and the navigator.
    columns : tuple of Column
        All that it stores, in the order in which the core does.
    outputs : tuple of Field
    commands : str
        Column of its first actuator command, the first input.
    actuators : int
        Number of these commands.
    uav_type : int
        Its type in the 3D view.
    field : tuple of float
        Magnetic field at the origin [gauss, NED].
    periods : dict of str to int
        Steps between two runs of each stage, navigator and control loops among them.
    heading : str
        Column that a reset turns to the heading, or nothing.
    noise : Noise
        Of its sensors.
    depth : float
        Of what floats: depth of the water that it begins in [m].
    draught : float or None
        Of what floats: how deep below its origin it touches the ground [m].
    """

    name: str
    parameters: VehicleParameters
    controlled: bool
    columns: tuple[Column, ...]
    outputs: tuple[Field, ...]
    commands: str
    actuators: int
    uav_type: int
    field: tuple[float, float, float]
    periods: dict[str, int]
    heading: str
    noise: Noise
    depth: float
    draught: float | None

    def has(self, column: str) -> bool:
        """Return whether it has a column."""
        return any(one.field.name == column for one in self.columns)


def _c_name(name: str) -> str:
    """Return a name of C for that of a set."""
    word = re.sub(r"\W", "_", name, flags=re.ASCII)
    return word if re.match(r"[A-Za-z]", word) else f"vehicle_{word}"


class Noise(NamedTuple):
    """White noise of sensors, of the profile ``px4_sih`` of a `Sim` or another one.

    Attributes
    ----------
    deviations : tuple of float
        Standard deviations of accelerometer [m/s^2], gyroscope [rad/s], magnetometer [gauss], three
        axes each, barometer and pitot tube [mbar], position [m] and velocity [m/s] of the receiver.
    accuracy : tuple of float
        What the receiver tells of it, horizontal and vertical [cm].
    """

    deviations: tuple[float, ...]
    accuracy: tuple[float, float]


_NOISE = (
    ("imu", "imu_accel_noise", (0, 1, 2), DT**-0.5),
    ("imu", "imu_gyro_noise", (0, 1, 2), DT**-0.5),
    ("magnetometer", "magnetometer_noise", (0, 1, 2), 1e4 * DT**-0.5),
    ("barometer", "barometer_noise", (0,), 0.01),
    ("airspeed", "airspeed_noise", (0,), 0.01),
    ("gps", "gps_noise", (0, 0, 1), 1.0),
    ("gps", "gps_vel_noise", (0, 0, 1), 1.0),
)
"""Sensors and columns of `Noise.deviations`, with the elements of each, and their units: a density
becomes the deviation of a sample at each step."""


def noise_of(profile: str) -> Noise:
    """Return the white noise of a profile of sensors."""

    def values(sensor: str, column: str, elements: tuple[int, ...], unit: float) -> list[float]:
        own = np.atleast_1d(np.asarray(PROFILES[profile][sensor].columns.get(column, 0), float))
        return [float(own[min(k, own.size - 1)]) * unit for k in elements]

    horizontal, vertical = values("gps", "gps_accuracy", (0, 1), 100.0)
    return Noise(tuple(v for row in _NOISE for v in values(*row)), (horizontal, vertical))


def standalone(
    vehicle: str | os.PathLike[str] | VehicleParameters,
    *,
    controller: bool = True,
    profile: str = "px4_sih",
) -> Standalone:
    """Return a vehicle of a parameter set as it stands at the origin.

    Raises
    ------
    ParameterError
        There is no such set, or it is several in one.
    """
    parameters = vehicle if isinstance(vehicle, VehicleParameters) else load(vehicle)
    if parameters.airframes:
        names = ", ".join(one.name for one in parameters.airframes)
        raise ParameterError(
            f"vehicle: expected one vehicle, got {parameters.name!r} of several: {names}"
        )
    in_the_tree = (get_include() / "vehicles" / parameters.family).is_dir()
    about = vehicle_types().get(parameters.c_type, {"guided": False})
    if not in_the_tree or not about["guided"]:
        raise ParameterError(
            f"vehicle: expected one of pyrfly's own, got {parameters.name!r}: families outside of "
            "the tree and models of one's own are not exported"
        )
    sim = Sim(parameters, 1)
    if controller:
        sim.enable_synthesis()
    group = sim.groups[0]
    roles = (*_OF_MODEL, *(_OF_CONTROLLERS if controller else ()), "flag")
    fields = [f for role in roles for f in group.fields if f.role == role]
    if controller:
        own = {row[0] for row in parts()["navigator"]["columns"]}
        fields += [f for f in group.fields if f.name in own]
    columns = tuple(Column(f, group.view(f.name)[0].reshape(-1).copy()) for f in fields)
    loops = group.abilities.attitude
    afloat = None if group.family.afloat is None else group.family.afloat(parameters)
    steps = periods(DT, _RATES[:3], *_RATES[3:])
    return Standalone(
        name=_c_name(parameters.name),
        parameters=parameters,
        controlled=controller,
        columns=columns,
        outputs=tuple(f for f in group.fields if f.role == "output"),
        commands=next(f.name for f in fields if f.role == "input"),
        actuators=vehicle_types()[parameters.c_type]["actuators"],
        uav_type=group.uav_type,
        field=_magnetic_field(),
        periods=steps,
        heading=(loops.heading or "") if controller and loops is not None else "",
        noise=noise_of(profile),
        depth=0.0 if afloat is None else afloat.depth,
        draught=None if afloat is None else afloat.draught,
    )


def _magnetic_field() -> tuple[float, float, float]:
    """Return the magnetic field at the default origin [gauss, NED]."""
    sim = Sim(n=1)
    sim.environment.enable("magnetic")
    north, east, down = (sim.magnetic_field[0] * 1e4).tolist()
    return north, east, down

"""What the vehicles of a simulation measure: `Sensors`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.arrays import finite_array
from pyrfly.errors import ShapeError, brief
from pyrfly.protocol.bits import Effect, Sensor
from pyrfly.sim.arguments import checked_rate, chosen_name
from pyrfly.sim.environment import Environment
from pyrfly.sim.group import PART_FIELDS, Group
from pyrfly.sim.interface import PartInterface, bits_of, names_of
from pyrfly.sim.selection import Selection
from pyrfly.sim.sensor_profiles import IDEAL, IN_WATER, PROFILES, Settings
from pyrfly.vehicles.commands import Ids

__all__ = ["MEASURED", "Sensors"]

_NAMES = names_of(Sensor)

_EFFECTS = {
    "magnetometer": Effect.MAGNETIC,
    "barometer": Effect.ATMOSPHERE,
    "airspeed": Effect.ATMOSPHERE,
}
"""What a sensor needs of the environment."""

_GIVEN, _OFFERED, _POSE, _PRINTED = 0, 12, 24, 28
"""Shifts of the bits of sensors in the column ``sensor_sources`` (csrc/parts/sensors/kinds.h)."""

_SOURCES: Mapping[str, tuple[int, ...]] = {
    "physics": (),
    "pose": (_POSE,),
    "pose_printed": (_POSE, _PRINTED),
}

_FROM_POSE = int(Sensor.IMU | Sensor.MAGNETOMETER | Sensor.BAROMETER)

MEASURED: Mapping[str, tuple[str, ...]] = {
    "imu": ("imu_accel", "imu_gyro"),
    "magnetometer": ("magnetometer",),
    "barometer": ("barometer_pressure", "barometer_height", "barometer_temperature"),
    "airspeed": ("differential_pressure", "indicated_airspeed"),
    "gps": (
        "gps_pos",
        "gps_vel",
        "gps_speed",
        "gps_course",
        "gps_reported_accuracy",
        "gps_fix",
        "gps_reported_satellites",
    ),
    "range": ("range_distance", "range_valid"),
    "water_pressure": ("water_pressure", "water_pressure_depth"),
    "dvl": ("dvl_vel", "dvl_altitude", "dvl_valid"),
    "acoustic": ("acoustic_pos", "acoustic_accuracy", "acoustic_valid"),
}
"""Columns of what each sensor measures, by its name."""

_TOGETHER: Mapping[str, tuple[str, ...]] = {
    "imu": ("imu_accel", "imu_gyro"),
    "gps": ("gps_pos", "gps_vel"),
}
"""Columns that are given together: a velocity that is left out would read 0, not unknown."""


def _measured(group: Group) -> int:
    """Return the bits of the sensors that the models of vehicles are."""
    return sum(Sensor[name.upper()] for name in group.models.sensors)


class Sensors(PartInterface):
    """Sensors of the vehicles: `Sim.sensors`.

    Every sensor is off until it is enabled. Settings and measured values are columns of the `Sim`,
    which exist from then on (docs/sensors.md, ``pyrfly columns``). Sensors are updated at the
    ``sensor_rate`` of the `Sim`; each takes a sample at every, or every second, third, ... update.

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("x450", 2)
    >>> sim.sensors.enable("imu", "gps", profile="ideal")
    >>> sim.reset(pos=[[0, 0, 0], [1, 2, -20]])
    >>> sim.step()
    >>> sim.imu_accel[0].round(2).tolist(), sim.gps_pos[1].tolist()
    ([0.0, 0.0, -9.8], [1.0, 2.0, -20.0])
    """

    part = "sensors"

    def _on(self) -> dict[str, int]:
        bits = {name: Sensor[name.upper()] for name in _NAMES}
        return {
            name: self._count("sensors_on", bit) + self._count("sensor_sources", bit << _GIVEN)
            for name, bit in bits.items()
        }

    @property
    def rate(self) -> float:
        """Updates per second: the ``sensor_rate`` of the `Sim`, in whole steps."""
        return 1 / self._access.sensor_period

    @property
    def gps_geodetic(self) -> NDArray[np.float64]:
        """Reported latitude [deg], longitude [deg], height above the ellipsoid [m], shape (n, 3).

        That of the column ``gps_pos``; NaN before the first report.
        """
        chosen = self._select(None)
        reported: NDArray[np.float64] = self._access.frame().to_lla(chosen.read("gps_pos"))
        reported[chosen.read("gps_updates") == 0] = np.nan
        return reported

    def enable(
        self,
        *sensors: str,
        profile: str | None = "px4",
        source: str = "physics",
        ids: Ids = None,
    ) -> None:
        """Switch sensors on, and give them the settings of a profile.

        Effects of the `Environment` that a sensor measures are enabled with it: ``magnetic`` for
        the magnetometer, ``atmosphere`` for barometer and airspeed.

        Parameters
        ----------
        *sensors : str
            ``imu``, ``magnetometer``, ``barometer`` (pressure and temperature), ``airspeed`` (a
            pitot tube), ``gps``, ``range`` (a range finder to ``terrain``), and in water
            ``water_pressure``, ``dvl`` (velocity over the bottom), ``acoustic`` (a position).
        profile : {'px4', 'px4_sih', 'rflysim', 'rflysim_noisy', 'ideal'} or None
            Rates, noise, drift, bandwidth, limits and delays: those of PX4's models for Gazebo, of
            RflySim with its ``GlobalNoiseGainSwitch`` off or on, or the truth at every update.
            Mounting, constant biases and scale factors are kept. None keeps all settings.
        source : {'physics', 'pose', 'pose_printed'}
            What the error of a sensor is added to: the truth; or, for ``imu``, ``magnetometer`` and
            ``barometer``, what a vehicle at rest would measure with its attitude and height
            (docs/sensor-models.md), as corrected or as printed in the paper that it is from.
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.

        Raises
        ------
        ValueError
            There is no such sensor, profile or source, none is given, a sensor does not have that
            source, or a vehicle is outside of the atmosphere's heights; then nothing is changed.
        """
        bits = bits_of("sensors", Sensor, sensors)
        chosen_name("source", source, _SOURCES)
        if source != "physics" and bits & ~_FROM_POSE:
            raise ValueError(f"source: expected 'physics' for {sensors}, got {source!r}")
        if profile is not None:
            chosen_name("profile", profile, PROFILES)
        chosen = self._distinct(ids)
        needed = sensors if source == "physics" else ()
        effects = sum({_EFFECTS[name] for name in needed if name in _EFFECTS})
        environment = Environment(self._access)
        if effects & Effect.ATMOSPHERE:
            environment.check_heights(chosen)

        def write() -> None:
            if effects:
                environment.switch_on(effects, chosen)
            if profile is not None:
                for name in sensors:
                    self._apply(chosen, name, PROFILES[profile][name])
            for group, rows, _ in chosen:
                group.view("sensors_on")[rows] |= np.uint32(bits & ~_measured(group))
            self._set_sources(chosen, bits, _SOURCES[source])
            for group, rows, _ in chosen:  # models in libraries measure for themselves
                of_models = np.uint32((bits & _measured(group)) << _GIVEN)
                group.view("sensor_sources")[rows] |= of_models

        self._change(write, "sensors", *(("environment",) if effects else ()))

    def enable_all(self, profile: str = "px4", *, ids: Ids = None) -> None:
        """Switch on all sensors of vehicles: those in water of what dives alone.

        Parameters and errors are those of `enable`.
        """
        chosen = self._distinct(ids)
        self.enable(*(name for name in _NAMES if name not in IN_WATER), profile=profile, ids=ids)
        divers = [
            group.first_id + int(row)
            for group, rows, _ in chosen
            if group.abilities.kind.dives
            for row in group.numbers(rows)
        ]
        if divers:
            self.enable(*IN_WATER, profile=profile, ids=divers)

    def disable(self, *sensors: str, ids: Ids = None) -> None:
        """Switch sensors off: they keep their last values; arguments as of `enable`."""
        bits = bits_of("sensors", Sensor, sensors)
        off = np.uint32(~bits & 0xFFFFFFFF)
        chosen = self._distinct(ids)

        def write() -> None:
            self._set_sources(chosen, bits, ())
            for group, rows, _ in chosen:
                group.view("sensors_on")[rows] &= off
                group.view("sensors_updated")[rows] &= off
            if "gps" in sensors:
                self._forget_samples(chosen)

        if self.enabled:
            self._change(write)

    def give(self, sensor: str, *, ids: Ids = None, **values: ArrayLike) -> None:
        """Set what a sensor has measured, such as data of a real one, instead of simulating it.

        The sensor is not simulated from then on, until `enable`. Its values stay until they are
        given again, or the vehicle is reset; they count as new at the next update.

        Parameters
        ----------
        sensor : str
            The sensor, as of `enable`.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.
        **values : array_like, shape (k, width) or (width,)
            Columns of what it measures, in their units and frames, such as
            ``barometer_pressure``; those that are left out stay as they are. Both of an IMU, and
            position and velocity of a receiver, are given together.

        Raises
        ------
        ValueError, TypeError, ShapeError
            There is no such sensor, it does not measure that, or a value is non-finite or of the
            wrong shape; then nothing is changed.

        Examples
        --------
        >>> import pyrfly
        >>> sim = pyrfly.Sim("x450", 2)
        >>> sim.sensors.give("barometer", barometer_pressure=[100000, 99000])
        >>> sim.step()
        >>> sim.barometer_pressure.tolist(), sim.sensors.updated("barometer").tolist()
        ([100000.0, 99000.0], [True, True])
        """
        name = chosen_name("sensor", sensor, _NAMES)
        unknown = sorted(values.keys() - set(MEASURED[name]))
        if unknown or not values:
            got = unknown[0] if unknown else "none"
            raise ValueError(
                f"values: expected some of {', '.join(MEASURED[name])} of {name}, got {got}"
            )
        chosen = self._distinct(ids)
        checked = {column: self._given(chosen, column, values[column]) for column in values}
        together = _TOGETHER.get(name, ())
        if 0 < len(checked.keys() & set(together)) < len(together):
            raise ValueError(f"values: expected {' and '.join(together)} together")
        bit = int(Sensor[name.upper()])

        def write() -> None:
            chosen.write_all(checked)
            for group, rows, _ in chosen:
                group.view("sensors_on")[rows] &= np.uint32(~bit & 0xFFFFFFFF)
                group.view(f"{name}_updates")[rows] += np.uint32(1)
            self._set_sources(chosen, bit, (_GIVEN, _OFFERED))

        self._change(write, "sensors")

    @staticmethod
    def _given(chosen: Selection, column: str, value: ArrayLike) -> NDArray[Any]:
        """Return given values of a column, checked, one row per vehicle."""
        field = PART_FIELDS[column]
        array = finite_array(column, value, field.unit)
        for group, _, _ in chosen:
            group.check_values(column, array)
        shape = (len(chosen),) if field.width == 1 else (len(chosen), field.width)
        try:
            return np.broadcast_to(array, shape)
        except ValueError:
            raise ShapeError(f"{column}: expected shape {shape}, got {array.shape}") from None

    def set_rate(self, sensor: str, rate: float, *, ids: Ids = None) -> float:
        """Set the number of samples per second of a sensor.

        Parameters
        ----------
        sensor : str
            The sensor, as of `enable`; it need not be on.
        rate : float
            Samples per second [Hz], at most `rate`. The period is rounded to whole updates.
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.

        Returns
        -------
        float
            The rate that was taken [Hz]: at 250 updates per second 125 for 100.

        Raises
        ------
        ValueError
            There is no such sensor, or the rate is out of range.
        """
        name = chosen_name("sensor", sensor, _NAMES)
        if checked_rate("rate", rate) > self.rate * (1 + 1e-9):
            raise ValueError(
                f"rate: expected at most {self.rate:g} Hz, the sensor_rate of the Sim, "
                f"got {brief(rate)}"
            )
        chosen = self._distinct(ids)
        period = self._period_of(rate)
        self._change(lambda: self._set_period(chosen, name, period), "sensors")
        return self.rate / period

    def updated(self, sensor: str) -> NDArray[np.bool_]:
        """Return whose sensor has a new value since the last update of the sensors, shape (n,).

        The columns ``imu_updates`` and so on count the values since the last reset.
        """
        bit = Sensor[chosen_name("sensor", sensor, _NAMES).upper()]
        new: NDArray[np.bool_] = (self._select(None).read("sensors_updated") & bit) != 0
        return new

    @staticmethod
    def _set_sources(chosen: Selection, bits: int, shifts: Sequence[int]) -> None:
        """Set where the values of some sensors come from: the shifts of their bits."""
        of_pose = bits & _FROM_POSE
        all_bits = bits << _GIVEN | bits << _OFFERED | of_pose << _POSE | of_pose << _PRINTED
        new = sum(bits << shift for shift in shifts)
        for group, rows, _ in chosen:
            sources = group.view("sensor_sources")
            sources[rows] = sources[rows] & np.uint32(~all_bits & 0xFFFFFFFF) | np.uint32(new)

    def _apply(self, chosen: Selection, name: str, settings: Settings) -> None:
        """Give a sensor its settings; those that are missing are ideal."""
        for column, value in {**IDEAL[name].columns, **settings.columns}.items():
            chosen.write(column, value)
        self._set_period(chosen, name, self._period_of(settings.rate or self.rate))

    def _period_of(self, rate: float) -> int:
        """Return the whole number of updates that is next to the period of a rate."""
        return max(1, round(self.rate / rate))

    def _set_period(self, chosen: Selection, name: str, period: int) -> None:
        """Set the period of a sensor; its next sample is at the next update."""
        chosen.write(f"{name}_period", period)
        chosen.write("sensor_next", 0, component=_NAMES.index(name))
        if name == "gps":  # the spacing of the samples on their way is the old one
            self._forget_samples(chosen)

    @staticmethod
    def _forget_samples(chosen: Selection) -> None:
        """Leave out the samples of the satellite receiver that are not reported yet."""
        chosen.write("gps_taken", 0)
        chosen.write("gps_pending", 0)

"""What the vehicles of a simulation measure: `Sensors`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import shown
from pyrfly.frames import LocalFrame
from pyrfly.protocol.bits import Sensor
from pyrfly.sim.arguments import checked_rate, chosen_name
from pyrfly.sim.environment import Environment
from pyrfly.sim.interface import PartInterface, bits_of, names_of
from pyrfly.sim.selection import Selection
from pyrfly.sim.sensor_profiles import IDEAL, PROFILES, Settings
from pyrfly.vehicles.verbs import Ids

__all__ = ["Sensors"]

_NAMES = names_of(Sensor)

_EFFECTS = {"magnetometer": "magnetic", "barometer": "atmosphere", "airspeed": "atmosphere"}
"""What a sensor needs of the environment."""


class Sensors(PartInterface):
    """Sensors of the vehicles: `Sim.sensors`.

    Every sensor is off until it is enabled. Settings and measured values are columns of the `Sim`,
    which exist from then on (docs/sensors.md, docs/fields.md). Sensors are updated at the
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

    _part = "sensors"

    def __init__(
        self,
        select: Callable[[Ids], Selection],
        enable_part: Callable[[str], None],
        environment: Environment,
        frame: LocalFrame,
        period: float,
    ) -> None:
        super().__init__(select, enable_part)
        self._environment = environment
        self._frame = frame
        self._period = period

    @property
    def rate(self) -> float:
        """Updates per second: the ``sensor_rate`` of the `Sim`, in whole steps."""
        return 1 / self._period

    @property
    def gps_geodetic(self) -> NDArray[np.float64]:
        """Reported latitude [deg], longitude [deg], height above the ellipsoid [m], shape (n, 3).

        That of the column ``gps_pos``; NaN before the first report.
        """
        chosen = self._select(None)
        reported: NDArray[np.float64] = self._frame.to_lla(chosen.read("gps_pos"))
        reported[chosen.read("gps_updates") == 0] = np.nan
        return reported

    def enable(self, *sensors: str, profile: str | None = "px4", ids: Ids = None) -> None:
        """Switch sensors on, and give them the settings of a profile.

        Effects of the `Environment` that a sensor measures are enabled with it: ``magnetic`` for
        the magnetometer, ``atmosphere`` for barometer and airspeed.

        Parameters
        ----------
        *sensors : {'imu', 'magnetometer', 'barometer', 'airspeed', 'gps', 'range'}
            ``barometer`` is pressure and temperature, ``airspeed`` a pitot tube, ``range`` a
            range finder to ``terrain``.
        profile : {'px4', 'rflysim', 'rflysim_noisy', 'ideal'} or None
            Rates, noise, drift, bandwidth, limits and delays: those of PX4's models for Gazebo, of
            RflySim with its ``GlobalNoiseGainSwitch`` off or on, or the truth at every update.
            Mounting, constant biases and scale factors are kept. None keeps all settings.
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.

        Raises
        ------
        ValueError
            There is no such sensor or profile, none is given, or a vehicle is outside of the
            atmosphere's heights; then nothing is changed.
        """
        bits = bits_of("sensors", Sensor, sensors)
        if profile is not None:
            chosen_name("profile", profile, PROFILES)
        chosen = self._select(ids)
        effects = {_EFFECTS[name] for name in sensors if name in _EFFECTS}
        if effects:
            self._environment.enable(*sorted(effects), ids=ids)
        self._enable_part("sensors")
        if profile is not None:
            for name in sensors:
                self._apply(chosen, name, PROFILES[profile][name])
        for group, rows, _ in chosen:
            group.view("sensors_on")[rows] |= np.uint32(bits)

    def disable(self, *sensors: str, ids: Ids = None) -> None:
        """Switch sensors off: they keep their last values; arguments as of `enable`."""
        off = np.uint32(~bits_of("sensors", Sensor, sensors) & 0xFFFFFFFF)
        if self.enabled:
            for group, rows, _ in self._select(ids):
                group.view("sensors_on")[rows] &= off
                group.view("sensors_updated")[rows] &= off
            if "gps" in sensors:
                self._forget_samples(self._select(ids))

    def set_rate(self, sensor: str, rate: float, *, ids: Ids = None) -> None:
        """Set the number of samples per second of a sensor.

        Parameters
        ----------
        sensor : {'imu', 'magnetometer', 'barometer', 'airspeed', 'gps', 'range'}
            The sensor; it need not be on.
        rate : float
            Samples per second [Hz], at most `rate`. The period is rounded to whole updates.
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.

        Raises
        ------
        ValueError
            There is no such sensor, or the rate is out of range.
        """
        name = chosen_name("sensor", sensor, _NAMES)
        if checked_rate("rate", rate) > self.rate * (1 + 1e-9):
            raise ValueError(
                f"rate: expected at most {self.rate:g} Hz, the sensor_rate of the Sim, "
                f"got {shown(rate)}"
            )
        chosen = self._select(ids)
        self._enable_part("sensors")
        self._set_period(chosen, name, rate)

    def updated(self, sensor: str) -> NDArray[np.bool_]:
        """Return whose sensor has a new value since the last update of the sensors, shape (n,).

        The columns ``imu_updates`` and so on count the values since the last reset.
        """
        bit = Sensor[chosen_name("sensor", sensor, _NAMES).upper()]
        new: NDArray[np.bool_] = (self._select(None).read("sensors_updated") & bit) != 0
        return new

    def _apply(self, chosen: Selection, name: str, settings: Settings) -> None:
        """Give a sensor its settings; those that are missing are ideal."""
        for column, value in {**IDEAL[name].columns, **settings.columns}.items():
            chosen.write(column, value)
        self._set_period(chosen, name, settings.rate or self.rate)

    def _set_period(self, chosen: Selection, name: str, rate: float) -> None:
        """Set the period of a sensor; its next sample is at the next update."""
        chosen.write(f"{name}_period", max(1, round(self.rate / rate)))
        chosen.write("sensor_next", 0, component=_NAMES.index(name))
        if name == "gps":  # the spacing of the samples on their way is the old one
            self._forget_samples(chosen)

    @staticmethod
    def _forget_samples(chosen: Selection) -> None:
        """Leave out the samples of the satellite receiver that are not reported yet."""
        chosen.write("gps_taken", 0)
        chosen.write("gps_pending", 0)

"""What the vehicles of a simulation know of their state by their sensors: `Estimator`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.arrays import true_or_false
from pyrfly.errors import brief
from pyrfly.frames.rotations import quaternion_product
from pyrfly.protocol.bits import Sensor
from pyrfly.sim.arguments import chosen_name
from pyrfly.sim.interface import PartInterface
from pyrfly.vehicles.commands import Ids

__all__ = ["ERROR_STATES", "Estimator"]

ERROR_STATES = {
    "attitude": slice(0, 3),
    "velocity": slice(3, 6),
    "position": slice(6, 9),
    "gyro_bias": slice(9, 12),
    "accel_bias": slice(12, 15),
    "gps_drift": slice(15, 18),
    "height_offset": slice(18, 19),
}
"""Error states of the filter (csrc/parts/estimator/filter.h), in the order of the covariance."""

_COUNT = 19
_KNOWN = tuple(ERROR_STATES)[:6]  # quantities whose true value is a column


class Estimator(PartInterface):
    """Estimator of the vehicles: `Sim.estimator`.

    An error-state Kalman filter of the `Sensors`, off until `enable`: then navigator and control
    loops know the true state. Settings and results are columns of the `Sim`, such as ``pos_est``,
    which exist from then on (docs/estimator.md, ``pyrfly columns``).

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("x450")
    >>> sim.sensors.enable("imu", "magnetometer", "barometer", "gps", profile="px4")
    >>> sim.estimator.enable(fly=True)
    >>> sim.arm()
    >>> sim.command_position([0, 0, -5])
    >>> sim.step(20_000)
    >>> bool(0 < abs(sim.pos_est - sim.pos).max() < 5), bool(abs(sim.pos[0, 2] + 5) < 5)
    (True, True)
    """

    part = "estimator"

    def _on(self) -> dict[str, int]:
        on = {"estimating": "estimator_on", "flying on the estimate": "flies_on_estimate"}
        return {name: self._count(column) for name, column in on.items()}

    def enable(self, *, fly: bool = False, ids: Ids = None) -> None:
        """Estimate the state of vehicles, and choose what they fly on.

        The estimate begins at the next sample of the IMU, with the true state and errors that are
        drawn from the initial covariance: after this call, unless it runs already, and after a
        reset.

        Parameters
        ----------
        fly : bool
            Whether navigator and control loops know the estimate instead of the true state.
        ids : int or sequence of int, optional
            CopterIDs; all vehicles by default.

        Raises
        ------
        ValueError
            A vehicle has no IMU that is on; then nothing is changed.
        """
        flying = true_or_false("fly", fly)
        chosen = self._distinct(ids)
        for group, rows, _ in chosen:
            has_sensors = group.batch.has("sensors")
            if not has_sensors or (group.view("sensors_on")[rows] & Sensor.IMU == 0).any():
                raise ValueError(
                    "estimator: expected vehicles with an IMU, call sensors.enable('imu', ...) "
                    f"first; got {brief(group.name)} without"
                )

        def write() -> None:
            for group, rows, _ in chosen:
                numbers = np.arange(group.n)[rows]
                group.reset_part("estimator", numbers[group.view("estimator_on")[numbers] == 0])
                group.view("estimator_on")[rows] = 1
                group.view("flies_on_estimate")[rows] = flying

        self._change(write, "estimator")

    def disable(self, *, ids: Ids = None) -> None:
        """Stop estimating: vehicles fly on the true state; columns keep their last values."""
        chosen = self._distinct(ids)
        if self.enabled:
            self._change(lambda: chosen.write_all({"estimator_on": 0, "flies_on_estimate": 0}))

    @property
    def covariance(self) -> NDArray[np.float64]:
        """Covariance of the errors, shape (n, 19, 19), in the order of `ERROR_STATES`.

        Attitude errors are small rotations [rad, NED], biases FRD, all others NED; SI units.
        """
        upper = self._read("error_covariance")
        full = np.zeros((len(upper), _COUNT, _COUNT))
        rows, columns = np.triu_indices(_COUNT)
        full[:, rows, columns] = full[:, columns, rows] = upper
        return full

    @property
    def errors(self) -> NDArray[np.float64]:
        """True values less the estimates, shape (n, 18): `ERROR_STATES` but the height offset.

        Known to the simulation alone. The estimate is that of the last update of the sensors, moved
        on to the present time by what the IMU measured then. The drift of the receiver is that of
        its last report where it has no delay of a period or more.
        """
        period = self._access.sensor_period
        age = (self._access.time() - self._read("estimator_updated") * period)[:, None]
        half = np.hstack([np.ones_like(age), self._read("rate_est") * age / 2])
        half /= np.linalg.norm(half, axis=1, keepdims=True)
        att = quaternion_product(self._read("att_est"), half)
        force = self._read("force_before") - self._read("accel_bias_est")
        conjugate = att * [1, -1, -1, -1]
        turned = quaternion_product(att, np.hstack([0 * age, force]))
        change = quaternion_product(turned, conjugate)[:, 1:] * age
        change[:, 2] += self._read("gravity") * age[:, 0]
        vel, pos = self._read("vel_est"), self._read("pos_est")
        turn = quaternion_product(self._read("att"), conjugate)
        vectors = [
            2 * turn[:, 1:] * np.where(turn[:, :1] < 0, -1, 1),
            self._read("vel") - vel - change,
            self._read("pos") - pos - (vel + change / 2) * age,
        ]
        for sensor in ("gyro", "accel"):
            true = self._read(f"imu_{sensor}_bias") + self._read(f"imu_{sensor}_drift")
            vectors.append(true - self._read(f"{sensor}_bias_est"))
        vectors.append(self._read("gps_drift") - self._read("gps_drift_est"))
        return np.hstack(vectors)

    def standard_deviation(self, quantity: str) -> NDArray[np.float64]:
        """Return the standard deviations of the errors of a quantity that the filter expects.

        Parameters
        ----------
        quantity : str
            One of `ERROR_STATES`.

        Returns
        -------
        ndarray, shape (n, 3)
            SI units, NED or FRD as of the quantity; shape (n, 1) of the height offset.
        """
        states = ERROR_STATES[chosen_name("quantity", quantity, tuple(ERROR_STATES))]
        variances: NDArray[np.float64] = np.diagonal(self.covariance, axis1=1, axis2=2)[:, states]
        return np.sqrt(variances)

    def nees(self, *quantities: str) -> NDArray[np.float64]:
        """Return the normalized estimation error squared, e^T P^-1 e, of each vehicle.

        Of a consistent filter its mean over vehicles or runs is the number of error states, and it
        is chi-square distributed [@bar-shalom 5.4.2].

        Parameters
        ----------
        *quantities : str
            Of `ERROR_STATES`, but the height offset; by default attitude, velocity and position.

        Returns
        -------
        ndarray, shape (n,)
            A quantity that the filter takes for known, of variance 0, counts 0 where it has no
            error, such as ``gps_drift`` where ``gps_walk`` is 0; otherwise the value is infinite.
        """
        names = quantities or _KNOWN[:3]
        chosen = [chosen_name("quantities", name, _KNOWN) for name in names]
        states = np.concatenate([np.arange(_COUNT)[ERROR_STATES[name]] for name in chosen])
        errors = self.errors[:, states]
        covariance = self.covariance[:, states[:, None], states]
        known = np.diagonal(covariance, axis1=1, axis2=2) == 0
        inverse = np.linalg.inv(covariance + np.eye(len(states)) * known[:, None])
        squared: NDArray[np.float64] = np.einsum("ni,nij,nj->n", errors, inverse, errors)
        squared[(known & (errors != 0)).any(axis=1)] = np.inf
        return squared

    def _read(self, column: str) -> NDArray[np.float64]:
        return self._select(None).read(column).astype(np.float64)

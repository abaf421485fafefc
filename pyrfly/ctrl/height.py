"""The loop that holds a height while a script commands the attitude (``AltFlg`` of RflySim).

    v = limit(kz (z_sp - z))                     [m/s, down]
    a = kv (v - vz) + I,   I' = kv (v - vz) / T  [m/s^2, down]
    F = m (g - a) / cos(tilt)                    [N, thrust]

kz and kv are the vertical gains of the vehicle's own position and velocity loops. I holds what the
model leaves out (drag), so it is learnt near the height only.
"""

from __future__ import annotations

from pyrfly.ctrl.vehicle import Vehicle
from pyrfly.flight import CLIMB_SPEED, DESCENT_SPEED, LIMIT_SHARE

__all__ = ["HeightLoop"]

INTEGRAL_TIME = 1.0  # s
INTEGRAL_REACH = 1.0  # m from the height, where the integral is learnt
INTEGRAL_SHARE = 0.5  # of g, the most that the integral holds
LEAST_COSINE = 0.5  # of the tilt up to which the thrust makes up for it: 60 deg


class HeightLoop:
    """Height loop of one vehicle.

    Parameters
    ----------
    vehicle : Vehicle
        Whose height it is.
    period : float
        Time between calls of `share` [s].
    """

    def __init__(self, vehicle: Vehicle, period: float) -> None:
        self._vehicle = vehicle
        self._period = period
        self._integral = 0.0

    def restart(self) -> None:
        """Forget what was learnt."""
        self._integral = 0.0

    def share(self, down: float) -> float:
        """Return the thrust for now, as a share of the most.

        Parameters
        ----------
        down : float
            Height to hold, as down coordinate [m].
        """
        vehicle = self._vehicle
        gravity = vehicle.value("gravity")
        error = down - vehicle.values("pos")[2]
        climb = min(CLIMB_SPEED, LIMIT_SHARE * vehicle.value("climb_limit"))
        sink = min(DESCENT_SPEED, LIMIT_SHARE * vehicle.values("speed_limit")[1])
        wanted = _clamp(vehicle.values("position_p")[1] * error, -climb, sink)
        pull = vehicle.values("velocity_p")[1] * (wanted - vehicle.values("vel")[2])
        if abs(error) < INTEGRAL_REACH:
            most = INTEGRAL_SHARE * gravity
            grown = self._integral + pull * self._period / INTEGRAL_TIME
            self._integral = _clamp(grown, -most, most)
        lift = gravity - pull - self._integral
        thrust = vehicle.value("control_mass") * lift / max(vehicle.down_cosine, LEAST_COSINE)
        return _clamp(thrust / vehicle.values("thrust_limit")[1], 0.0, 1.0)


def _clamp(value: float, least: float, most: float) -> float:
    return min(max(value, least), most)

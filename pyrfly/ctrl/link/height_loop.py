"""Thrust that holds a height, for attitudes with a height: `HeightLoop`.

PX4 has no message of an attitude with a height, so RflySim's client has a loop of its own
(``AltFlg`` of SendAttPX4). This one is a proportional loop of the height and a proportional and
integral one of the vertical velocity, with the structure and the default gains of PX4's vertical
position control (MPC_Z_P, MPC_Z_VEL_P_ACC, MPC_Z_VEL_I_ACC, ...).
"""

from __future__ import annotations

__all__ = ["HeightLoop"]

HEIGHT_GAIN = 1.0  # 1/s, MPC_Z_P
VELOCITY_GAIN, INTEGRAL_GAIN = 4.0, 2.0  # 1/s, 1/s^2: MPC_Z_VEL_P_ACC, MPC_Z_VEL_I_ACC
CLIMB, DESCENT = 3.0, 1.5  # m/s, MPC_Z_VEL_MAX_UP, MPC_Z_VEL_MAX_DN
HOVER = 0.5  # normalized thrust, MPC_THR_HOVER
GRAVITY = 9.80665  # m/s^2
MAXIMUM_STEP = 0.1  # s: after a pause, time is not made up for
SMALLEST_COSINE = 0.5  # of the tilt, so that the thrust stays bounded


class HeightLoop:
    """Makes the normalized thrust that holds a height.

    Parameters
    ----------
    thrust : float
        Thrust at the beginning, normalized; RflySim begins with at least that of hovering.
    """

    def __init__(self, thrust: float = HOVER) -> None:
        self._integral = (max(thrust, HOVER) / HOVER - 1.0) * GRAVITY  # m/s^2, up

    def thrust(self, error: float, climb: float, tilt_cosine: float, dt: float) -> float:
        """Return the thrust for now.

        Parameters
        ----------
        error : float
            How far the vehicle is below the height [m].
        climb : float
            Its upward velocity [m/s].
        tilt_cosine : float
            Cosine of the angle between its thrust and the vertical.
        dt : float
            Time since the last call [s].

        Returns
        -------
        float
            Normalized collective thrust, 0 to 1.
        """
        wanted = min(max(HEIGHT_GAIN * error, -DESCENT), CLIMB)
        speed_error = wanted - climb
        acceleration = VELOCITY_GAIN * speed_error + self._integral
        vertical = HOVER * (1.0 + acceleration / GRAVITY)
        thrust = vertical / max(tilt_cosine, SMALLEST_COSINE)
        limited = min(max(thrust, 0.0), 1.0)
        if limited == thrust or (speed_error > 0) != (thrust > limited):  # else it would wind up
            self._integral += INTEGRAL_GAIN * speed_error * min(max(dt, 0.0), MAXIMUM_STEP)
        return limited

"""Second-order motors of vehicles with rotors: `Motors`."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.sim.interface import PartInterface
from pyrfly.sim.selection import Selection
from pyrfly.vehicles.commands import Ids

__all__ = ["Motors"]

MAXIMUM_FREQUENCY = 1e4
"""Maximum natural frequency [rad/s]: well above any motor."""

MAXIMUM_DAMPING = 1e3
"""Maximum damping ratio: there a motor is of first order within float32."""

DAMPING = 1.0
"""Default damping ratio: no overshoot; estimated."""


class Motors(PartInterface):
    """Second-order motors of vehicles with rotors: `Sim.motors`.

    Off until `enable`: then motors are of first order, with the time constants ``motor_tau``.
    Settings and state are columns of the `Sim`, which exist from then on (docs/models.md,
    ``pyrfly columns``): ``motor_frequency``, ``motor_damping``, ``rotor_accel``.

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("x450")
    >>> sim.controllers = False
    >>> sim.motors.enable(frequency=60, damping=0.5)
    >>> sim.throttle = 0.5
    >>> sim.step(60)  # half a period of the oscillation, pi / (f sqrt(1 - z^2))
    >>> highest = sim.rotor_speed[0, 0]
    >>> sim.step(1000)
    >>> round(float(highest / sim.rotor_speed[0, 0]) - 1, 3)  # exp(-pi z / sqrt(1 - z^2))
    0.163
    """

    part = "motors"

    def enable(
        self,
        *,
        frequency: ArrayLike | None = None,
        damping: ArrayLike | None = None,
        ids: Ids = None,
    ) -> None:
        """Give vehicles motors of second order: w'' = f^2 (w_ss - w) - 2 z f w'.

        w is the speed of a rotor, w_ss that of the throttle in the steady state, by
        ``motor_curve`` [@rfly-model-api 6.1]. Rotors continue with their speeds and without
        acceleration, or with that of motors which are of second order already.

        Parameters
        ----------
        frequency : array_like, shape (k,) or (), optional
            Natural frequency f [rad/s], up to 1e4; by default 2 z / T with the mean T of the two
            time constants ``motor_tau``: the delay behind a ramp is that of first-order motors.
        damping : array_like, shape (k,) or (), optional
            Damping ratio z, up to 1000; below 1 the speed overshoots by exp(-pi z / sqrt(1 - z^2))
            of a step. By default 1, estimated: two lags of T / 2 in series.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.

        Raises
        ------
        ParameterError
            A vehicle has no rotors with a motor each, or its effects are 'plain'.
        ShapeError, TypeError, ValueError
            An argument has the wrong shape, is not finite or out of its range. After any of these
            nothing is changed.
        """
        chosen = self._distinct(ids)
        chosen.require_full_motors("motors")
        ratio = chosen.positive(
            "damping", DAMPING if damping is None else damping, "1", MAXIMUM_DAMPING
        )
        usual = np.minimum(2 * ratio / _delay(chosen), MAXIMUM_FREQUENCY)
        natural = chosen.positive(
            "frequency", usual if frequency is None else frequency, "rad/s", MAXIMUM_FREQUENCY
        )
        columns = {"motor_damping": ratio, "motor_frequency": natural}
        self._change(lambda: chosen.write_all(columns), "motors")

    def disable(self, ids: Ids = None) -> None:
        """Give vehicles first-order motors again, with their present speeds."""
        if self.enabled:
            self._select(ids).write_all({"motor_frequency": 0, "rotor_accel": 0})

    def _on(self) -> dict[str, int]:
        return {"second order": int(np.count_nonzero(self._select(None).read("motor_frequency")))}


def _delay(chosen: Selection) -> NDArray[np.float64]:
    """Return the mean of the two time constants of first-order motors [s], shape (k,)."""
    found = np.empty(len(chosen))
    for group, rows, indices in chosen:
        rotors = group.abilities.rotors
        assert rotors is not None  # see `Selection.require_full_motors`
        found[indices] = group.view(rotors.lag)[rows].mean(axis=1, dtype=np.float64)
    return found

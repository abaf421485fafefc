"""Equilibria and linear models of the vehicles of a simulation: `Analysis`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from pyrfly import _core
from pyrfly.arrays import true_or_false
from pyrfly.sim.linear import LinearModel, linearize
from pyrfly.sim.model import OperatingPoint, single_part
from pyrfly.sim.selection import Selection
from pyrfly.sim.trim import trim
from pyrfly.vehicles.commands import Ids

__all__ = ["Analysis"]

_LIMITS = _core.limits()
_SPEED, _TURN = _LIMITS["speed"], _LIMITS["angular_velocity"]  # of the flight envelope


class Analysis:
    """The part of a `Sim` that analyses its vehicles and changes nothing."""

    select: Callable[..., Selection]

    def trim(
        self,
        ids: Ids = None,
        *,
        vel: ArrayLike = (0, 0, 0),
        yaw: ArrayLike = 0,
        wind: ArrayLike | None = None,
        yaw_rate: ArrayLike = 0,
        hover: bool = True,
    ) -> OperatingPoint:
        """Return the state and the actuator commands of a steady motion; nothing is changed.

        The accelerations and angular accelerations vanish within 1e-6, in the air, the water, on
        the ground and with the loads and faults that the vehicle has at present. Waves are left
        out, and the ground for vehicles that fly.

        Parameters
        ----------
        ids : int or sequence of int, optional
            The k CopterIDs, of one parameter set; all vehicles by default.
        vel : array_like, shape (k, 3) or (3,)
            Ground velocities [m/s, NED]; 0 is hover. Along the ground of what drives, level of
            what floats.
        yaw : array_like, shape (k,) or ()
            Headings [rad]; with some sideslip of what flies by wings without a rudder. A boat
            without side thrusters is at rest only with bow or stern into wind and current.
        wind : array_like, shape (k, 3) or (3,), optional
            Wind velocities [m/s, NED]; by default those of the vehicles.
        yaw_rate : array_like, shape (k,) or (), optional
            Rates [rad/s] of a steady turn about the vertical, clockwise seen from above, in which
            the velocity through air or water turns with the heading.
        hover : bool
            Of VTOLs: whether their rotors carry them, or their wings do and rotors that only lift
            stand still. Vehicles that do not hover take both.

        Raises
        ------
        ParameterError
            A vehicle has no such equilibrium, such as one without yaw control, none is found, or an
            actuator is out of its range there; ``vel`` leaves the ground or the water, or is one
            above which nothing drives the vehicle; ``hover`` is False for one without winged
            flight.

        Examples
        --------
        >>> sim = Sim("sdk")
        >>> sim.trim().inputs["throttle"].round(3).tolist()
        [[0.531, 0.531, 0.531, 0.531]]
        """
        chosen = self.select(ids)
        group, rows = single_part(chosen)
        velocities = chosen.per_vehicle("vel", vel, "m/s", 3, maximum=_SPEED)
        blowing = None
        if wind is not None:
            blowing = chosen.per_vehicle("wind", wind, "m/s", 3, maximum=_SPEED)
        headings = chosen.per_vehicle("yaw", yaw, "rad")
        turns = chosen.per_vehicle("yaw_rate", yaw_rate, "rad/s", maximum=_TURN)
        hovers = true_or_false("hover", hover)
        return trim(group, rows, velocities, headings, blowing, yaw_rate=turns, hover=hovers)

    def linearize(
        self,
        ids: Ids = None,
        *,
        point: OperatingPoint | None = None,
        inputs: Sequence[str] | None = None,
        outputs: Sequence[str] | None = None,
    ) -> LinearModel:
        """Return linear models of the equations of motion, without the controllers.

        The surroundings are those of `trim`.

        By central differences of the derivative, in float64. Where it has a kink, as with different
        time constants of rising and falling rotor speed, that is the mean of the two slopes.

        Raises
        ------
        ParameterError
            A vehicle has second-order `motors`, which no linear model has.

        Parameters
        ----------
        ids : int or sequence of int, optional
            The k CopterIDs, of one parameter set; all vehicles by default. For an int the matrices
            have two dimensions.
        point : OperatingPoint, optional
            States and inputs, such as those of `trim`; by default the present ones.
        inputs : sequence of str, optional
            Input columns, such as ``("throttle", "wind")``; by default the actuator commands.
        outputs : sequence of str, optional
            Output columns, such as ``("specific_force",)``; by default the states.

        Examples
        --------
        >>> sim = Sim("sdk")
        >>> model = sim.linearize(1, point=sim.trim(1))
        >>> row, tilt = model.states.index("vel[0]"), model.states.index("att[1]")
        >>> float(model.A[row, tilt].round(6))  # pitch accelerates backwards: -g
        -9.8
        """
        group, rows = single_part(self.select(ids))
        model = linearize(group, rows, point, inputs, outputs)
        if isinstance(ids, (int, np.integer)):
            return model._replace(A=model.A[0], B=model.B[0], C=model.C[0], D=model.D[0])
        return model

"""What acts on vehicles from outside: `Surroundings`."""

from __future__ import annotations

from collections.abc import Callable

from numpy.typing import ArrayLike

from pyrfly.sim.contact import set_contact_points
from pyrfly.sim.ground_plane import set_ground_plane
from pyrfly.sim.selection import Selection
from pyrfly.sim.strength import set_strength
from pyrfly.vehicles.commands import Ids
from pyrfly.vehicles.entries import LARGEST

__all__ = ["Surroundings"]


def _set_load(
    chosen: Selection,
    enable_part: Callable[[str], None],
    force: ArrayLike | None,
    torque: ArrayLike | None,
) -> None:
    """Set the external loads of vehicles, as `Sim.set_load` describes."""
    columns = {}
    if force is not None:
        columns["external_force"] = chosen.per_vehicle("force", force, "N", 3, LARGEST)
    if torque is not None:
        columns["external_torque"] = chosen.per_vehicle("torque", torque, "N m", 3, LARGEST)
    chosen.require_extended("set_load: no external loads act")
    chosen.require_distinct()
    enable_part("loads")
    chosen.write_all(columns)


class Surroundings:
    """The part of a `Sim` that sets loads, strength, contact points and ground of vehicles."""

    select: Callable[..., Selection]
    enable_part: Callable[[str], None]
    dt: float

    def set_load(
        self,
        force: ArrayLike | None = None,
        torque: ArrayLike | None = None,
        *,
        ids: Ids = None,
    ) -> None:
        """Set a constant force and torque on vehicles from outside, until a reset.

        The columns ``external_force`` and ``external_torque``, which can be written too once this
        was called. The tyres of a rover hold them within their friction (docs/power.md).

        Parameters
        ----------
        force : array_like, shape (k, 3) or (3,), optional
            Force at the centre of mass [N, NED]; by default it stays as it is.
        torque : array_like, shape (k, 3) or (3,), optional
            Torque [N m, FRD]; by default it stays as it is.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.

        Raises
        ------
        ParameterError
            No external loads act on a vehicle: its effects are 'plain', or its family has none.
        ShapeError, TypeError, ValueError
            An argument has the wrong shape, or a magnitude above 1e15. After any of these nothing
            is changed.

        Examples
        --------
        >>> sim = Sim("x450")
        >>> sim.reset(pos=[0, 0, -100])
        >>> sim.controllers = False
        >>> sim.set_load(force=[0, 0, -sim.mass[0] * sim.gravity[0]])
        >>> sim.step(1000)
        >>> sim.pos.tolist()
        [[0.0, 0.0, -100.0]]
        """
        _set_load(self.select(ids), self.enable_part, force, torque)

    def set_strength(self, strength: ArrayLike, *, ids: Ids = None) -> None:
        """Set the share of its effect that each actuator has left, until it is set again.

        Of a motor with a propeller that is thrust and torque, of a servo what its deflection does,
        of an engine the torque that it can give, of a wheel drive the torque, braking too. What the
        actuator moves (`Actuator.moves`) still follows its command: a motor without a propeller
        turns. The column ``actuator_strength``, which can be written too once this was called, and
        which a reset keeps. It is the vehicle's: its controllers do not know.

        Parameters
        ----------
        strength : array_like, shape (k, N) or (N,)
            Of each of the N actuators, in the order of their commands, 0 to 1: 1 is all, 0 a lost
            propeller or surface. Of those that are not used it has no effect.
        ids : int or sequence of int, optional
            The k CopterIDs, of vehicles with one number of actuators; all vehicles by default.

        Raises
        ------
        ParameterError
            No loss of strength acts on a vehicle: its effects are 'plain', or its family has none.
        ShapeError, TypeError, ValueError
            The argument has the wrong shape, or is not within 0 to 1. After any of these nothing is
            changed.

        Examples
        --------
        >>> sim = Sim("x450", 2)
        >>> sim.reset(pos=[0, 0, -20], hover=True)
        >>> sim.set_strength([1, 1, 0.8, 1], ids=2)
        >>> sim.step(1000)
        >>> (abs(sim.pos[:, 2] + 20) < 0.001).tolist()
        [True, False]
        """
        set_strength(self.select(ids), self.enable_part, strength)

    def set_contact_points(
        self,
        points: ArrayLike | None = None,
        *,
        stiffness: ArrayLike | None = None,
        damping: ArrayLike | None = None,
        friction: ArrayLike | None = None,
        ids: Ids = None,
    ) -> None:
        """Let vehicles stand on points, such as their feet, instead of their centre of mass.

        Each point has a spring and a damper across the ground, and along it the same within the
        friction circle (docs/ground.md). Vehicles that are below their new standing height are
        raised to it. A reset keeps the points.

        Parameters
        ----------
        points : array_like, shape (p, 3), optional
            Up to 8 points from the centre of mass [m, FRD]; none restores the contact at the centre
            of mass. By default four feet, estimated from the rotors.
        stiffness : array_like, shape (k,) or (), optional
            Force of a point per penetration [N/m]; by default a standing vehicle sinks by 10 mm
            (estimated).
        damping : array_like, shape (k,) or (), optional
            Force of a point per velocity [N s/m]; by default the damping ratio of the vertical
            motion is 0.7 (estimated).
        friction : array_like, shape (k,) or (), optional
            Friction coefficient; by default the column ``ground_grip``.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.

        Raises
        ------
        ParameterError
            No contact points act on a vehicle: its effects are 'plain', or its family has none.
        ShapeError, TypeError, ValueError
            An argument has the wrong shape, is not finite or negative, or the step is too long for
            so stiff a contact. After any of these nothing is changed.

        Examples
        --------
        >>> sim = Sim("x450")
        >>> sim.set_contact_points()
        >>> sim.step(1000)
        >>> bool(abs(sim.contact_load.sum() - sim.mass[0] * sim.gravity[0]) < 0.01)
        True
        """
        chosen = self.select(ids)
        laws = (stiffness, damping, friction)
        set_contact_points(chosen, self.enable_part, self.dt, points, *laws)

    def set_ground_plane(
        self,
        gradient: ArrayLike | None = None,
        velocity: ArrayLike | None = None,
        yaw_rate: ArrayLike | None = None,
        friction_reduction: ArrayLike | None = None,
        *,
        ids: Ids = None,
    ) -> None:
        """Set slope, motion and friction of the ground below vehicles (docs/ground.md).

        The columns ``terrain_gradient``, ``terrain_velocity``, ``terrain_yaw_rate`` and
        ``friction_reduction``, which can be written too once this was called, and which a reset
        keeps. Until then the ground is level and at rest. Vehicles on it are placed on the
        slope by the next reset.

        Parameters
        ----------
        gradient : array_like, shape (k, 2) or (2,), optional
            Change of the ground's z per metre north and east; uphill is negative. By default each
            stays as it is, at first 0.
        velocity : array_like, shape (k, 3) or (3,), optional
            Velocity of the ground below the vehicle [m/s, NED].
        yaw_rate : array_like, shape (k,) or (), optional
            Its yaw rate [rad/s]; it turns about the point below the vehicle.
        friction_reduction : array_like, shape (k,) or (), optional
            Reduction of the friction coefficient; values outside of 0 to 1 act as the nearer one.
        ids : int or sequence of int, optional
            The k CopterIDs; all vehicles by default.

        Raises
        ------
        ParameterError
            No such ground acts on a vehicle: its effects are 'plain', or its family has none.
        ShapeError, TypeError, ValueError
            An argument has the wrong shape or is not finite. After any of these nothing is changed.

        Examples
        --------
        >>> sim = Sim("x450", 2)
        >>> sim.set_ground_plane(velocity=[[0, 0, 0], [2, 0, 0]])
        >>> sim.reset()
        >>> sim.step(1000)
        >>> sim.pos[:, 0].round(3).tolist()  # one stands, the other rides
        [0.0, 2.0]
        """
        ground = (gradient, velocity, yaw_rate, friction_reduction)
        set_ground_plane(self.select(ids), self.enable_part, *ground)

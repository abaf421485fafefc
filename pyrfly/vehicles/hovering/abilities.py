"""What generic code needs to know of vehicles that hover on one thrust."""

from __future__ import annotations

from pyrfly.vehicles.abilities import AttitudeLoops, Collective, Limits

__all__ = ["ACCEPTANCE_RADIUS", "ATTITUDE", "LIMITS", "THRUST"]

ACCEPTANCE_RADIUS = 2.0
"""NAV_ACC_RAD of rotary wings [m] [@px4 v1.16.1 ROMFS/px4fmu_common/init.d/rc.mc_defaults]."""

LIMITS = Limits(climb="climb_limit", descent="descent_limit", tilt="tilt_limit", rate="rate_limit")
"""Columns of the limits of what hovers."""

ATTITUDE = AttitudeLoops(
    rates="rate_command", held="held_att", thrust="thrust_direction", heading="heading"
)
"""Columns of the attitude loop of what hovers."""

THRUST = Collective(
    "thrust", maximum=("thrust_limit", 1), mass="control_mass", gravity="control_gravity"
)
"""Columns of the thrust of what hovers."""

"""What generic code needs to know of vehicles that fly by wings: `wings`."""

from __future__ import annotations

from pyrfly.vehicles.abilities import AttitudeLoops, Collective, Limits, Wings

__all__ = ["ACCEPTANCE_RADIUS", "ATTITUDE", "THROTTLE", "wings"]

ACCEPTANCE_RADIUS = 15.0
"""NAV_ACC_RAD of fixed wings [m] [@px4 v1.16.1 ROMFS/px4fmu_common/init.d/rc.fw_defaults]."""

ATTITUDE = AttitudeLoops(rates="rate_command")
"""Columns of the attitude loop of wings."""

THROTTLE = Collective("throttle_command")
"""Column of the throttle of wings."""


def wings(prefix: str = "") -> Wings:
    """Return the columns of winged flight.

    Parameters
    ----------
    prefix : str
        What the names of the gains begin with, in families that have others of these names.

    Examples
    --------
    >>> wings("wing_").cruise_airspeed
    'wing_cruise_airspeed'
    """
    return Wings(
        limits=Limits(
            speed=prefix + "speed_limit",
            acceleration=prefix + "accel_limit",
            climb=prefix + "climb_limit",
            descent=prefix + "descent_limit",
            tilt=prefix + "tilt_limit",
            rate=prefix + "rate_limit",
        ),
        airspeed="airspeed_before",
        airspeed_setpoint="airspeed_sp",
        radius_setpoint="radius_sp",
        cruise_airspeed=prefix + "cruise_airspeed",
        minimum_airspeed=prefix + "minimum_airspeed",
        loiter_radius=prefix + "loiter_radius",
        path_period=prefix + "path_period",
        height_gain=prefix + "height_p",
        gravity="control_gravity",
        bank="bank_command",
        pitch="pitch_command",
    )

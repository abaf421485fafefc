"""ArduPlane's outputs of what flies by wings, without other settings: numbers from 0."""

from __future__ import annotations

__all__ = ["ARDUPILOT_OUTPUTS", "ARDUPILOT_SURFACES", "ARDUPILOT_THROTTLE"]

ARDUPILOT_OUTPUTS = 16
"""Number of outputs that every ArduPilot has."""

ARDUPILOT_SURFACES = (0, 1, 3)
"""Outputs of ailerons, elevator and rudder, more is roll to the right, pitch up, yaw to the right
[@ardupilot outputs of planes]."""

ARDUPILOT_THROTTLE = 2
"""Output of the throttle."""

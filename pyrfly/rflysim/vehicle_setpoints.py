"""Set-points of the point-mass vehicles: RflySim's ``Send...`` methods of `VehicleApi.Vehicle`."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence

from pyrfly.ctrl.methods.helpers import Helpers
from pyrfly.protocol.masks import PositionIgnore
from pyrfly.rflysim.EarthModel import Coordinate, EarthModel
from pyrfly.rflysim.vehicle_motion import to_ned

__all__ = [
    "CAR",
    "CIRCLE",
    "CLIMB",
    "CRUISE",
    "FIXED_WING",
    "GO_TO",
    "OFFBOARD",
    "SPEED_ALT_YAW",
    "TAXI",
    "SetPoints",
]

CAR, FIXED_WING = 50, 100
"""Vehicle types with a motion of their own; all others move as multirotors."""

OFFBOARD, GO_TO, TAXI, CLIMB, CRUISE, CIRCLE, SPEED_ALT_YAW = 0, 2, 10, 11, 12, 121, 13
"""Values of ``CurFlag``."""

_MINIMUM = 5.0  # m/s and m, of cruise speed and radius


def _require_finite(values: Sequence[float]) -> None:
    if not all(math.isfinite(v) for v in values):
        raise ValueError(f"set-point: expected finite numbers, got {tuple(values)}")


class SetPoints:
    """Set-points of a point-mass vehicle; see `pyrfly.rflysim.point_mass.PointMass`."""

    Vehicletype: int
    GPSOrigin: list[float]
    intStateX: float
    intStateY: float
    intAlt: float
    uavPosNED: list[float]
    uavAngEular: list[float]

    def __init__(self) -> None:
        self.geo = EarthModel()
        self.MaxSpeed = 20.0
        self.GNDSpeed = 15.0
        self.FwSpeedTrim = 10.0
        self.isArmed = False
        self._lock = threading.RLock()
        self._set_runway((180.0, 0.0, -50.0), 0.0, math.radians(10.0))

    def _set_target(
        self,
        flag: int,
        *,
        pos: Sequence[float] | None = None,
        vel: Sequence[float] | None = None,
        yaw: float | None = None,
        yaw_rate: float | None = None,
        body: bool = False,
    ) -> None:
        _require_finite((*(pos or ()), *(vel or ()), yaw or 0.0, yaw_rate or 0.0))
        with self._lock:
            self.CurFlag = flag
            self.offMode = 0
            given = (pos, vel, None, None, yaw, yaw_rate)
            self.EnList = [int(value is not None) for value in given]
            self.type_mask = self.TypeMask(self.EnList)
            self.coordinate_frame = Coordinate.NED_BODY if body else Coordinate.LOCAL_NED
            self.pos = list(pos or (0, 0, 0))
            self.vel = list(vel or (0, 0, 0))
            self.acc = [0, 0, 0]
            self.yaw = yaw or 0.0
            self.yawrate = yaw_rate or 0.0
            if pos is not None:
                self._target = self._from_here(self.pos) if body else list(self.pos)

    def _from_here(self, offset: Sequence[float]) -> list[float]:
        north, east = to_ned(offset[0], offset[1], self.uavAngEular[2])
        moves = (north, east, offset[2])
        return [p + d for p, d in zip(self.uavPosNED, moves, strict=True)]

    TypeMask = staticmethod(Helpers.TypeMask)

    def SendPosNED(self, x: float = 0, y: float = 0, z: float = 0, yaw: float = 0) -> None:
        """Arm and go to a position [m, NED from the start] with a heading [rad].

        A fixed wing flies there with ``FwSpeedTrim``, circles with ``CircleRadius``, and takes no
        heading.
        """
        _require_finite((x, y, z, yaw))
        self.isArmed = True
        if self.Vehicletype != FIXED_WING:
            self._set_target(GO_TO, pos=(x, y, z), yaw=yaw)
        elif self.CurFlag not in (CRUISE, CIRCLE) or self.pos != [x, y, z]:
            self._set_target(CRUISE, pos=(x, y, z), yaw=yaw)
            self.ForwardPosXYZ, self.CirclePosXYZ = [x, y, z], [x, y, z]
            self.ForwardSpeed = self.CircleSpeed = self.FwSpeedTrim

    def SendPosNEDNoYaw(self, x: float = 0, y: float = 0, z: float = 0) -> None:
        """Go to a position [m, NED from the start]."""
        self._set_target(OFFBOARD, pos=(x, y, z))

    def SendPosFRD(self, x: float = 0, y: float = 0, z: float = 0, yaw: float = 0) -> None:
        """Move forward, right, down [m] from the present position, with a heading [rad]."""
        self._set_target(OFFBOARD, pos=(x, y, z), yaw=yaw, body=True)

    def SendPosFRDNoYaw(self, x: float = 0, y: float = 0, z: float = 0) -> None:
        """Move forward, right, down [m] from the present position."""
        self._set_target(OFFBOARD, pos=(x, y, z), body=True)

    def SendVelNED(self, vx: float = 0, vy: float = 0, vz: float = 0, yawrate: float = 0) -> None:
        """Move with a velocity [m/s, NED] and a heading rate [rad/s]."""
        self._set_target(OFFBOARD, vel=(vx, vy, vz), yaw_rate=yawrate)

    def SendVelNEDNoYaw(self, vx: float, vy: float, vz: float) -> None:
        """Move with a velocity [m/s, NED]."""
        self._set_target(OFFBOARD, vel=(vx, vy, vz))

    def SendVelFRD(self, vx: float = 0, vy: float = 0, vz: float = 0, yawrate: float = 0) -> None:
        """Move with a velocity forward, right, down [m/s] and a heading rate [rad/s]."""
        self._set_target(OFFBOARD, vel=(vx, vy, vz), yaw_rate=yawrate, body=True)

    def SendVelNoYaw(self, vx: float, vy: float, vz: float) -> None:
        """Move with a velocity forward, right, down [m/s]."""
        self._set_target(OFFBOARD, vel=(vx, vy, vz), body=True)

    def SendVelYawAlt(self, vel: float = 10, alt: float = -100, yaw: float = 6.28) -> None:
        """Arm and fly with a speed [m/s], at a height [m, NED z], on a course [rad].

        The order of arguments is not that of ``PX4MavCtrler.SendVelYawAlt``.
        """
        _require_finite((vel, alt, yaw))
        with self._lock:
            self._set_target(SPEED_ALT_YAW, pos=(0, 0, alt))
            self.vel = [yaw, vel, 0]
            self.type_mask = int(PositionIgnore.ACCELERATION)
            self.isArmed = True

    def sendMavTakeOff(
        self,
        xM: float = 0,
        yM: float = 0,
        zM: float = 0,
        YawRad: float = 0,
        PitchRad: float = math.radians(20),
    ) -> None:
        """Arm and take off along a runway, then circle a position.

        Parameters
        ----------
        xM, yM, zM : float
            Position [m, NED from the start].
        YawRad : float
            Direction of the runway [rad].
        PitchRad : float
            Slope of the climb [rad].
        """
        _require_finite((xM, yM, zM, YawRad, PitchRad))
        with self._lock:
            self.isArmed = True
            self.MaxSpeed = 20.0
            self._set_target(TAXI)
            self._set_runway((xM, yM, zM), YawRad, PitchRad)

    def _set_runway(self, target: Sequence[float], yaw: float, slope: float) -> None:
        self.TkOffYaw, self.TkOffAccSpeed, self.TkOffMaxSpeed = yaw, 1.0, 10.0
        self.ClimbSlope, self.ClimbAccSpeed, self.ClimbMaxSpeed = slope, 1.0, 20.0
        self.ClimbMaxAlt = target[2]
        self.ForwardSpeed, self.ForwardPosXYZ = 20.0, list(target)
        self.CircleSpeed, self.CircleRadius, self.CirclePosXYZ = 20.0, 20.0, list(target)
        self.CircleDir = 1

    def sendMavTakeOffGPS(
        self, lat: float, lon: float, alt: float, yawDeg: float = 0, pitchDeg: float = 15
    ) -> None:
        """Take off as `sendMavTakeOff`, to a geodetic position [deg, deg, m], angles in deg."""
        north, east, down = self.geo.lla2ned([lat, lon, alt], self.GPSOrigin)
        target = north - self.intStateX, east - self.intStateY, down - self.intAlt
        self.sendMavTakeOff(*target, math.radians(yawDeg), math.radians(pitchDeg))

    def SendCruiseSpeed(self, Speed: float = 10) -> None:
        """Set the speed of a fixed wing [m/s], at least 5, also of the present task."""
        self.FwSpeedTrim = self.ForwardSpeed = self.CircleSpeed = max(Speed, _MINIMUM)

    def SendCruiseRadius(self, rad: float = 20) -> None:
        """Set the radius of the circles [m], at least 5."""
        self.CircleRadius = max(rad, _MINIMUM)

    def SendCopterSpeed(self, Speed: float = 5) -> None:
        """Set the speed towards a position, along each axis [m/s]."""
        self.MaxSpeed = Speed

    def SendGroundSpeed(self, Speed: float = 15) -> None:
        """Store a ground speed [m/s]; no effect, as in RflySim."""
        self.GNDSpeed = Speed

    def SendMavArm(self, isArm: float = 0) -> None:
        """Arm or disarm."""
        self.isArmed = bool(isArm)

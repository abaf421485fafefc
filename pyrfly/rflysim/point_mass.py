"""Point-mass vehicle behind `VehicleApi.Vehicle`: set-points in, motion out, no sockets."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pyrfly.frames import DEFAULT_ORIGIN
from pyrfly.rflysim.EarthModel import Coordinate
from pyrfly.rflysim.ground import DEFAULT_MAP, ground_of
from pyrfly.rflysim.vehicle_motion import (
    GRAVITY,
    Flight,
    FlightCommand,
    clip,
    fly,
    level_pitch,
    orbit,
    smooth,
    to_ned,
    wrap,
)
from pyrfly.rflysim.vehicle_setpoints import (
    CAR,
    CIRCLE,
    CLIMB,
    CRUISE,
    FIXED_WING,
    GO_TO,
    OFFBOARD,
    SPEED_ALT_YAW,
    TAXI,
    SetPoints,
)

__all__ = ["PointMass"]

_MAX_STEP = 0.02  # s
_POSITION_GAIN, _YAW_GAIN = 0.5, 2.0  # 1/s
_YAW_RATE_LIMIT = math.pi / 4  # rad/s, of a heading set-point
_LIMITS = (15.0, 15.0, 10.0)  # m/s, of the velocity
_SHOWN_TILT = math.pi / 3 / 15.0  # rad per m/s
_SHOWN_RPM = 1000
_TOUCH = 1e-3  # m above the ground that count as on it
_ROLLING = 0.1  # m/s above which a vehicle points where it goes


class PointMass(SetPoints):
    """A point mass that moves as a multirotor, a fixed wing or a car.

    Positions are relative to where it starts, NED, unless said otherwise. How a command moves it:

    - Velocities and, for a multirotor or car, positions: through RflySim's set-point filter
      (3 % of the way every 10 ms), limited to 15 m/s along each horizontal axis and 10 m/s
      vertically; a position commands 0.5 1/s times the distance, at most ``MaxSpeed``; a heading
      2 1/s times the error, at most 45 deg/s.
    - Take-off: 1 m/s^2 along the runway up to 10 m/s, then along the climb slope up to 20 m/s and
      the target height, then to the target position, then circles around it.
    - Speed, height and heading; and for a fixed wing positions, which it then circles: the
      autopilot of `pyrfly.rflysim.vehicle_motion.fly`.

    A vehicle that is not armed ignores commands and comes to rest. On the ground a command to
    descend keeps it at rest. A car stays on the ground and does not move sideways: with a velocity
    forward, right, down it drives along its heading, backward too, and turns at the heading rate;
    otherwise it points where it goes, as a fixed wing does, and takes no heading.

    Parameters
    ----------
    Vehicletype : int
        100 is a fixed wing, 50 a car, all others a multirotor.
    mapName : str
        Ground; see `pyrfly.rflysim.ground.ground_of`.

    Attributes
    ----------
    uavPosNED, uavVelNED : list of 3 floats
        Position [m] and velocity [m/s].
    uavAngEular, uavAngRate : list of 3 floats
        Roll, pitch, yaw [rad] and their rates [rad/s].
    uavVelAir : float
        Horizontal speed [m/s].
    truePosNED, trueVelNED, trueAngEular, trueAngRate, uavGlobalPos : list of 3 floats
        The same, positions relative to the origin of the map.
    MotorRPMS : list of 8 floats
        Rotor speeds to show [rpm].
    CurFlag : int
        0 velocity or position, 2 position, 10 taxi, 11 climb, 12 cruise, 121 circle, 13 speed,
        height and heading.
    isArmed : bool
        Whether it accepts commands.
    B : list of 5 floats
        Gains of the autopilot.
    MaxSpeed, FwSpeedTrim, CircleRadius : float
        Of positions [m/s], of a fixed wing [m/s], of its circles [m].
    offMode, EnList, type_mask, coordinate_frame, pos, vel, acc, yaw, yawrate
        The last set-point, as MAVLink has it.
    """

    def __init__(self, Vehicletype: int = 3, mapName: str = DEFAULT_MAP) -> None:
        super().__init__()
        self.Vehicletype = Vehicletype
        self.map = ground_of(mapName)
        self.GPSOrigin: list[float] = list(self.map.GPS or DEFAULT_ORIGIN)
        self.B = [5.0, 10.0, 5.0, 12.0, 1.0]
        self.restart((0.0, 0.0, 0.0))

    def restart(self, start: Sequence[float]) -> None:
        """Put the vehicle at rest on the ground, without a command.

        Parameters
        ----------
        start : sequence of 3 floats
            x, y [m, from the origin of the map] and heading [deg].
        """
        self.intStateX, self.intStateY, self.intStateYaw = (float(v) for v in start)
        self.intAlt = self.map.getTerrainAltData(self.intStateX, self.intStateY)
        self.uavPosNED, self.uavVelNED = [0.0] * 3, [0.0] * 3
        self.uavAngEular = [0.0, 0.0, wrap(math.radians(self.intStateYaw))]
        self.uavAngRate = [0.0] * 3
        self.uavVelAir = 0.0
        self._on_ground = True
        self._set_target(OFFBOARD, vel=(0, 0, 0), yaw_rate=0)
        self.ProssInput(0.0)
        self._show()

    # --- motion ---

    def ProssInput(self, dt: float) -> None:
        """Compute the velocity and heading rate after ``dt`` [s], and the next mode.

        Called by `Step`; calling it again changes nothing.
        """
        self.velOff, self.yawRateOff = [0.0, 0.0, 0.0], 0.0
        if not self.isArmed:
            return
        if self.CurFlag in (OFFBOARD, GO_TO):
            self._guide()
        elif self.CurFlag == TAXI:
            self.velOff = self._faster(self.TkOffAccSpeed, self.TkOffMaxSpeed, 0.0, dt)
        elif self.CurFlag == CLIMB:
            self.velOff = self._faster(self.ClimbAccSpeed, self.ClimbMaxSpeed, self.ClimbSlope, dt)

    def _guide(self) -> None:
        """Turn a position or velocity set-point into a velocity and a heading rate."""
        if self.EnList[1]:
            self.velOff = [float(v) for v in self.vel]
            if self.coordinate_frame == Coordinate.NED_BODY:
                self.velOff[:2] = to_ned(self.vel[0], self.vel[1], self.uavAngEular[2])
        elif self.EnList[0]:
            errors = (t - p for t, p in zip(self._target, self.uavPosNED, strict=True))
            self.velOff = [clip(_POSITION_GAIN * e, self.MaxSpeed) for e in errors]
        self.yawRateOff = self.yawrate
        if self.EnList[4]:
            error = wrap(self.yaw - self.uavAngEular[2])
            self.yawRateOff = clip(_YAW_GAIN * error, _YAW_RATE_LIMIT)

    def _faster(self, gain: float, limit: float, slope: float, dt: float) -> list[float]:
        """Return a velocity along the runway, or up a slope [rad], that has grown for ``dt``."""
        speed = min(math.hypot(*self.uavVelNED) + gain * dt, limit)
        level = speed * math.cos(slope)
        yaw = self.TkOffYaw
        return [level * math.cos(yaw), level * math.sin(yaw), -speed * math.sin(slope)]

    def Step(self, dt: float) -> None:
        """Move for a time, in equal steps of at most 20 ms.

        Parameters
        ----------
        dt : float
            How long [s]. The same calls give the same motion.

        Raises
        ------
        ValueError
            When ``dt`` is negative or non-finite.
        """
        if not 0 <= dt < math.inf:
            raise ValueError(f"dt: expected a time of at least 0 [s], got {dt}")
        steps = math.ceil(dt / _MAX_STEP)
        with self._lock:
            for _ in range(steps):
                self._step(dt / steps)
            self._show()

    def _step(self, dt: float) -> None:
        self.ProssInput(dt)
        if self.isArmed and self.CurFlag in (TAXI, CLIMB):
            self._accelerate(dt)
        elif self.isArmed and self.CurFlag in (CRUISE, CIRCLE, SPEED_ALT_YAW):
            self._fly(dt)
        else:
            self._filter(dt)
        self._meet_ground()
        self.uavVelAir = math.hypot(self.uavVelNED[0], self.uavVelNED[1])

    def _move(self, velocity: Sequence[float], dt: float) -> None:
        """Go on to a velocity, with the mean of it and the one before."""
        for i, new in enumerate(velocity):
            self.uavPosNED[i] += (self.uavVelNED[i] + new) / 2 * dt
            self.uavVelNED[i] = new

    def _accelerate(self, dt: float) -> None:
        self._move(self.velOff, dt)
        climbing = self.CurFlag == CLIMB
        self.uavAngEular = [0.0, self.ClimbSlope if climbing else 0.0, wrap(self.TkOffYaw)]
        self.uavAngRate = [0.0] * 3
        if not climbing and math.hypot(*self.uavVelNED) >= self.TkOffMaxSpeed:
            self.CurFlag = CLIMB
        elif climbing and self.uavPosNED[2] <= self.ClimbMaxAlt:
            self.CurFlag = CRUISE

    def _fly(self, dt: float) -> None:
        (x, y, z), (north, east, descent) = self.uavPosNED, self.uavVelNED
        speed = math.hypot(north, east)
        course = math.atan2(east, north) if speed > _ROLLING else self.uavAngEular[2]
        before = Flight(x, y, z, descent, speed, course, self.uavAngRate[2])
        after = fly(before, self._flight_command(), self.B, dt)
        self.uavPosNED = [after.north, after.east, after.down]
        velocity = to_ned(after.speed, 0.0, after.course)
        self.uavVelNED = [*velocity, after.descent]
        bank = math.atan(after.speed * after.turn / GRAVITY)
        self.uavAngEular = [bank, level_pitch(after.speed), wrap(after.course)]
        self.uavAngRate = [0.0, 0.0, after.turn]

    def _flight_command(self) -> FlightCommand:
        if self.CurFlag == SPEED_ALT_YAW:
            yaw, speed, _ = self.vel
            return FlightCommand(speed, yaw, 0.0, self.pos[2])
        if self.CurFlag == CRUISE:
            errors = [t - p for t, p in zip(self.ForwardPosXYZ, self.uavPosNED, strict=True)]
            if math.hypot(*errors) > self.CircleRadius:
                course = math.atan2(errors[1], errors[0])
                return FlightCommand(self.ForwardSpeed, course, 0.0, self.ForwardPosXYZ[2])
            self.CurFlag = CIRCLE
        north, east = (self.uavPosNED[i] - self.CirclePosXYZ[i] for i in (0, 1))
        speed = self.CircleSpeed
        course, turn = orbit(north, east, self.CircleRadius, speed, self.CircleDir == 1)
        return FlightCommand(speed, course, turn, self.CirclePosXYZ[2])

    def _filter(self, dt: float) -> None:
        pairs = zip(self.uavVelNED, self.velOff, _LIMITS, strict=True)
        self._move([clip(smooth(v, target, dt), limit) for v, target, limit in pairs], dt)
        before = self.uavAngRate[2]
        rate = clip(smooth(before, self.yawRateOff, dt), math.pi)
        yaw = wrap(self.uavAngEular[2] + (before + rate) / 2 * dt)
        forward, right = to_ned(self.uavVelNED[0], self.uavVelNED[1], -yaw)
        self.uavAngRate = [0.0, 0.0, rate]
        self.uavAngEular = [right * _SHOWN_TILT, -forward * _SHOWN_TILT, yaw]
        if self._steers():
            self.uavVelNED[:2] = to_ned(forward, 0.0, yaw)
            self.uavAngEular[:2] = [0.0, 0.0]
        elif self.Vehicletype in (CAR, FIXED_WING):
            self._point_ahead()

    def _steers(self) -> bool:
        """Return whether it is a car that drives forward or backward along its heading."""
        body = self.EnList[1] and self.coordinate_frame == Coordinate.NED_BODY
        return self.Vehicletype == CAR and bool(body)

    def _point_ahead(self) -> None:
        """Show a vehicle that cannot move sideways."""
        north, east = self.uavVelNED[:2]
        speed = math.hypot(north, east)
        if speed > _ROLLING:
            self.uavAngEular[2], self.uavAngRate[2] = math.atan2(east, north), 0.0
        self.uavAngEular[0] = 0.0
        self.uavAngEular[1] = level_pitch(speed) if self.Vehicletype == FIXED_WING else 0.0

    def _meet_ground(self) -> None:
        x, y = self.intStateX + self.uavPosNED[0], self.intStateY + self.uavPosNED[1]
        ground = self.map.getTerrainAltData(x, y) - self.intAlt
        below = self.uavPosNED[2] - ground
        if self.Vehicletype == CAR:
            self.uavPosNED[2], self.uavVelNED[2] = ground, 0.0
        elif below >= 0:
            self.uavPosNED[2], self.uavVelNED[2] = ground, min(self.uavVelNED[2], 0.0)
            if self.velOff[2] > 0:
                self.uavVelNED, self.uavAngRate = [0.0] * 3, [0.0] * 3
        self._on_ground = below > -_TOUCH

    def _show(self) -> None:
        """Update what is displayed: true values, and rotor speeds."""
        start = (self.intStateX, self.intStateY, self.intAlt)
        self.truePosNED = [s + p for s, p in zip(start, self.uavPosNED, strict=True)]
        self.uavGlobalPos = list(self.truePosNED)
        self.trueVelNED = list(self.uavVelNED)
        self.trueAngEular = list(self.uavAngEular)
        self.trueAngRate = list(self.uavAngRate)
        if self.Vehicletype in (CAR, FIXED_WING):
            turning = self.uavVelAir > _ROLLING
            self.MotorRPMS = [_SHOWN_RPM * turning, *[0.0] * 7]
        else:
            flying = self.isArmed and not self._on_ground
            self.MotorRPMS = [float(_SHOWN_RPM * flying)] * 8

"""RflySim's control class `PX4MavCtrler`, acting on a vehicle of a `pyrfly.Sim`.

Names, order and defaults of arguments, and units are those of RflySim's ``PX4MavCtrlV4`` (public
SDK). Positions that are commanded, and ``uavPosNED``, are relative to the take-off point, which is
where the vehicle is when `PX4MavCtrler.InitMavLoop` is called; ``truePosNED`` and ``uavGlobalPos``
are in the frame of the `Sim`, whose origin is RflySim's map centre. Angles are in radians unless
said otherwise; quaternions are scalar first, FRD to NED.

There is no estimator in process: what RflySim reads from PX4 (``uav...``) are the true values too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pyrfly.ctrl.navigator import PERIOD, Navigator, Target, Triple
from pyrfly.ctrl.vehicle import Vehicle, quaternion_of_euler
from pyrfly.geodesy import LocalFrame
from pyrfly.sim import Setpoint, Sim

__all__ = ["DEFAULT_HEIGHT", "UNSET_HEIGHT", "PX4MavCtrler"]

DEFAULT_HEIGHT = 10.0
"""Height of a take-off that names none [m], seed 000 section 9.2.1.2."""

UNSET_HEIGHT = 1.0
"""A height below this counts as not named [m], seed 000 section 9.2.1.2."""

FIRST_PORT = 20100  # of CopterID 1; the next has two more (RflySim SDK)
MOST_ID = 10000  # a first argument above it is a port
UDP_MODES = range(9)  # CtMode of the SDK: 0 UDP_Full to 6 MAVLink_Vision, 7 and 8 by Redis
MOTORS = 8  # of uavMotorRPMS
_RPM = 60.0 / math.tau  # per rad/s


class PX4MavCtrler:
    """Controls one vehicle with RflySim's verbs.

    Commands take effect at the next update of the navigator, every 20 ms of simulated time, and
    hold until the next command. Time passes in ``sim.step`` and ``sim.sleep`` only.

    Parameters
    ----------
    CopterID : int
        Which vehicle, 1 to ``sim.n``; above 10000 its port, 20100 + 2 (CopterID - 1).
    ip : str
        Address, kept as an attribute.
    Com : {'udp'}
        Kind of link. There is none in process; RflySim's default.
    port : int
        Kept as an attribute; 0 is 20100 + 2 (CopterID - 1).
    sim : Sim
        The world the vehicle is in.

    Attributes
    ----------
    CopterID, ip, Com, port
        As given.
    sim : Sim
        As given.
    UDPMode : int
        What `InitMavLoop` was called with.
    trueGpsUeCenter : list of float
        Latitude [deg], longitude [deg] and height [m] of the origin of the `Sim`.

    Raises
    ------
    ValueError, TypeError
        When ``sim`` is missing, has no such vehicle, or an argument is not as above.

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("x450")
    >>> mav = PX4MavCtrler(1, sim=sim)
    >>> mav.InitMavLoop()
    >>> mav.SendMavArm(True)
    >>> mav.sendMavTakeOff(0, 0, -5)
    >>> sim.sleep(8)
    >>> mav.initOffboard()
    >>> mav.SendVelFRD(1, 0, 0, 0)
    >>> sim.sleep(5)
    >>> bool(mav.uavPosNED[0] > 3)
    True
    """

    def __init__(
        self,
        CopterID: int = 1,
        ip: str = "127.0.0.1",
        Com: str = "udp",
        port: int = 0,
        *,
        sim: Sim | None = None,
    ) -> None:
        if sim is None:
            raise ValueError(
                "sim: expected the pyrfly.Sim that the vehicle is in, as sim=...; controllers work "
                "in process only"
            )
        if Com != "udp":
            raise ValueError(f"Com: expected 'udp', RflySim's default; got {Com!r}")
        number = _integer("CopterID", CopterID)
        if number > MOST_ID:
            number = (number - FIRST_PORT) // 2 + 1
        if not 1 <= number <= sim.n:
            raise ValueError(f"CopterID: expected 1 to {sim.n}, got {CopterID!r}")
        self.CopterID = number
        self.ip = ip
        self.Com = Com
        self.port = _integer("port", port) or FIRST_PORT + 2 * (number - 1)
        self.sim = sim
        self.UDPMode = 2
        self.trueGpsUeCenter = [40.1540302, 116.2593683, 50.0]
        self._vehicle = Vehicle(sim, number)
        self._navigator = Navigator(self._vehicle)
        self._connected = False

    def __repr__(self) -> str:
        """Return which vehicle this is for."""
        return f"<PX4MavCtrler of CopterID {self.CopterID} in {self.sim!r}>"

    # --- begin and end

    def InitMavLoop(self, UDPMode: int = 2) -> None:
        """Take control: the vehicle is disarmed, and where it is becomes the take-off point.

        Call it again after ``sim.reset``, to start over.

        Parameters
        ----------
        UDPMode : int
            RflySim's number of the link, 0 to 8; all are alike in process.
        """
        mode = _integer("UDPMode", UDPMode)
        if mode not in UDP_MODES:
            raise ValueError(f"UDPMode: expected 0 to {UDP_MODES[-1]}, got {UDPMode!r}")
        self.UDPMode = mode
        if not self._connected:
            self.sim.add_listener(self._navigator.update, PERIOD)
            self._connected = True
        self._navigator.restart()
        self._navigator.arm(False)

    def endMavLoop(self) -> None:
        """Give up control; an armed vehicle is disarmed, wherever it is."""
        if self._connected:
            self._navigator.arm(False)
            self._navigator.offboard = False
            self.sim.remove_listener(self._navigator.update)
            self._connected = False

    def stopRun(self) -> None:
        """Do what `endMavLoop` does."""
        self.endMavLoop()

    def initOffboard(self) -> None:
        """Obey set-points from now on; arm if disarmed, and stay until the first set-point."""
        navigator = self._ready()
        navigator.begin_offboard()
        if not self._vehicle.armed:
            navigator.arm(True)

    def endOffboard(self) -> None:
        """Obey no set-points any more; hold the present place."""
        self._ready().end_offboard()

    # --- commands to the vehicle

    def SendMavArm(self, isArm: bool | int = 1) -> None:
        """Arm the vehicle, or disarm it, wherever it is.

        Parameters
        ----------
        isArm : bool or int
            Whether the motors may turn. Armed on the ground, they idle until a command.
        """
        self._ready().arm(bool(isArm))

    def sendMavTakeOff(
        self,
        xM: float = 0,
        yM: float = 0,
        zM: float = 0,
        YawRad: float = 0,
        PitchRad: float = 0,
    ) -> None:
        """Take off and hold a place, or change the height when in the air.

        The vehicle has to be armed, before or after. It rises at 1.5 m/s (PX4's MPC_TKO_SPEED).
        Until the height is reached, set-points have no effect.

        Parameters
        ----------
        xM, yM, zM : float
            Place relative to the take-off point [m, NED]. A ``zM`` that is not at least 1 m above
            the take-off point counts as not given; then it is -10.
        YawRad : float
            Heading [rad, NED]. NaN: it is held.
        PitchRad : float
            Pitch of a fixed wing's climb [rad]; without effect on a multirotor.
        """
        navigator = self._ready()
        x, y, z = _finite("xM", xM, "m"), _finite("yM", yM, "m"), _finite("zM", zM, "m")
        yaw = _number("YawRad", YawRad, "rad")
        _finite("PitchRad", PitchRad, "rad")
        navigator.take_off(self._on_map((x, y, -DEFAULT_HEIGHT if z > -UNSET_HEIGHT else z)), yaw)

    def sendMavLand(self, xM: float, yM: float, zM: float) -> None:
        """Land: fly above a place, descend at 0.7 m/s until the ground is met, and disarm.

        The ground is met after 0.5 s less than 0.1 m above it at a vertical speed below 0.1 m/s.
        Until then, set-points have no effect.

        Parameters
        ----------
        xM, yM : float
            Place relative to the take-off point [m, NED].
        zM : float
            Down coordinate of the ground there [m]; the vehicle finds the ground by itself.
        """
        navigator = self._ready()
        place = (_finite("xM", xM, "m"), _finite("yM", yM, "m"), _finite("zM", zM, "m"))
        x, y, _ = self._on_map(place)
        navigator.land(x, y)

    # --- set-points, obeyed between initOffboard and endOffboard

    def SendPosNED(
        self,
        x: float = math.nan,
        y: float = math.nan,
        z: float = math.nan,
        yaw: float = math.nan,
    ) -> None:
        """Fly to a place and turn to a heading.

        Parameters
        ----------
        x, y, z : float
            Place relative to the take-off point [m, NED]; above the ground, z is negative. NaN:
            not controlled, the vehicle is brought to rest along that axis.
        yaw : float
            Heading [rad, NED]. NaN: the heading is held.
        """
        pos = self._on_map(_triple(("x", "y", "z"), (x, y, z), "m"))
        self._aim(Setpoint.POSITION, yaw=_number("yaw", yaw, "rad"), pos=pos)

    def SendPosNEDNoYaw(
        self, x: float = math.nan, y: float = math.nan, z: float = math.nan
    ) -> None:
        """Fly to a place with the heading held; arguments as in `SendPosNED`."""
        pos = self._on_map(_triple(("x", "y", "z"), (x, y, z), "m"))
        self._aim(Setpoint.POSITION, pos=pos)

    def SendVelNED(
        self,
        vx: float = math.nan,
        vy: float = math.nan,
        vz: float = math.nan,
        yawrate: float = math.nan,
    ) -> None:
        """Fly with a velocity and turn at a rate.

        Parameters
        ----------
        vx, vy, vz : float
            Velocity [m/s, NED]. NaN: not controlled, the vehicle is brought to rest along that
            axis.
        yawrate : float
            Rate of the heading [rad/s], positive clockwise seen from above. NaN: the heading is
            held.
        """
        vel = _triple(("vx", "vy", "vz"), (vx, vy, vz), "m/s")
        self._aim(Setpoint.VELOCITY, yaw_rate=_number("yawrate", yawrate, "rad/s"), vel=vel)

    def SendVelNEDNoYaw(
        self, vx: float = math.nan, vy: float = math.nan, vz: float = math.nan
    ) -> None:
        """Fly with a velocity with the heading held; arguments as in `SendVelNED`."""
        self._aim(Setpoint.VELOCITY, vel=_triple(("vx", "vy", "vz"), (vx, vy, vz), "m/s"))

    def SendVelFRD(
        self,
        vx: float = math.nan,
        vy: float = math.nan,
        vz: float = math.nan,
        yawrate: float = math.nan,
    ) -> None:
        """Fly with a velocity that turns with the vehicle, and turn at a rate.

        Parameters
        ----------
        vx, vy, vz : float
            Velocity [m/s] forward, right and down of the present heading, whatever the tilt. NaN
            as in `SendVelNED`.
        yawrate : float
            As in `SendVelNED`.
        """
        vel = _triple(("vx", "vy", "vz"), (vx, vy, vz), "m/s")
        rate = _number("yawrate", yawrate, "rad/s")
        self._aim(Setpoint.VELOCITY | Setpoint.HEADING_FRAME, yaw_rate=rate, vel=vel)

    def SendVelNoYaw(
        self, vx: float = math.nan, vy: float = math.nan, vz: float = math.nan
    ) -> None:
        """Fly forward, right, down with the heading held; arguments as in `SendVelFRD`."""
        vel = _triple(("vx", "vy", "vz"), (vx, vy, vz), "m/s")
        self._aim(Setpoint.VELOCITY | Setpoint.HEADING_FRAME, vel=vel)

    def SendAttPX4(
        self,
        att: Sequence[float] = (0, 0, 0, 0),
        thrust: float = 0.5,
        CtrlFlag: int = 0,
        AltFlg: float = 0,
    ) -> None:
        """Hold an attitude, or body rates.

        Parameters
        ----------
        att : sequence of float
            What ``CtrlFlag`` says; the fourth of four values is not used but for 2.
        thrust : float
            Collective thrust as a share of the most, limited to 0 to 1; with ``AltFlg`` a height
            above the take-off point [m] that the vehicle holds, as far as its tilt lets it.
        CtrlFlag : {0, 1, 2, 3, 4}
            0: roll, pitch, yaw [deg]; 1: roll, pitch, yaw [rad]; 2: quaternion, scalar first;
            3: body rates [rad/s, FRD]; 4: body rates [deg/s, FRD].
        AltFlg : float
            Above 0: ``thrust`` is a height.
        """
        flag = _integer("CtrlFlag", CtrlFlag)
        if flag not in range(5):
            raise ValueError(f"CtrlFlag: expected 0, 1, 2, 3 or 4, got {CtrlFlag!r}")
        mask, others = _attitude(att, flag)
        if _finite("AltFlg", AltFlg, "1") > 0:
            _, _, down = self._on_map((0.0, 0.0, -_finite("thrust", thrust, "m")))
            self._aim(mask, others, down=down)
        else:
            share = min(max(_finite("thrust", thrust, "1"), 0.0), 1.0)
            self._aim(mask | Setpoint.THRUST, {**others, "thrust_sp": share})

    # --- state

    @property
    def connected(self) -> bool:
        """Whether `InitMavLoop` was called, and `endMavLoop` was not."""
        return self._connected

    @property
    def isInOffboard(self) -> bool:
        """Whether set-points are obeyed: between `initOffboard` and `endOffboard`."""
        return self._navigator.offboard

    @property
    def isArmed(self) -> bool:
        """Whether the motors may turn."""
        return self._vehicle.armed

    @property
    def isPX4Ekf3DFixed(self) -> bool:
        """Whether position is known: in process, as soon as `connected`."""
        return self._connected

    @property
    def MaxSpeed(self) -> float:
        """Largest horizontal speed that is commanded [m/s]; can be set."""
        return self._vehicle.values("speed_limit")[0]

    @MaxSpeed.setter
    def MaxSpeed(self, speed: float) -> None:
        speed = _finite("MaxSpeed", speed, "m/s")
        if speed <= 0:
            raise ValueError(f"MaxSpeed: expected a speed above 0 [m/s], got {speed!r}")
        self._vehicle.group.speed_limit[self._vehicle.row, 0] = speed

    @property
    def uavTimeStmp(self) -> float:
        """Simulated time [s]."""
        return self.sim.time

    @property
    def uavAngEular(self) -> list[float]:
        """Roll, pitch and yaw [rad]."""
        return self._vehicle.values("euler")

    @property
    def uavAngRate(self) -> list[float]:
        """Body rates [rad/s, FRD]."""
        return self._vehicle.values("rate")

    @property
    def uavAngQuatern(self) -> list[float]:
        """Attitude quaternion, scalar first, FRD to NED."""
        return self._vehicle.values("att")

    @property
    def uavPosNED(self) -> list[float]:
        """Position relative to the take-off point [m, NED]."""
        here, home = self._vehicle.values("pos"), self._navigator.home
        return [h - o for h, o in zip(here, home, strict=True)]

    @property
    def uavVelNED(self) -> list[float]:
        """Velocity over ground [m/s, NED]."""
        return self._vehicle.values("vel")

    @property
    def uavGlobalPos(self) -> list[float]:
        """Position relative to the map centre [m, NED]."""
        return self._vehicle.values("pos")

    @property
    def uavPosGPS(self) -> list[float]:
        """Nine values about the place.

        Latitude [deg], longitude [deg], height [m], time [s], height above the take-off point [m],
        velocity [m/s, NED] (3 values) and heading [rad, -pi to pi].
        """
        vehicle = self._vehicle
        above = -self.uavPosNED[2]
        return [
            *self.truePosGPS,
            vehicle.time,
            above,
            *vehicle.values("vel"),
            vehicle.heading,
        ]

    @property
    def uavPosGPSHome(self) -> list[float]:
        """Latitude [deg], longitude [deg] and height [m] of the take-off point."""
        return self._geodetic(self._navigator.home)

    @property
    def uavMotorRPMS(self) -> list[float]:
        """Speeds of the first eight rotors [1/min]; 0 where there is none."""
        speeds = self._vehicle.values("rotor_speed")[:MOTORS]
        return [_RPM * speed for speed in speeds] + [0.0] * (MOTORS - len(speeds))

    @property
    def uavAccB(self) -> list[float]:
        """What an accelerometer feels: acceleration less gravity [m/s^2, FRD]."""
        return self._vehicle.values("specific_force")

    @property
    def uavGyro(self) -> list[float]:
        """What a gyroscope feels: body rates [rad/s, FRD]."""
        return self._vehicle.values("rate")

    @property
    def uavThrust(self) -> float:
        """Collective thrust that is asked for, as a share of the most; 0 when disarmed."""
        vehicle = self._vehicle
        if not vehicle.armed:
            return 0.0
        return vehicle.value("thrust") / vehicle.values("thrust_limit")[1]

    # --- truth

    @property
    def trueTimeStmp(self) -> float:
        """Simulated time [s]."""
        return self.sim.time

    @property
    def trueAngEular(self) -> list[float]:
        """Roll, pitch and yaw [rad]."""
        return self._vehicle.values("euler")

    @property
    def trueAngRate(self) -> list[float]:
        """Body rates [rad/s, FRD]."""
        return self._vehicle.values("rate")

    @property
    def trueAngQuatern(self) -> list[float]:
        """Attitude quaternion, scalar first, FRD to NED."""
        return self._vehicle.values("att")

    @property
    def truePosNED(self) -> list[float]:
        """Position relative to the map centre [m, NED]."""
        return self._vehicle.values("pos")

    @property
    def trueVelNED(self) -> list[float]:
        """Velocity over ground [m/s, NED]."""
        return self._vehicle.values("vel")

    @property
    def truePosGPS(self) -> list[float]:
        """Latitude [deg], longitude [deg] and height [m]."""
        return self._geodetic(self._vehicle.values("pos"))

    @property
    def trueMotorRPMS(self) -> list[float]:
        """Speeds of the first eight rotors [1/min]; 0 where there is none."""
        return self.uavMotorRPMS

    @property
    def trueAccB(self) -> list[float]:
        """Acceleration over ground [m/s^2, FRD]."""
        return self._vehicle.values("accel")

    # --- inside

    def _ready(self) -> Navigator:
        if not self._connected:
            raise RuntimeError(f"call InitMavLoop of CopterID {self.CopterID} before any command")
        return self._navigator

    def _on_map(self, place: Triple) -> Triple:
        """Return a place relative to the take-off point in the frame of the `Sim` [m, NED]."""
        (x, y, z), home = place, self._navigator.home
        return home[0] + x, home[1] + y, home[2] + z

    def _geodetic(self, place: Sequence[float]) -> list[float]:
        lat, lon, alt = self.trueGpsUeCenter
        values: list[float] = LocalFrame(lat, lon, alt).to_lla(place).tolist()
        return values

    def _aim(
        self,
        mask: int,
        others: Mapping[str, float | Sequence[float]] | None = None,
        *,
        pos: Triple | None = None,
        vel: Triple | None = None,
        down: float | None = None,
        yaw: float = math.nan,
        yaw_rate: float = math.nan,
    ) -> None:
        """Hand a target to the navigator; a heading or a rate that is NaN is left out."""
        columns = dict(others or {})
        if not math.isnan(yaw):
            mask |= Setpoint.YAW
            columns["yaw_sp"] = yaw
        if not math.isnan(yaw_rate):
            mask |= Setpoint.YAW_RATE
            columns["yaw_rate_sp"] = yaw_rate
        self._ready().aim(Target(mask, pos, vel, down, columns))


def _attitude(att: Sequence[float], flag: int) -> tuple[int, dict[str, Sequence[float]]]:
    """Return bit and column of an attitude or a body rate."""
    unit = {0: "deg", 1: "rad", 2: "1", 3: "rad/s", 4: "deg/s"}[flag]
    sizes = (4,) if flag == 2 else (3, 4)
    try:
        values = [_finite("att", value, unit) for value in att]
    except TypeError:
        values = []
    if len(values) not in sizes:
        wanted = " or ".join(map(str, sizes))
        raise TypeError(f"att: expected {wanted} numbers [{unit}], got {att!r:.80}")
    if flag == 2:
        norm = math.hypot(*values)
        if not norm > 1e-6:
            raise ValueError("att: expected a quaternion, scalar first, got one of length 0")
        return Setpoint.ATTITUDE, {"att_sp": tuple(value / norm for value in values)}
    x, y, z = (math.radians(v) for v in values[:3]) if flag in (0, 4) else values[:3]
    if flag > 2:
        return Setpoint.BODY_RATE, {"rate_sp": (x, y, z)}
    return Setpoint.ATTITUDE, {"att_sp": quaternion_of_euler(x, y, z)}


def _number(name: str, value: Any, unit: str) -> float:
    """Return ``value`` as a float; NaN may pass."""
    if not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"{name}: expected a number [{unit}], got {value!r:.80}")
    number = float(value)
    if math.isinf(number):
        raise ValueError(f"{name}: expected a finite number [{unit}] or NaN, got {number}")
    return number


def _finite(name: str, value: Any, unit: str) -> float:
    number = _number(name, value, unit)
    if math.isnan(number):
        raise ValueError(f"{name}: expected a finite number [{unit}], got {number}")
    return number


def _triple(names: tuple[str, str, str], values: tuple[Any, Any, Any], unit: str) -> Triple:
    x, y, z = (_number(name, value, unit) for name, value in zip(names, values, strict=True))
    return x, y, z


def _integer(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name}: expected an integer, got {value!r:.80}")
    return int(value)

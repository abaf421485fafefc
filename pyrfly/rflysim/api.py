"""RflySim's module ``api``: `Ctrl`, a control class with short methods; `CtMode`; `PID`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.ctrl.px4_mav_ctrler import FIRST_PORT, PX4MavCtrler
from pyrfly.rflysim.rfly_sim_cp import RflySimCP
from pyrfly.sim import Sim

__all__ = ["PID", "CtMode", "Ctrl"]

Array = NDArray[Any]

_MAX_WAIT = 5.0  # s, for the position to be known
_POLL = 0.05  # s between two checks


class Ctrl(PX4MavCtrler):
    """Controls one vehicle with the methods of RflySim's ``api``.

    Parameters
    ----------
    copter_id, ip, com, port
        See `PX4MavCtrler`.
    simulink_dll : bool
        Whether the vehicle counts as one of RflySim's synthesis model: then positions are relative
        to the centre of the map and values that are read are true ones; else they are relative to
        the take-off point, and estimates.
    sim, first_port
        See `PX4MavCtrler`.

    Attributes
    ----------
    simulinkDLL : bool
        As ``simulink_dll``.
    rflysim_cmd : int
        Command word of an armed vehicle.

    Notes
    -----
    What RflySim ignores silently in one of the two kinds works in both here: `return_home`,
    `land`, `send_acc`, `send_att_thrust` and `send_att` without, `send_pos_global` and
    `send_vel_body` with the synthesis model.

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("x450")
    >>> ctrl = Ctrl(sim=sim)
    >>> ctrl.init_loop(CtMode.UDP_Full, offboard=True)
    >>> ctrl.send_pos_ned([1, 2, -5], 0)
    >>> sim.sleep(8)
    >>> [round(v, 1) + 0 for v in ctrl.get_pos_ned().tolist()]
    [1.0, 2.0, -5.0]
    """

    def __init__(
        self,
        copter_id: int = 1,
        ip: str = "127.0.0.1",
        com: str = "udp",
        port: int = 0,
        simulink_dll: bool = False,
        *,
        sim: Sim | None = None,
        first_port: int = FIRST_PORT,
    ) -> None:
        super().__init__(copter_id, ip, com, port, sim=sim, first_port=first_port)
        self.simulinkDLL = simulink_dll
        self.rflysim_cmd = RflySimCP.CmdBase + RflySimCP.CmdArmed

    def init_loop(self, ct_mode: int = 2, offboard: bool = False) -> None:
        """Take control, and wait at most 5 s until the position is known.

        Parameters
        ----------
        ct_mode : int
            Of `CtMode`; see ``InitMavLoop``.
        offboard : bool
            Whether to arm and track set-points.
        """
        self.InitMavLoop(ct_mode)
        end = time.monotonic() + _MAX_WAIT
        while not self.isPX4Ekf3DFixed and time.monotonic() < end:
            time.sleep(_POLL)
        if offboard:
            self.initOffboard()

    def is_full_send(self) -> bool:
        """Return whether the mode is 0, 2, 3 or 6, those that RflySim calls full here."""
        return self.UDPMode in (
            CtMode.UDP_Full,
            CtMode.MAVLink_Full,
            CtMode.MAVLink_Simple,
            CtMode.Mavlink_Vision,
        )

    # --- commands

    def takeoff(self, height: float = 0, pos_x: float = 0, pos_y: float = 0) -> None:
        """Take off once armed.

        Parameters
        ----------
        height : float
            Target height, NED z [m], 0 for the default; of the map for a synthesis model, else from
            the take-off point.
        pos_x, pos_y : float
            Position [m, NED from the take-off point]; a synthesis model climbs vertically.
        """
        if self.simulinkDLL:
            self.TakeoffSyn(height)
        else:
            self.sendMavTakeOffLocal(pos_x, pos_y, height)

    def return_home(self, height: float = 0) -> None:
        """Fly above home at ``height`` [m, NED z of the map], within 1 m of 0 the present one."""
        self.ReturnHomeSyn(height)

    def land(self, height: float = 0) -> None:
        """Land; at ``height`` [m, NED z of the map] unless within 1 m of 0."""
        self.LandSyn(height)

    def send_pos_ned(self, pos: Sequence[float], yaw: float) -> None:
        """Fly to a position [m, NED; see ``simulink_dll``] with a heading [rad]."""
        x, y, z = pos
        if self.simulinkDLL:
            self.SendSynPos(x, y, z, yaw)
        else:
            self.SendPosNED(x, y, z, yaw)

    def send_pos_speed_fw(self, pos: Sequence[float], speed: float) -> None:
        """Fly a fixed wing to a position [m, NED of the map] with a speed [m/s]."""
        x, y, z = pos
        self.SendPosSpeedFWSyn(x, y, z, speed)

    def send_pos_global(self, pos: Sequence[float], yaw: float) -> None:
        """Fly to latitude [deg], longitude [deg], height [m] with a heading [rad]."""
        lat, lon, alt = pos
        self.SendPosGlobal(lat, lon, alt, yaw, 1)

    def send_vel_ned(self, vel: Sequence[float], yaw_rate: float) -> None:
        """Fly with a velocity [m/s, NED] and a heading rate [rad/s]."""
        vx, vy, vz = vel
        if self.simulinkDLL:
            self.SendSynVel(vx, vy, vz, yaw_rate)
        else:
            self.SendVelNED(vx, vy, vz, yaw_rate)

    def send_vel_body(self, vel: Sequence[float], yaw_rate: float) -> None:
        """Fly with a velocity forward, right, down [m/s] and a heading rate [rad/s]."""
        vx, vy, vz = vel
        self.SendVelFRD(vx, vy, vz, yaw_rate)

    def send_acc(self, acc: Sequence[float]) -> None:
        """Fly with an acceleration [m/s^2, NED]."""
        ax, ay, az = acc
        self.SendSynAcc(ax, ay, az)

    def send_att_thrust(self, att: Sequence[float], thrust: float) -> None:
        """Hold roll, pitch, yaw [rad] and a normalized collective thrust, 0 to 1."""
        roll, pitch, yaw = att
        self.SendSynAttThrust(roll, pitch, yaw, thrust)

    def send_att(self, att: Sequence[float]) -> None:
        """Hold roll, pitch, yaw [rad] and the height."""
        roll, pitch, yaw = att
        self.SendSynAtt(roll, pitch, yaw)

    def send_cruise_speed_fw(self, speed: float) -> None:
        """Set the cruise speed [m/s]; see ``SendCruiseSpeed``."""
        self.SendCruiseSpeed(speed)

    def send_cruise_radius_fw(self, radius: float) -> None:
        """Set the radius of a fixed wing's circles [m]; see ``SendCruiseRadius``."""
        self.SendCruiseRadius(radius)

    # --- state

    def get_vehicle_id(self) -> int:
        """Return the CopterID."""
        return self.CopterID

    def get_time_s(self) -> float:
        """Return the simulated time [s]."""
        return self.uavTimeStmp

    def get_pos_ned(self) -> Array:
        """Return the position (3,) [m, NED; see ``simulink_dll``]."""
        return np.array(self.truePosNED if self.simulinkDLL else self.uavPosNED)

    def get_pos_ned_global(self) -> Array:
        """Return the position relative to the centre of the map (3,) [m, NED]."""
        return np.array(self.truePosNED if self.simulinkDLL else self.uavGlobalPos)

    def get_pos_global(self) -> Array:
        """Return the nine values of ``uavPosGPS``: latitude, longitude [deg], height [m], ..."""
        return np.array(self.uavPosGPS)

    def get_home_pos(self) -> Array:
        """Return latitude [deg], longitude [deg], height [m] of home (3,)."""
        return np.array(self.uavPosGPSHome)

    def get_vel_ned(self) -> Array:
        """Return the velocity (3,) [m/s, NED]."""
        return np.array(self.trueVelNED if self.simulinkDLL else self.uavVelNED)

    def get_acc(self) -> Array:
        """Return ``trueAccB`` of a synthesis model, else ``uavAccB`` (3,) [m/s^2, FRD]."""
        return np.array(self.trueAccB if self.simulinkDLL else self.uavAccB)

    def get_euler(self) -> Array:
        """Return roll, pitch, yaw (3,) [rad]."""
        return np.array(self.trueAngEular if self.simulinkDLL else self.uavAngEular)

    def get_angular_rate(self) -> Array:
        """Return the angular velocity (3,) [rad/s, FRD]."""
        return np.array(self.trueAngRate if self.simulinkDLL else self.uavAngRate)

    def get_quaternion(self) -> Array:
        """Return the attitude (4,), scalar first, FRD to NED."""
        return np.array(self.trueAngQuatern if self.simulinkDLL else self.uavAngQuatern)

    def get_actuator_speed(self) -> Array:
        """Return the rotor speeds (8,) [1/min]."""
        return np.array(self.trueMotorRPMS if self.simulinkDLL else self.uavMotorRPMS)

    def get_max_vel_xy(self) -> Any:
        """Return the maximum horizontal speed that is commanded [m/s]."""
        return self.maxVelXy

    def get_max_vel_z(self) -> Any:
        """Return the maximum climb rate that is commanded [m/s]."""
        return self.maxVelZ

    def get_max_acc_xy(self) -> Any:
        """Return the maximum horizontal acceleration that is commanded [m/s^2]."""
        return self.maxAccXy

    def get_max_acc_z(self) -> Any:
        """Return the maximum upward acceleration [m/s^2]."""
        return self.maxAccZ


class CtMode:
    """A mode of the link, for `Ctrl.init_loop`, and questions about it.

    Attributes
    ----------
    mode : int
        The mode; MAVLink_Full at first.
    UDP_Full, UDP_Simple, MAVLink_Full, MAVLink_Simple, MAVLink_NoSend, MAVLink_NoGPS : int
        The modes 0 to 5.
    Mavlink_Vision, Redis_Full, Redis_Simple : int
        The modes 6 to 8.
    """

    UDP_Full, UDP_Simple = 0, 1
    MAVLink_Full, MAVLink_Simple, MAVLink_NoSend, MAVLink_NoGPS, Mavlink_Vision = 2, 3, 4, 5, 6
    Redis_Full, Redis_Simple = 7, 8

    def __init__(self) -> None:
        self.mode = CtMode.MAVLink_Full

    def set(self, mode: int) -> None:
        """Set the mode.

        Raises
        ------
        ValueError
            When it is not one from 0 to 8.
        """
        if mode not in range(CtMode.UDP_Full, CtMode.Redis_Simple + 1):
            raise ValueError(f"mode: expected 0 to {CtMode.Redis_Simple}, got {mode!r}")
        self.mode = int(mode)

    def is_udp_full(self) -> bool:
        """Return whether it is UDP_Full."""
        return self.mode == CtMode.UDP_Full

    def is_udp_simple(self) -> bool:
        """Return whether it is UDP_Simple."""
        return self.mode == CtMode.UDP_Simple

    def is_mav_full(self) -> bool:
        """Return whether it is MAVLink_Full."""
        return self.mode == CtMode.MAVLink_Full

    def is_mav_simple(self) -> bool:
        """Return whether it is MAVLink_Simple."""
        return self.mode == CtMode.MAVLink_Simple

    def is_mav_no_send(self) -> bool:
        """Return whether it is MAVLink_NoSend."""
        return self.mode == CtMode.MAVLink_NoSend

    def is_mav_no_gps(self) -> bool:
        """Return whether it is MAVLink_NoGPS."""
        return self.mode == CtMode.MAVLink_NoGPS

    def is_redis_full(self) -> bool:
        """Return whether it is Redis_Full."""
        return self.mode == CtMode.Redis_Full

    def is_redis_simple(self) -> bool:
        """Return whether it is Redis_Simple."""
        return self.mode == CtMode.Redis_Simple

    def is_udp(self) -> bool:
        """Return whether it is UDP_Full or UDP_Simple."""
        return self.mode in (CtMode.UDP_Full, CtMode.UDP_Simple)

    def is_mav(self) -> bool:
        """Return whether it is MAVLink_Full or MAVLink_Simple."""
        return self.mode in (CtMode.MAVLink_Full, CtMode.MAVLink_Simple)

    def is_redis(self) -> bool:
        """Return whether it is Redis_Full or Redis_Simple."""
        return self.mode in (CtMode.Redis_Full, CtMode.Redis_Simple)

    def is_full(self) -> bool:
        """Return whether it is UDP_Full, MAVLink_Full or Redis_Full."""
        return self.mode in (CtMode.UDP_Full, CtMode.MAVLink_Full, CtMode.Redis_Full)


class PID:
    """A controller to be called at equal intervals, which its gains include.

    The output is ``p err + i sum + d (err - last err)``. RflySim takes the sum of errors, not the
    error, in the last term.

    Parameters
    ----------
    p, i, d : float
        Gains.

    Attributes
    ----------
    p, i, d : float
        As given.
    sum_err, last_err : float
        Sum of errors, and the last one; 0 at first.
    sum_limit : float
        The sum is kept within plus and minus this, 100 at first.

    Examples
    --------
    >>> pid = PID(2.0, 0.5, 1.0)
    >>> pid.pid(1.0), pid.pid(3.0)
    (3.5, 10.0)
    """

    def __init__(self, p: float = 0.0, i: float = 0.0, d: float = 0.0) -> None:
        self.p, self.i, self.d = p, i, d
        self.sum_limit = 100.0
        self.sum_err = self.last_err = 0.0

    def pid(self, err: float) -> float:
        """Return the output for an error."""
        self.sum_err = min(max(self.sum_err + err, -self.sum_limit), self.sum_limit)
        change, self.last_err = err - self.last_err, err
        return self.p * err + self.i * self.sum_err + self.d * change

    def reset(self) -> None:
        """Reset the sum of errors and the last error."""
        self.sum_err = self.last_err = 0.0

"""RflySim's `Data3D` and `DataHIL`: the state of a vehicle as plain attributes."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["Data3D", "DataHIL"]


class Data3D:
    """True state of a vehicle.

    Parameters
    ----------
    copter_data : sequence of 60 floats, optional
        What `update` takes; without it all values are zero, the attitude level.
    CopterID, ClassID : int
        See `update`.

    Attributes
    ----------
    CopterID, vehicleType : int
        Which vehicle, and its type in RflySim3D.
    runnedTime : float
        Simulated time [s].
    VelE, PosE : list of 3 floats
        Velocity [m/s, NED] and position [m, NED of the map].
    AngEuler : list of 3 floats
        Roll, pitch, yaw [rad].
    AngQuatern : list of 4 floats
        Attitude, scalar first, FRD to NED.
    MotorRPMS : list of 8 floats
        Rotor speeds [rpm].
    AccB, RateB : list of 3 floats
        Acceleration [m/s^2, FRD] and angular velocity [rad/s, FRD].
    PosGPS : list of 3 floats
        Latitude [deg], longitude [deg], height [m].
    reserved : list of 27 floats
        The remaining numbers of the vehicle info.
    """

    def __init__(
        self, copter_data: Sequence[float] | None = None, CopterID: int = -1, ClassID: int = -1
    ) -> None:
        level = [0.0] * 60
        level[12] = 1.0
        self.update(level if copter_data is None else copter_data, CopterID, ClassID)

    def update(self, copter_data: Sequence[float], CopterID: int = -1, ClassID: int = -1) -> None:
        """Take the state from 60 numbers, in the order of the attributes above.

        Parameters
        ----------
        copter_data : sequence of 60 floats
            RflySim's vehicle info.
        CopterID, ClassID : int
            Above 0: instead of the first and the second number.

        Raises
        ------
        ValueError
            When there are not 60 numbers.
        """
        data = list(copter_data)
        if len(data) != 60:
            raise ValueError(f"copter_data: expected 60 numbers, got {len(data)}")
        self.CopterID = int(CopterID) if CopterID > 0 else int(data[0])
        self.vehicleType = int(ClassID) if ClassID > 0 else int(data[1])
        self.runnedTime = data[2]
        self.VelE = data[3:6]
        self.PosE = data[6:9]
        self.AngEuler = data[9:12]
        self.AngQuatern = data[12:16]
        self.MotorRPMS = data[16:24]
        self.AccB = data[24:27]
        self.RateB = data[27:30]
        self.PosGPS = data[30:33]
        self.reserved = data[33:60]

    def updateUdp(self, UIV: Sequence[float]) -> None:
        """Take the state from the 35 numbers of a ``SOut2Simulator`` datagram, checksum first.

        Parameters
        ----------
        UIV : sequence of 35 floats
            Its fields, sequentially.

        Raises
        ------
        ValueError
            When there are not 35 numbers.
        """
        data = list(UIV)
        if len(data) != 35:
            raise ValueError(f"UIV: expected 35 numbers, got {len(data)}")
        self.CopterID, self.vehicleType = int(data[1]), int(data[2])
        self.VelE = data[4:7]
        self.AngEuler = data[7:10]
        self.AngQuatern = data[10:14]
        self.MotorRPMS = data[14:22]
        self.AccB = data[22:25]
        self.RateB = data[25:28]
        self.runnedTime = data[28]
        self.PosE = data[29:32]
        self.PosGPS = data[32:35]


class DataHIL:
    """State of a vehicle as a ground station receives it.

    Attributes
    ----------
    gpsHome : list of 3 ints
        Latitude and longitude [1e-7 deg] and height [mm] of home.
    AngEular : list of 3 floats
        Roll, pitch, yaw [rad].
    localPos, localVel : list of 3 floats
        Position [m, NED from home] and velocity [m/s, NED].
    """

    def __init__(self) -> None:
        self.gpsHome = [0, 0, 0]
        self.AngEular = [0.0, 0.0, 0.0]
        self.localPos = [0.0, 0.0, 0.0]
        self.localVel = [0.0, 0.0, 0.0]

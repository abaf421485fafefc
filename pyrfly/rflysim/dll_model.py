"""A model as RflySim's DLLs offer it, with a vehicle of `pyrfly.Sim` behind it."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import plugins, vehicles, wire
from pyrfly.ctrl.arguments import fill_list
from pyrfly.errors import CommandWarning, ParameterError, warn
from pyrfly.files import printable
from pyrfly.protocol.px4_channels import CHANNELS, channels_of
from pyrfly.protocol.terrain import FASTEST, HIGHEST, ObjectYaws, ground_of, plausible
from pyrfly.rflysim.packets import Numbers
from pyrfly.server.actuators import Actuators
from pyrfly.server.extensions import Extensions
from pyrfly.server.orders import Extension, done_in_part
from pyrfly.sim import Sim
from pyrfly.sim.ground_plane import write_ground
from pyrfly.sim.model_params import WIDTHS, given_to
from pyrfly.sim.rebound import INPUTS
from pyrfly.vehicles import VehicleParameters
from pyrfly.vehicles.rflysim_models import LIBRARY, RFLYSIM_MODELS, set_of_model

__all__ = ["STATE_FIELDS", "DllModel", "parameters_of"]

STATE_FIELDS = 33
"""Numbers of `DllModel.DlloutVehileInfo60d` that are of the state; the others are a model's own."""


def parameters_of(dll_name: str | os.PathLike[str] | VehicleParameters) -> VehicleParameters:
    """Return the parameter set for the name of a model, or the model itself.

    Parameters
    ----------
    dll_name : str, path or VehicleParameters
        The file of a library with RflySim's functions (``.so``), which is loaded into this process
        (`pyrfly.plugins.load`); or a set, what `pyrfly.load` takes, or the file name of a model of
        `RFLYSIM_MODELS` with or without folders and the ending ``.dll`` or ``.so``.

    Raises
    ------
    ParameterError
        When there is no such set, or the file is no model.
    """
    if isinstance(dll_name, VehicleParameters):
        return dll_name
    dll = os.fspath(dll_name)
    if dll.endswith(LIBRARY) and Path(dll).is_file():
        return plugins.load(dll)
    name = dll if dll.endswith(".toml") else set_of_model(dll)
    try:
        return vehicles.load(name)
    except ParameterError as error:
        known = ", ".join(RFLYSIM_MODELS)
        file = f"there is no file {printable(Path(dll))}, and " if dll.endswith(LIBRARY) else ""
        message = f"dll_name: {file}{error}; of RflySim's models there are {known}"
        raise ParameterError(message) from None


class DllModel:
    """One vehicle with the functions of RflySim's model DLLs.

    Vectors may be lists, tuples or arrays: missing numbers are 0, excess ones are cut off.
    Methods may be called from several threads.

    Parameters
    ----------
    dll_name : str, path or VehicleParameters
        See `parameters_of`.

    Attributes
    ----------
    sim : Sim
        The simulation; its only vehicle has CopterID 1 there.
    inFloatsCollision, inCtrlExt : list of float
        These inputs, as they were received last (20 and 140 numbers).

    Raises
    ------
    ParameterError
        When there is no such parameter set.
    """

    def __init__(self, dll_name: str | os.PathLike[str] | VehicleParameters) -> None:
        parameters = parameters_of(dll_name)
        step = parameters.step if isinstance(parameters, plugins.LibraryModel) else 0.0
        self.sim = Sim(parameters, 1, dt=max(1e-3, step))
        self._object_yaws = ObjectYaws(1)
        self.sim.enable_synthesis()
        self.sim.enable_part("free_inputs")
        self.sim.sensors.enable_all("rflysim")
        self._reader = wire.SensorReader(self.sim)
        self._actuators = Actuators(self.sim, channels_of, mixed=True)
        self._lock = threading.RLock()
        models = self.sim.groups[0].models
        self._own = models if models else None
        self._start_pos, self._start_euler = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
        self.inFloatsCollision = [0.0] * 20
        self.inCtrlExt = [0.0] * 140

    def DllGetStep0(self) -> float:
        """Return the length of a step [s]."""
        return self.sim.dt

    def Dllstep(self) -> None:
        """Take a step."""
        with self._lock:
            self.sim.step()

    def DllReInitModel(self) -> None:
        """Reset the vehicle to its start, at rest and disarmed, and the time to 0."""
        with self._lock:
            roll, pitch, yaw = self._start_euler
            self.sim.reset(pos=self._start_pos, roll=roll, pitch=pitch, yaw=yaw)

    def DllDestroyModel(self) -> None:
        """End the model; does nothing."""

    # --- inputs ---

    def DllInitPosAngState(
        self, init_pos_offset: Numbers = (0, 0, 0), init_ang_offset: Numbers = (0, 0, 0)
    ) -> None:
        """Set the start for the next `DllReInitModel`.

        Parameters
        ----------
        init_pos_offset : sequence of 3 floats
            Position [m, NED of the map].
        init_ang_offset : sequence of 3 floats
            Roll, pitch, yaw [rad]; on the ground only yaw takes effect.
        """
        with self._lock:
            self._start_pos = [float(v) for v in fill_list(init_pos_offset, 3)]
            self._start_euler = [float(v) for v in fill_list(init_ang_offset, 3)]

    def DllInitGpsPos(self, gps: Numbers = (0, 0, 0)) -> None:
        """Set latitude [deg], longitude [deg] and height [m] of the map's origin."""
        with self._lock:
            self.sim.origin = tuple(float(v) for v in fill_list(gps, 3))

    def DllGetInitInputs(self) -> list[float]:
        """Return what the actuators are commanded after a reset: 16 numbers, in their order."""
        return fill_list(self.sim.groups[0].parameters.initial_inputs, CHANNELS)

    def DllGetGpsPos(self) -> list[float]:
        """Return latitude [deg], longitude [deg] and height [m] of the map's origin."""
        with self._lock:
            return list(self.sim.origin)

    def DllTerrainIn15d(self, terrain15d: Numbers = (0,) * 15) -> None:
        """Set the ground below: 15 numbers with its height, slope, friction and motion.

        See `pyrfly.protocol.terrain.ground_of`; the yaw rate is that since the last call.

        Raises
        ------
        ValueError
            A number in use is non-finite, the height is more than the earth has, or the ground is
            faster than 100 m/s.
        """
        ground = ground_of([fill_list(terrain15d, 15)])
        if not plausible(ground).all():
            raise ValueError(
                f"terrain15d: expected finite numbers, a height within {HIGHEST:g} m and "
                f"velocities within {FASTEST:g} m/s, "
                f"got {terrain15d!r:.80}"
            )
        with self._lock:
            chosen = self.sim.select()
            columns = ground._asdict()
            yaw = columns.pop("object_yaw")
            turning = self._object_yaws.rates(np.zeros(1, np.intp), yaw, self.sim.time)
            columns["terrain_yaw_rate"] = turning
            write_ground(chosen, self.sim.enable_part, columns)

    def DllInputSILs(self, in_ints: Numbers = (0,) * 8, in_floats: Numbers = (0,) * 20) -> None:
        """Command the vehicle by the inputs ``inSILInts`` (8) and ``inSILFloats`` (20).

        Raises
        ------
        ValueError, OverflowError
            When an integer is non-finite or does not fit into 32 bits.
        """
        ints = [int(v) for v in fill_list(in_ints, 8)]
        if not all(-(2**31) <= v < 2**32 for v in ints):
            raise ValueError(f"in_ints: expected integers of 32 bits, got {ints}")
        with np.errstate(over="ignore"):  # infinite, as in the inputs
            floats = np.asarray(fill_list(in_floats, 20), np.float64).astype(np.float32)
        with self._lock:
            self.sim.command_sil(ints, floats)

    def DllInputDoubCtrls(self, in_doub_ctrls: Numbers = (0,) * 28) -> None:
        """Command the vehicle by 28 numbers: the two inputs of `DllInputSILs` sequentially.

        Raises the same as `DllInputSILs`.
        """
        numbers = fill_list(in_doub_ctrls, 28)
        with self._lock:
            self.DllInputSILs(numbers[:8], numbers[8:])
            if self._own is not None:
                self._own.put(0, "sil_doubles", np.asarray(numbers, np.float64))

    def DllinSIL28d(self, in_doub_ctrls: Numbers = (0,) * 28) -> None:
        """Do the same as `DllInputDoubCtrls`."""
        self.DllInputDoubCtrls(in_doub_ctrls)

    def DllInputPWMs(self, in_pwms: Numbers = (0,) * CHANNELS) -> None:
        """Command the actuators by 16 numbers, as PX4 does, and arm the vehicle.

        They are the channels of PX4's airframe (docs/px4.md), -1 to 1, of motors 0 to 1. The
        vehicle's own controllers rest until a command of `DllInputSILs`.

        Raises
        ------
        ValueError
            A number is not finite.
        """
        numbers = np.array(fill_list(in_pwms, CHANNELS), np.float64)
        if not np.isfinite(numbers).all():
            raise ValueError(f"in_pwms: expected finite numbers, got {in_pwms!r:.80}")
        with self._lock:
            self._actuators.set(0, numbers, armed=True)
            self._actuators.write()

    def DllInputColls(self, inCll: Numbers = (0,) * 20) -> None:
        """Report obstacles and hits by 20 numbers, `pyrfly.sim.rebound.Rebound.put`.

        Raises
        ------
        ValueError
            A number is not finite, or above 1e6.
        """
        numbers = [float(v) for v in fill_list(inCll, INPUTS)]
        with self._lock:
            self.sim.rebound.put(numbers)
        self.inFloatsCollision = numbers

    def DllinCollision20d(self, inCollision20d: Numbers = (0,) * 20) -> None:
        """Do the same as `DllInputColls`."""
        self.DllInputColls(inCollision20d)

    def DllInFromUE(self, in_from_ue: Numbers = (0,) * 32) -> None:
        """Set the column ``scene_inputs``: 32 numbers of RflySim3D, for the user."""
        self._set("scene_inputs", in_from_ue)

    @property
    def inFromUE(self) -> list[float]:
        """The column ``scene_inputs``, 32 numbers."""
        return self._get("scene_inputs")

    def DllInCopterData(self, in_copter_data: Numbers = (0,) * 32) -> None:
        """Set the column ``autopilot_inputs``: 32 numbers of the autopilot, for the user."""
        self._set("autopilot_inputs", in_copter_data)

    @property
    def inCopterData(self) -> list[float]:
        """The column ``autopilot_inputs``, 32 numbers."""
        return self._get("autopilot_inputs")

    def _set(self, column: str, numbers: Numbers) -> None:
        with self._lock:
            self.sim.select().write(column, [float(v) for v in fill_list(numbers, 32)])

    def _get(self, column: str) -> list[float]:
        with self._lock:
            values: list[float] = self.sim.select().read(column)[0].tolist()
        return values

    def DllInCtrlExt(self, in_ctrl_ext: Numbers = (0,) * 140) -> None:
        """Store the five further inputs of 28 numbers; those with faults inject them.

        Raises
        ------
        ValueError
            When a number is not finite.
        """
        numbers = np.asarray(fill_list(in_ctrl_ext, 140), np.float64)
        if not np.isfinite(numbers).all():
            raise ValueError("in_ctrl_ext: expected finite numbers")
        self.inCtrlExt = numbers.tolist()
        if self._own is not None:
            with self._lock:
                self._own.put(0, "extended", numbers)
            return
        number = np.arange(1, 6)
        action = Extension(np.ones(5, np.intp), number, numbers.reshape(5, 28), number == 5)
        with self._lock:
            for injection in Extensions(1).take(action):
                for _, text in done_in_part(self.sim, injection):
                    warn(text, CommandWarning)

    # --- parameters ---

    def DllFaultParamAPI(self, in_params: Numbers = (0,) * 32, bit_mask: int = -1) -> None:
        """Set ``FaultInParams``: 32 numbers, those whose bit is set (docs/parameters-by-number.md).

        Raises
        ------
        ValueError
            A number is not finite or out of the range of its parameter; then nothing is changed.

        Warns
        -----
        CommandWarning
            A number has no meaning for the vehicle; the others are set.
        """
        self._set_params("FaultInParams", in_params, bit_mask)

    def DllInitParamAPI(
        self, in_params: Numbers | Mapping[str, float] = (0,) * 32, bit_mask: int = -1
    ) -> None:
        """Set ``InitInParams``, for the next `DllReInitModel`, likewise, or those of names.

        Names are those of `pyrfly.sim.model_params.ModelParams.set`, such as ``"uavMass"``.
        """
        self._set_params("InitInParams", in_params, bit_mask)

    def DllDynModiParams(
        self, in_params: Numbers | Mapping[str, float] = (0,) * 64, bit_mask: int = -1
    ) -> None:
        """Set ``DynModiParams``, 64 numbers, at once, likewise, or those of names."""
        self._set_params("DynModiParams", in_params, bit_mask)

    def _set_params(
        self, interface: str, numbers: Numbers | Mapping[str, float], bit_mask: int
    ) -> None:
        values: Any = numbers
        if not isinstance(numbers, Mapping):
            values = given_to(bit_mask, fill_list(numbers, WIDTHS[interface]))
        with self._lock:
            for refused in self.sim.model_params.set(interface, values):
                warn(refused, CommandWarning)

    # --- outputs ---

    def DlloutVehileInfo60d(self) -> list[float]:
        """Return the state as 60 numbers, in the order of `Data3D`."""
        numbers = self._numbers("VehileInfo60d")
        return numbers[:STATE_FIELDS] + (self._told("motion") or numbers)[STATE_FIELDS:]

    def DlloutHILSensor30d(self) -> list[float]:
        """Return what the sensors measure; ``fields_updated`` says what is new since the last call.

        30 numbers, those of ``HILSensor30d`` of docs/protocol.md, with the noise of the profile
        ``rflysim`` (docs/sensors.md).
        """
        with self._lock:
            packets = self._reader.sensors("HILSensor30d")
        return self._told("sensor", "imu") or _doubles(packets)

    def DlloutHILGPS30d(self) -> list[float]:
        """Return the newest report of the satellite receiver: the 30 numbers of ``HILGPS30d``."""
        return self._told("gps", "gps") or self._numbers("HILGPS30d")

    def DllOutCopterData(self) -> list[float]:
        """Return the model's 32 free outputs; see `pyrfly.wire.pack`."""
        return self._packed("outCopterStruct", "outCopterData")

    def DllGetExtToUE4(self) -> list[float]:
        """Return 16 numbers for RflySim3D, the column ``display_outputs``; zeros without it."""
        return self._packed("ExtToUE4", "ExtToUE4")

    def DllGetExtToPX4(self) -> list[float]:
        """Return 16 numbers for PX4, the column ``autopilot_outputs``; zeros without it."""
        return self._packed("ExtToPX4", "ExtToPX4")

    def _told(self, port: str, sensor: str | None = None) -> list[float]:
        """Return an output as a model in a library tells it, of a sensor it has; or nothing."""
        if self._own is None or not (sensor is None or sensor in self._own.sensors):
            return []
        with self._lock:
            numbers: list[float] = self._own[0].port(port).tolist()
        return numbers

    def _packed(self, name: str, field: str) -> list[float]:
        with self._lock:
            data: list[float] = wire.pack(self.sim, name)[field][0].tolist()
        return data

    def _numbers(self, name: str) -> list[float]:
        with self._lock:
            packets = wire.pack(self.sim, name)
        return _doubles(packets)


def _doubles(packets: NDArray[np.void]) -> list[float]:
    numbers: list[float] = packets.view(np.float64).tolist()
    return numbers

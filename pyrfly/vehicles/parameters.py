"""Checked parameter sets: `VehicleParameters`; their columns: `scalar`, `as_columns`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import ParameterError, brief
from pyrfly.files import path_of
from pyrfly.protocol.px4_channels import CHANNELS
from pyrfly.scene.meshes import AXES, ENDINGS
from pyrfly.vehicles.hull import Hull
from pyrfly.vehicles.plausibility import Quantity

if TYPE_CHECKING:
    from pyrfly.vehicles.drawing_solids import MeshFile

__all__ = ["VehicleParameters", "as_columns", "scalar"]

Array = NDArray[np.float64]


def scalar(columns: Mapping[str, Array], name: str) -> float:
    """Return the first, or only, value of a column of one vehicle."""
    return float(columns[name][0])


def as_columns(values: Mapping[str, object]) -> dict[str, Array]:
    """Return values of one vehicle as columns, each of shape (width,), float64."""
    return {name: np.atleast_1d(np.array(value, np.float64)) for name, value in values.items()}


@dataclass(frozen=True, eq=False)
class VehicleParameters:
    """Checked parameter set, in the form of the columns of a batch.

    Attributes
    ----------
    name : str
        Name of the set.
    title : str
        Description in one line.
    family : str
        Name of its family, a key of `pyrfly.vehicles.FAMILIES`.
    uav_type : int or None
        RflySim's ``uavType``, or the ``display_class`` of its file (``ModelParam_3DType``); None
        for that of its kind, see `pyrfly.sim.group.Group.uav_type`.
    c_type : str
        Vehicle type of the core.
    actuator_count : int
        Number of actuators, such as the rotors of a multirotor; at most that of the C type.
    columns : dict of str to ndarray
        Values of one vehicle by column, shape (width,), float64, read-only, in the units of the
        columns.
    sources : dict of str to str
        Source of the values by column.
    notes : str
        Omissions and changes of the set; may be empty.
    checks : tuple of Quantity
        Numbers of its file, besides the columns, that tell whether it makes sense.
    airframes : tuple of VehicleParameters
        Of a mixed model: the airframes selected by ``inSILInts[2]``, all of the same C type. The
        other attributes are those of the first. Empty otherwise.
    layout : str or None
        Name of the places of the actuators, such as a rotor layout of
        `pyrfly.vehicles.multirotor.layouts`; None without a named one.
    px4_channels : tuple of int
        Channel of PX4, from 0, that drives each actuator, -1 for none; empty: those of its family.
    initial_inputs : tuple of float
        Commands of the actuators after a reset, ``ModelInit_Inputs``; empty: 0.
    starts : dict of str to ndarray
        Values of columns of a new vehicle, and after a reset, where they are not 0; as ``columns``.
    hull : Hull
        What it collides with: shapes of its file, or derived from its sizes as they were read.
        Without shapes, as of a set that was made without a file, `Family.hull` derives it.
    sizes : dict of str to tuple of float
        Sizes of its file beside the columns, by their entries in ``[hull]`` [m].
    mesh : MeshFile or None
        What it looks like, in place of what its family draws.
    """

    name: str
    title: str
    family: str
    uav_type: int | None
    c_type: str
    actuator_count: int
    columns: dict[str, Array] = field(repr=False)
    sources: dict[str, str] = field(repr=False)
    notes: str = field(repr=False, default="")
    checks: tuple[Quantity, ...] = field(repr=False, default=())
    airframes: tuple[VehicleParameters, ...] = field(repr=False, default=())
    layout: str | None = field(repr=False, default=None)
    px4_channels: tuple[int, ...] = field(repr=False, default=())
    initial_inputs: tuple[float, ...] = field(repr=False, default=())
    starts: dict[str, Array] = field(repr=False, default_factory=dict)
    hull: Hull = field(repr=False, default=Hull())
    sizes: dict[str, tuple[float, ...]] = field(repr=False, default_factory=dict)
    mesh: MeshFile | None = field(repr=False, default=None)

    def __post_init__(self) -> None:
        """Make the columns read-only."""
        for column in (*self.columns.values(), *self.starts.values()):
            column.flags.writeable = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a pickle or copy, whose arrays are not read-only."""
        vars(self).update(state)
        self.__post_init__()

    def length(self, entry: str, usual: float) -> float:
        """Return a size of its file that is one number [m], or else the usual one."""
        return self.sizes.get(entry, (usual,))[0]

    def with_initial_inputs(
        self, inputs: object, where: str = "initial_inputs"
    ) -> VehicleParameters:
        """Return the set with commands of its own for its actuators after a reset.

        Parameters
        ----------
        inputs : sequence of float
            Commands in the order of the actuators; the further ones are 0.
        where : str
            What error messages begin with.

        Raises
        ------
        ParameterError
            They are more than the actuators, or not numbers of -1 to 1.

        Examples
        --------
        >>> from pyrfly import Sim, load
        >>> Sim(load("x450").with_initial_inputs([0.1, 0.2])).throttle.tolist()
        [[0.1, 0.2, 0.0, 0.0]]
        """
        values = inputs if isinstance(inputs, (list, tuple)) else (None,)
        numbers = all(isinstance(one, (int, float)) for one in values)
        most = self.actuator_count
        if not (numbers and len(values) <= most and all(-1 <= one <= 1 for one in values)):
            raise ParameterError(
                f"{where}: expected up to {most} numbers of -1 to 1, in the order of the actuators "
                f"of {self.name!r}, got {brief(inputs)}"
            )
        return replace(self, initial_inputs=tuple(map(float, values)))

    def with_px4_channels(self, channels: object, where: str = "px4_channels") -> VehicleParameters:
        """Return the set with channels of PX4 of its own, such as those of an airframe.

        Parameters
        ----------
        channels : sequence of int
            Channel of HIL_ACTUATOR_CONTROLS for each actuator in their order, 0 to 15, each once;
            -1: none, it rests.
        where : str
            What error messages begin with.

        Raises
        ------
        ParameterError
            They are not as many as the actuators, or no such numbers.

        Examples
        --------
        >>> from pyrfly.vehicles import load
        >>> load("iris").with_px4_channels([3, 2, 1, 0]).px4_channels
        (3, 2, 1, 0)
        """
        numbers = channels if isinstance(channels, (list, tuple)) else ()
        whole = all(isinstance(one, int) and not isinstance(one, bool) for one in numbers)
        used = [one for one in numbers if one != -1]
        if not (
            whole
            and len(numbers) == self.actuator_count
            and all(0 <= one < CHANNELS for one in used)
            and len(set(used)) == len(used)
        ):
            raise ParameterError(
                f"{where}: expected {self.actuator_count} channels of 0 to {CHANNELS - 1}, each "
                f"once, or -1 for none, in the order of the actuators of {self.name!r}, got "
                f"{brief(channels)}"
            )
        return replace(self, px4_channels=tuple(numbers))

    def with_mesh(
        self,
        path: str | os.PathLike[str],
        *,
        scale: float = 1.0,
        axes: str | None = None,
        moving: bool = False,
        where: str = "mesh",
    ) -> VehicleParameters:
        """Return the set with a mesh of its own, in place of what its family draws.

        Parameters
        ----------
        path : str or path-like
            A file as `pyrfly.scene.read_mesh` takes it, whose origin is the centre of mass. It is
            read when the vehicle is drawn, in the base colours of a ``.glb`` or ``.gltf``.
        scale : float
            Metres that 1 of its lengths is.
        axes : {"flu", "enu", "gltf", "ned"}, optional
            What its axes are; by default glTF's for ``.glb`` and ``.gltf``, forward, left and up
            for the others. Those of the vehicle, forward, right and down, are ``"ned"``.
        moving : bool
            Whether what the family draws of rotors, surfaces and wheels is seen beside it.
        where : str
            What error messages begin with.

        Raises
        ------
        ParameterError
            There is no such file, or an argument is none of these.
        """
        from pyrfly.vehicles.drawing_solids import MeshFile  # what few vehicles have

        file = path_of(where, path)
        if file.suffix.lower() not in ENDINGS:
            ends = ", ".join(ENDINGS)
            raise ParameterError(
                f"{where}: expected a file that ends in {ends}, got {brief(str(file))}"
            )
        if not file.is_file():
            raise ParameterError(f"{where}: there is no file {brief(str(file))}")
        if isinstance(scale, bool) or not isinstance(scale, (int, float)) or not 0 < scale < inf:
            raise ParameterError(f"{where}: scale: expected a number above 0, got {brief(scale)}")
        if axes is not None and axes not in AXES:
            raise ParameterError(
                f"{where}: axes: expected one of {', '.join(AXES)}, got {brief(axes)}"
            )
        if not isinstance(moving, bool):
            raise ParameterError(f"{where}: moving: expected true or false, got {brief(moving)}")
        return replace(self, mesh=MeshFile(file.absolute(), float(scale), axes, moving))

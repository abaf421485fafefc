"""The C core of pyrfly."""

import mmap
import sys
from collections.abc import Sequence
from typing import Any, TypedDict, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

version: str
threads: int

def simd_info() -> dict[str, Any]:
    """Return the instruction set in use, its lane widths, and the available sets."""

def peak_gflops(precision: str, /) -> float:
    """Measure the multiply-add throughput of one core with the instruction set in use."""

_ColumnRow = tuple[str, int, str, str, str, str]

class _VehicleType(TypedDict):
    family: str
    doc: str
    actuators: int
    plain: bool
    extended: bool
    flies: bool
    guided: bool
    offboard: int
    columns: tuple[_ColumnRow, ...]

class _Part(TypedDict):
    doc: str
    extends: bool
    columns: tuple[_ColumnRow, ...]
    results: list[str]

def vehicle_types() -> dict[str, _VehicleType]:
    """Return {type: {family, doc, actuators, plain, extended, flies, guided, offboard,
    constants, columns}} of all vehicle types; offboard: the bits of inSILInts[1] that its
    guidance supports; constants: numbers by name that its sources compute with.
    """

def add_type(name: str, /) -> None:
    """Add a type of models of one's own to the vehicle types, unless it is there."""

def model_table(entry: int, /) -> dict[str, Any]:
    """Return {name, doc, actuators, columns, functions} of a model from the address of its
    pyrfly_model_entry; columns: ((name, unit, frame, doc, role, width, start), ...).
    """

def add_model(
    name: str,
    doc: str,
    columns: tuple[tuple[str, str, str, str, int, int], ...],
    functions: tuple[Any, Any, Any, Any, Any, Any],
    whole: bool,
    /,
) -> None:
    """Add the type of a model: columns as those of model_table, without start; functions:
    addresses of derivative, finish, outputs, control and sense, 0: none, and of their
    context; or the same in Python, None: none, and the numbers of rows by role; whole:
    whether a call has all vehicles.
    """

def set_model_functions(name: str, functions: tuple[Any, Any, Any, Any, Any, Any], /) -> None:
    """Give the type of a model other functions."""

def plugin_columns(
    headers: int, entry: int, /
) -> dict[str, tuple[tuple[str, int, str, str, str, str], ...]]:
    """Return {type: columns} of a family outside of the tree, which is not added; as columns of
    vehicle_types.
    """

def add_plugin(headers: int, entry: int, /) -> tuple[str, ...]:
    """Add the types of a family outside of the tree, by the addresses of the functions of its
    library; return their names.
    """

_Mesh = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]
_Lines = tuple[NDArray[Any], NDArray[Any], float]

def render(
    size: tuple[int, int],
    samples: int,
    camera: NDArray[Any],
    focal: float,
    sun: NDArray[Any],
    sky: NDArray[Any],
    haze: float,
    layers: tuple[_Mesh | _Lines, ...],
    kept: NDArray[Any] | None = None,
    /,
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return colours uint8 (height, width, 3), distances ahead float32 [m] (infinite: nothing)
    and ids int32 (-1: none) of the pixels of a picture. size: width and height; samples along
    each side of a pixel: 1 or 2; camera float64 (4, 3), NED: unit vectors to the right, down
    and ahead, the eye [m]; focal: its distance from the picture [pixels]; sun: unit vector to
    it; sky uint8 (2, 3): zenith, horizon; haze: where a fourth of a colour is the horizon's
    [m], 0: none. Layers, in the order of drawing: meshes (corners float32 (c, 3), triangles
    int32 (t, 3), colours and opacities uint8 (t, 4), places float64 (n, 12): matrices (3, 4)
    to NED, ids int32 (n,)), lines (ends float64 (m, 6), colours and opacities uint8 (m, 4),
    width [pixels]), water (level z [m], the way through it that leaves a fourth of a colour
    [m], colours uint8 (2, 4): of deep water, with the opacity of the surface seen flat, and
    of the surface, with that seen at right angles). kept: memory of all samples, uint32 (k,
    3), used picture after picture.
    """

def library_functions() -> list[str]:
    """Return the names of the functions of a library that are called."""

@final
class Library:
    """A model, by {name: address}, and what keeps them in memory."""

    per_step: int
    """Its steps per integrator step of a batch."""

    def __new__(cls, addresses: dict[str, int], owner: object, /) -> Library: ...
    @classmethod
    def isolated(
        cls,
        memory: mmap.mmap,
        to: int,
        come_from: int,
        limit_ms: int,
        process: int,
        owner: object,
        /,
    ) -> Library:
        """Return a model in another process, by the memory that both share, two pipes and its
        number, which is that of its group.
        """

    @property
    def exports(self) -> list[str]:
        """Names of the functions that it has."""

    @property
    def owner(self) -> Any:
        """What keeps its functions, or its process, alive."""

    @property
    def failure(self) -> str:
        """'' while it runs; of a process 'ended', 'late' or 'forked'."""

    @property
    def error(self) -> str:
        """Why its process could not load it."""

    @property
    def period(self) -> float:
        """Step of the model [s]."""

    @property
    def sensors(self) -> list[str]:
        """Names of the sensors that the model is."""

    def start(self) -> bool:
        """Start the model anew at start_pos, start_angles and origin; read its outputs. Return
        whether it runs.
        """

    def port(self, name: str, /) -> NDArray[Any]:
        """Return a view of the numbers of a port."""

def parts() -> dict[str, _Part]:
    """Return {part: {doc, extends, columns, results}} of all optional parts; results are the
    names of columns that the core alone writes.
    """

def tables() -> dict[str, Any]:
    """Return {table: ((name, value, RflySim's name, meaning), ...)} of bits, modes and indices;
    finite: ((command bits, offboard bits, first, count, open), ...) of the floats that must
    be finite; open: (command, any, all) bits where x and y of a position may be left open.
    """

def limits() -> dict[str, Any]:
    """Return {name: value} of the limits of the core, SI."""

def event_format() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return [(member, NumPy type), ...] of an event and of a row of it; their bytes follow two
    64-bit words, the numbers of both.
    """

def step(batches: tuple[Batch, ...], n: int, /) -> int:
    """Take n integrator steps with every batch of a tuple, in one run of the thread pool. Return
    how many are left: more than 0 where a safety boundary has ended the run.
    """

def refresh(batches: tuple[Batch, ...], /) -> None:
    """Compute anew what vehicles of a tuple of batches do to each other, without a step."""

def snapshot(batches: tuple[Batch, ...], /) -> list[bytes]:
    """Return the snapshots of a tuple of batches, all of one tick, as a list of bytes."""

def sincos(angle: ArrayLike, /) -> tuple[Any, Any]:
    """Return sine and cosine of angles [rad], with the same bits on every x86-64 processor."""

def arctan2(y: ArrayLike, x: ArrayLike, /) -> Any:
    """Return the angles [rad] of vectors, with the same bits on every x86-64 processor."""

TerrainGrid = tuple[NDArray[np.float64], tuple[float, float], tuple[float, float]]

def terrain_at(map: TerrainGrid, north: ArrayLike, east: ArrayLike, /) -> NDArray[np.float64]:
    """Return height, its change per metre north and east, shape (n, 3), of a map (heights,
    first, spacing), bilinear; outside of it those of the edge.
    """

def uniform(
    seed: int, stream: int, step: int, first: int, count: int, width: int, /
) -> NDArray[Any]:
    """Return uniform random numbers in [0, 1), shape (count, width), that depend on seed,
    vehicle, stream and step only.
    """

_WireField = tuple[str, str, int, str | None, float | None, list[str]]

def wire_pack(
    batch: Batch,
    name: str,
    first_id: int,
    vehicle_type: int,
    origin: tuple[float, float, float],
    out: NDArray[Any] | bytearray | memoryview,
    updated: NDArray[np.uint32] | None = ...,
    /,
) -> None:
    """Write the structure of that name for every vehicle of a batch into a buffer."""

def wire_structures() -> tuple[tuple[str, str, tuple[_WireField, ...]], ...]:
    """Return (name, port, fields) of every structure of wire_pack; a field is (name, number,
    count, meaning, constant, columns).
    """

def mavlink_crc(data: bytes, /) -> int:
    """Return the checksum that MAVLink's frames have, CRC-16/MCRF4XX."""

def mavlink_pack(
    message: tuple[int, int, int],
    system_ids: NDArray[np.uint8],
    sequences: NDArray[np.uint8],
    component_id: int,
    signature: tuple[int, int] | None,
    records: NDArray[np.uint8],
    rows: NDArray[np.int32],
    frames: NDArray[np.uint8],
    lengths: NDArray[np.int32],
    /,
) -> int:
    """Write a MAVLink frame of each record of a message (id, crc_extra, size); return the number
    of bytes.
    """

def mavlink_collect(
    frames: NDArray[np.uint8],
    starts: NDArray[np.int64],
    lengths: NDArray[np.int32],
    rows: NDArray[np.int32],
    order: NDArray[np.int64],
    limit: int,
    out: tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]],
    /,
) -> int:
    """Copy frames to datagrams, out: (bytes, starts, lengths, rows); return their number."""

def mavlink_split(
    data: bytes | bytearray | memoryview, known: NDArray[np.void], whole: bool, /
) -> tuple[list[tuple[int, int, int, int, bool, bytes]], int, int, int]:
    """Return the frames [(message_id, system_id, component_id, sequence, known, raw), ...] in
    received bytes, the position of the unread rest, and the numbers of skipped bytes and of
    bad checksums.
    """

if sys.platform != "win32":
    def net_send(
        sockets: NDArray[np.int32],
        first: NDArray[np.int64],
        to: NDArray[np.int64],
        rows: NDArray[np.int64],
        starts: NDArray[np.int64],
        lengths: NDArray[np.int64],
        data: NDArray[Any] | bytes | bytearray | memoryview,
        /,
    ) -> NDArray[np.int64]:
        """Send datagrams to all destinations of their rows; return how many packets of each
        could not be sent.
        """
    def net_receive(
        sockets: NDArray[np.int32],
        each: int,
        data: NDArray[np.uint8],
        indices: NDArray[np.int64],
        lengths: NDArray[np.int64],
        origins: NDArray[np.int64],
        /,
    ) -> int:
        """Receive at most that many datagrams of each socket into the arrays; return how many
        there are.
        """
    def net_refused(sockets: NDArray[np.int32], found: NDArray[np.int64], /) -> int:
        """Write to an array which destinations have refused packets of the sockets; return how
        many.
        """

@final
class Scene:
    """What stands in the world; it does not change."""

    def __new__(
        cls,
        kinds: NDArray[np.uint8],
        centers: NDArray[np.float64],
        rotations: NDArray[np.float64],
        half_sizes: NDArray[np.float64],
        friction: NDArray[np.float64],
        restitution: NDArray[np.float64],
        corners: NDArray[np.float64],
        owners: NDArray[np.int32],
        /,
    ) -> Scene: ...
    def raycast(
        self,
        origins: NDArray[np.float64],
        directions: NDArray[np.float64],
        each: int,
        reach: float,
        threads: int,
        /,
    ) -> NDArray[np.int32]:
        """Return shapes (-1: nothing met), and as the same bytes float32 distances [m]
        (infinite), of so many rays of each origin; ray i has direction i modulo their number.
        """

@final
class Relief:
    """A terrain map (heights, first, spacing) for rays."""

    def __new__(cls, map: TerrainGrid, /) -> Relief: ...

Movers = tuple[
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.float64],
]

def sight(
    scene: Scene | None,
    relief: Relief | None,
    levels: NDArray[np.float64],
    vehicles: Movers | None,
    ignored: NDArray[np.int32],
    origins: NDArray[np.float64],
    directions: NDArray[np.float64],
    each: int,
    reach: float,
    threads: int,
    /,
) -> tuple[NDArray[np.float32], NDArray[np.uint8], NDArray[np.int32]]:
    """Return distances [m], what is met (0 nothing, 1 a shape, 2 the ground, 3 a vehicle) and
    its number (-1) of so many rays of each origin; ray i has direction i modulo their number.
    levels: z of level ground at each origin [m], NaN: none. vehicles: positions, attitudes,
    hulls, ids, first shapes of hulls, and their shapes: centre, half sizes, radius. ignored:
    the id that rays of each origin do not see.
    """

@final
class Exclusive:
    """Context that one thread at a time can enter; a RuntimeError with the message otherwise. It
    enters ``within`` with it.
    """

    def __new__(cls, message: str, within: Exclusive | None = None) -> Exclusive: ...
    def __enter__(self) -> None: ...
    def __exit__(self, *args: object) -> None: ...
    @property
    def held(self) -> bool:
        """Whether the context is entered."""
    @property
    def mine(self) -> bool:
        """Whether this thread has entered it."""
    @property
    def entries(self) -> int:
        """How often it was entered."""

def tasks() -> dict[
    str, tuple[str, tuple[tuple[str, int, str, str, str], ...], tuple[str, ...], bool, bool]
]:
    """Return the description of every task."""

@final
class Env:
    """Vehicles of a Batch as learning environments (csrc/batch/env.h)."""

    def __new__(
        cls,
        batch: Batch,
        task: str,
        autoreset: str,
        substeps: int,
        actions: tuple[tuple[str | None, int, float, float, tuple[tuple[str, int], ...]], ...],
        attitude: str | None,
        random: tuple[tuple[str, int, str, float, float, int], ...],
        agents: int,
        gates: tuple[tuple[float, float, float, float], ...],
        action_delay: int,
        observation_delay: int,
        noise: tuple[float, ...] | None,
        centred: str | None = None,
        maximum: str | None = None,
        maximum_component: int = 0,
    ) -> Env: ...
    @property
    def observed(self) -> int:
        """Number of values of an observation."""
    def reset(self, chosen: NDArray[np.bool_] | None, observations: NDArray[np.float32], /) -> None:
        """Begin new episodes, of all or of those where the bool array is true."""
    def step(
        self,
        actions: NDArray[np.float32],
        observations: NDArray[np.float32],
        final_observations: NDArray[np.float32] | None,
        rewards: NDArray[np.float32],
        terminated: NDArray[np.bool_],
        truncated: NDArray[np.bool_],
        ends: NDArray[np.uint8],
        passed: NDArray[np.uint32] | None,
        /,
    ) -> None:
        """Take a step; fill the arrays, of float32, bool, uint8 and uint32."""

@final
class Batch:
    """Vehicles of one type, as columns of one buffer.

    One thread at a time may change a batch: a second concurrent step raises RuntimeError.
    Outputs and
    snapshots wait for a pause of the step, 50 ms at most for batches that step faster.
    """

    def __new__(
        cls,
        type: str,
        n: int,
        precision: str = "float64",
        integrator: str = "rk4",
        effects: str = "full",
        dt: float = 0.001,
        periods: dict[str, int] = ...,
        threads: int = ...,
    ) -> Batch: ...
    @property
    def type_name(self) -> str:
        """Name of the vehicle type."""
    @property
    def n(self) -> int:
        """Number of vehicles."""
    @property
    def precision(self) -> str:
        """'float64' or 'float32'."""
    @property
    def integrator(self) -> str:
        """'rk4' or 'euler'."""
    @property
    def effects(self) -> str:
        """'full' or 'plain'."""
    @property
    def threads(self) -> int:
        """Maximum number of threads of one step."""
    @property
    def dt(self) -> float:
        """Integrator step [s]."""
    @property
    def nbytes(self) -> int:
        """Memory of the columns [bytes]."""
    @property
    def layout_version(self) -> str:
        """Identifies the columns, a hexadecimal number."""
    @property
    def last_event(self) -> int:
        """Number of the last event, 0 without one."""
    tick: int
    controllers: bool
    def view(self, name: str, /) -> NDArray[Any]:
        """Return a column as an array of shape (n,) or (n, width): a view, or for an output a
        new array computed from the present state.
        """
    def fill(self, name: str, values: ArrayLike | Sequence[float], /) -> None:
        """Set a column of every vehicle to the same values."""
    def enable(self, part: str, /) -> None:
        """Enable a part of the vehicles, in its initial state; no effect if it is enabled."""
    def has(self, part: str, /) -> bool:
        """Return whether a part is enabled."""
    def release_navigator(self, vehicles: ArrayLike, /) -> None:
        """Set mode NONE: the navigators write no set-points until the next command."""
    def add_events(self, events: bytes, /) -> None:
        """Add events, as bytes (event_format), whose numbers are above last_event."""
    def set_events(self, events: bytes, /) -> None:
        """Replace all events by those of bytes, each in its state there."""
    def events(self) -> bytes:
        """Return all events as bytes."""
    def event_load(self) -> tuple[int, float]:
        """Return the values of all events, and those of ramps and repeats per step."""
    def restart_events(self, vehicles: ArrayLike, /) -> None:
        """Let events of vehicles begin anew, counted from the present tick."""
    def restart_offset(self, vehicles: ArrayLike, /) -> None:
        """Let a position offset in the body frame count from the present position."""
    def reset_part(self, part: str, vehicles: ArrayLike, /) -> None:
        """Reset an enabled part of vehicles to its initial state, except its settings."""
    def refresh(self, vehicles: ArrayLike, /) -> None:
        """Compute the environment of vehicles at their present states, without a step in time."""
    def like(self, n: int, /) -> Batch:
        """Return a new batch of n vehicles in float64 with the type, settings, origin and time
        of this one.
        """
    def accept(self, first: int, count: int, /) -> None:
        """Accept the commands in the inputs of these vehicles now."""
    def set_airframe(self, airframe: int, values: ArrayLike, /) -> None:
        """Set params and gains of an airframe (0 to 3) of a mixed model."""
    def set_origin(self, lat: float, lon: float, height: float, /) -> None:
        """Set the origin of the local frame [deg, deg, m]."""
    def set_relief(self, relief: Relief | None, /) -> None:
        """Set the terrain map for rays of sensors, a Relief, or None."""
    def set_libraries(self, libraries: tuple[Library, ...], /) -> None:
        """Set the models of vehicles that step themselves: a tuple, a Library for each."""

    def set_scene(self, scene: Scene | None, /) -> None:
        """Set what stands in the world, a Scene, or None."""

    def set_terrain_map(self, map: TerrainGrid | None, /) -> None:
        """Set the map below the vehicles whose on_terrain_map is 1: a tuple of a read-only array
        of heights [m], the (north, east) of the first [m] and the spacing [m]; or None.
        """
    def derivative(self) -> NDArray[Any]:
        """Return the time derivative of the present state as a new array of shape (n, width),
        the state columns in their order.
        """
    def snapshot(self) -> bytes:
        """Return everything that a step depends on, as bytes."""
    def restore(self, snapshot: bytes | memoryview, /) -> None:
        """Restore a snapshot of a batch of the same type, count and settings."""
    def check_snapshot(self, snapshot: bytes | memoryview, /) -> int:
        """Return the tick of a snapshot, or raise what restore would, without an effect."""

import sys
from collections.abc import Sequence
from typing import Any, TypedDict, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

version: str
threads: int

def simd_info() -> dict[str, Any]: ...
def peak_gflops(precision: str, /) -> float: ...

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

def vehicle_types() -> dict[str, _VehicleType]: ...
def parts() -> dict[str, _Part]: ...

_Table = tuple[tuple[str, int, str, str], ...]

class _Tables(TypedDict):
    command: _Table
    offboard: _Table
    frame: _Table
    setpoint: _Table
    fault: _Table
    effect: _Table
    mode: _Table
    vtol_state: _Table
    input: _Table
    finite: tuple[tuple[int, int, int, int, int], ...]
    open: tuple[int, int, int]

def tables() -> _Tables: ...
def limits() -> dict[str, Any]: ...
def event_format() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]: ...
def step(batches: tuple[Batch, ...], n: int, /) -> None: ...
def refresh(batches: tuple[Batch, ...], /) -> None: ...
def snapshot(batches: tuple[Batch, ...], /) -> list[bytes]: ...
def sincos(angle: ArrayLike, /) -> tuple[Any, Any]: ...
def arctan2(y: ArrayLike, x: ArrayLike, /) -> Any: ...

TerrainGrid = tuple[NDArray[np.float64], tuple[float, float], tuple[float, float]]

def terrain_at(map: TerrainGrid, north: ArrayLike, east: ArrayLike, /) -> NDArray[np.float64]: ...
def uniform(
    seed: int, stream: int, step: int, first: int, count: int, width: int, /
) -> NDArray[Any]: ...

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
) -> None: ...
def wire_structures() -> tuple[tuple[str, str, tuple[_WireField, ...]], ...]: ...
def mavlink_crc(data: bytes, /) -> int: ...
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
) -> int: ...
def mavlink_collect(
    frames: NDArray[np.uint8],
    starts: NDArray[np.int64],
    lengths: NDArray[np.int32],
    rows: NDArray[np.int32],
    order: NDArray[np.int64],
    limit: int,
    out: tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]],
    /,
) -> int: ...
def mavlink_split(
    data: bytes | bytearray | memoryview, known: NDArray[np.void], whole: bool, /
) -> tuple[list[tuple[int, int, int, int, bool, bytes]], int, int, int]: ...

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
    ) -> NDArray[np.int64]: ...
    def net_receive(
        sockets: NDArray[np.int32],
        each: int,
        data: NDArray[np.uint8],
        indices: NDArray[np.int64],
        lengths: NDArray[np.int64],
        origins: NDArray[np.int64],
        /,
    ) -> int: ...
    def net_refused(sockets: NDArray[np.int32], found: NDArray[np.int64], /) -> int: ...

@final
class Exclusive:
    def __new__(cls, message: str, within: Exclusive | None = None) -> Exclusive: ...
    def __enter__(self) -> None: ...
    def __exit__(self, *args: object) -> None: ...
    @property
    def held(self) -> bool: ...
    @property
    def mine(self) -> bool: ...
    @property
    def entries(self) -> int: ...

def tasks() -> dict[
    str, tuple[str, tuple[tuple[str, int, str, str, str], ...], tuple[str, ...], bool, bool]
]: ...

@final
class Env:
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
    def observed(self) -> int: ...
    def reset(
        self, chosen: NDArray[np.bool_] | None, observations: NDArray[np.float32], /
    ) -> None: ...
    def step(
        self,
        actions: NDArray[np.float32],
        observations: NDArray[np.float32],
        final_observations: NDArray[np.float32] | None,
        rewards: NDArray[np.float32],
        terminated: NDArray[np.bool_],
        truncated: NDArray[np.bool_],
        passed: NDArray[np.uint32] | None,
        /,
    ) -> None: ...

@final
class Batch:
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
    def type_name(self) -> str: ...
    @property
    def n(self) -> int: ...
    @property
    def precision(self) -> str: ...
    @property
    def integrator(self) -> str: ...
    @property
    def effects(self) -> str: ...
    @property
    def threads(self) -> int: ...
    @property
    def dt(self) -> float: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def layout_version(self) -> str: ...
    @property
    def last_event(self) -> int: ...
    tick: int
    controllers: bool
    def view(self, name: str, /) -> NDArray[Any]: ...
    def fill(self, name: str, values: ArrayLike | Sequence[float], /) -> None: ...
    def enable(self, part: str, /) -> None: ...
    def has(self, part: str, /) -> bool: ...
    def release_navigator(self, vehicles: ArrayLike, /) -> None: ...
    def add_events(self, events: bytes, /) -> None: ...
    def set_events(self, events: bytes, /) -> None: ...
    def events(self) -> bytes: ...
    def event_load(self) -> tuple[int, float]: ...
    def restart_events(self, vehicles: ArrayLike, /) -> None: ...
    def restart_offset(self, vehicles: ArrayLike, /) -> None: ...
    def reset_part(self, part: str, vehicles: ArrayLike, /) -> None: ...
    def refresh(self, vehicles: ArrayLike, /) -> None: ...
    def like(self, n: int, /) -> Batch: ...
    def accept(self, first: int, count: int, /) -> None: ...
    def set_airframe(self, airframe: int, values: ArrayLike, /) -> None: ...
    def set_origin(self, lat: float, lon: float, height: float, /) -> None: ...
    def set_terrain_map(self, map: TerrainGrid | None, /) -> None: ...
    def derivative(self) -> NDArray[Any]: ...
    def snapshot(self) -> bytes: ...
    def restore(self, snapshot: bytes | memoryview, /) -> None: ...
    def check_snapshot(self, snapshot: bytes | memoryview, /) -> int: ...

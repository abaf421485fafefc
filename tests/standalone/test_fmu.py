"""Exported FMUs: what a host calls, and what a simulator of the registry makes of them."""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import pyrfly
from pyrfly.standalone import export_model

pytestmark = pytest.mark.skipif(
    os.name == "nt" or shutil.which(shlex.split(os.environ.get("CC", "cc"))[0]) is None,
    reason="there is no C compiler",
)

START = [1.0, 2.0, -5.0]
TAKE_OFF = [7 | 1 << 8, *[0] * 7]
UP = [0.0] * 2 + [-9.0] + [0.0] * 17
NUMBERS = {"Float64": np.float64, "Int32": np.int32, "UInt32": np.uint32}


class Host:
    """Calls an FMU as the standard says."""

    def __init__(self, fmu: Path, folder: Path) -> None:
        with zipfile.ZipFile(fmu) as archive:
            archive.extractall(folder)
        self.root = ElementTree.parse(folder / "modelDescription.xml").getroot()
        self.variables = {one.get("name"): one for one in self.root.findall("ModelVariables/*")}
        name = self.root.find("CoSimulation").get("modelIdentifier")
        self.library = ctypes.CDLL(os.fspath(next(folder.glob(f"binaries/*-*/{name}.*"))))
        self.library.fmi3InstantiateCoSimulation.restype = ctypes.c_void_p
        self.told: list[bytes] = []
        kind = ctypes.CFUNCTYPE(
            None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p
        )
        self.log = kind(lambda _, __, ___, message: self.told.append(message))
        self.instance = self.instantiate(self.root.get("instantiationToken"))

    def instantiate(self, token: str) -> ctypes.c_void_p | None:
        false, true, null = ctypes.c_bool(False), ctypes.c_bool(True), ctypes.c_void_p()
        made = self.library.fmi3InstantiateCoSimulation(
            *(b"one", token.encode(), null, false, true, false, false, null),
            *(ctypes.c_size_t(0), null, self.log, null),
        )
        return ctypes.c_void_p(made) if made else None

    def call(self, name: str, *arguments: object) -> int:
        return int(getattr(self.library, name)(self.instance, *arguments))

    def access(self, verb: str, name: str, values: np.ndarray) -> int:
        own = self.variables[name]
        reference = ctypes.c_uint32(int(own.get("valueReference")))
        pointer = values.ctypes.data_as(ctypes.c_void_p)
        size = ctypes.c_size_t(values.size)
        one = ctypes.c_size_t(1)
        return self.call(f"fmi3{verb}{own.tag}", ctypes.byref(reference), one, pointer, size)

    def get(self, name: str) -> np.ndarray:
        own = self.variables[name]
        dimension = own.find("Dimension")
        width = 1 if dimension is None else int(dimension.get("start"))
        values = np.zeros(width, NUMBERS[own.tag])
        assert self.access("Get", name, values) == 0
        return values

    def set(self, name: str, values: object) -> int:
        own = self.variables[name]
        return self.access("Set", name, np.array(values, NUMBERS[own.tag]).reshape(-1))

    def initialize(self) -> None:
        false, zero = ctypes.c_bool(False), ctypes.c_double(0)
        entered = self.call("fmi3EnterInitializationMode", false, zero, zero, false, zero)
        assert (entered, self.call("fmi3ExitInitializationMode")) == (0, 0)

    def step(self, time: float, length: float) -> int:
        flags = (ctypes.c_bool * 3)()
        places = [ctypes.byref(flags, k) for k in range(3)]
        last = ctypes.c_double()
        double = ctypes.c_double
        return self.call(
            "fmi3DoStep", double(time), double(length), ctypes.c_bool(True), *places,
            ctypes.byref(last),
        )  # fmt: skip


@pytest.fixture(scope="module")
def fmu(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("an fmu")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CFLAGS", "-O0 -Wall -Wextra -Werror")
        yield export_model("x450", folder / "x450.fmu")[0]


def flown(seconds: float) -> pyrfly.Sim:
    sim = pyrfly.Sim("x450")
    sim.enable_synthesis()
    sim.wind[:] = [1, 0, 0]
    sim.reset(pos=START, yaw=0.5)
    sim.command_sil(TAKE_OFF, UP)
    sim.step(round(seconds * 1000))
    return sim


@pytest.mark.slow
def test_a_host_flies_it_as_a_sim_does(fmu: Path, tmp_path: Path) -> None:
    host = Host(fmu, tmp_path)
    for name, values in {
        "start_pos": START,
        "start_angles": [0, 0, 0.5],
        "wind": [1, 0, 0],
        "sil_ints": TAKE_OFF,
        "sil_floats": UP,
    }.items():
        assert host.set(name, values) == 0
    host.initialize()
    np.testing.assert_allclose(host.get("pos"), START)
    for k in range(200):
        assert host.step(k * 0.01, 0.01) == 0
    sim = flown(2)
    assert host.get("time")[0] == pytest.approx(2)
    np.testing.assert_allclose(host.get("pos"), sim.pos[0], atol=1e-6)
    np.testing.assert_allclose(host.get("specific_force"), sim.specific_force[0], atol=1e-5)
    assert host.get("armed")[0] == 1
    assert sim.pos[0, 2] < START[2] - 0.2


@pytest.mark.slow
def test_a_state_is_saved_and_goes_on(fmu: Path, tmp_path: Path) -> None:
    host = Host(fmu, tmp_path)
    host.set("start_pos", [0, 0, -50])
    host.initialize()
    state, ends = ctypes.c_void_p(), []
    host.step(0, 0.1)
    assert host.call("fmi3GetFMUState", ctypes.byref(state)) == 0
    for _ in range(2):
        assert host.step(0.1, 0.4) == 0
        ends.append(host.get("pos").tobytes())
        assert host.call("fmi3SetFMUState", state) == 0
    assert ends[0] == ends[1]
    assert host.call("fmi3FreeFMUState", ctypes.byref(state)) == 0
    assert host.call("fmi3Reset") == 0
    assert host.get("time")[0] == 0
    host.library.fmi3FreeInstance(host.instance)


def test_what_the_standard_forbids_is_an_error_in_words(fmu: Path, tmp_path: Path) -> None:
    host = Host(fmu, tmp_path)
    host.initialize()
    assert host.instantiate("{other}") is None
    assert host.step(0, 0.0015) == 3
    assert host.set("pos", [0, 0, 0]) == 3
    assert host.access("Get", "att", np.zeros(3)) == 3
    assert host.call("fmi3EnterEventMode") == 3
    words = b"; ".join(host.told).decode()
    for part in ("token", "multiple", "computed", "as many values", "fmi3EnterEventMode"):
        assert part in words


def test_an_instance_lives_as_the_standard_says(fmu: Path, tmp_path: Path) -> None:
    host = Host(fmu, tmp_path)
    assert host.step(0, 0.001) == 3
    assert host.get("pos").tolist() != START
    assert host.set("start_pos", START) == 0
    assert host.call("fmi3ExitInitializationMode") == 3
    assert host.call("fmi3Terminate") == 3
    host.initialize()
    assert host.get("pos").tolist() == START
    assert host.set("start_pos", [0, 0, 0]) == 3
    false, zero = ctypes.c_bool(False), ctypes.c_double(0)
    assert host.call("fmi3EnterInitializationMode", false, zero, zero, false, zero) == 3
    assert host.step(0, 0.01) == 0
    assert host.step(0, 0.01) == 3
    assert host.get("time")[0] == pytest.approx(0.01)
    assert host.set("mass", 2) == 0
    assert host.call("fmi3Terminate") == 0
    assert host.set("mass", 1) == 3
    assert host.step(0.01, 0.01) == 3
    assert host.get("mass")[0] == 2
    words = b"; ".join(host.told).decode()
    for part in ("not in step mode", "is fixed", "communication point", "terminated", "already"):
        assert part in words


@pytest.mark.parametrize(
    ("name", "values"),
    [("start_pos", [0, 0, np.nan]), ("mass", -1), ("mass", np.nan), ("wind", [np.inf, 0, 0])],
)
def test_numbers_out_of_range_are_not_set(
    name: str, values: object, fmu: Path, tmp_path: Path
) -> None:
    host = Host(fmu, tmp_path)
    before = host.get(name)
    assert host.set(name, values) == 3
    assert host.told[-1].decode().startswith(f"{name}: expected finite numbers")
    assert host.get(name).tolist() == before.tolist()


def test_commands_with_nan_are_for_the_navigator_to_ignore(fmu: Path, tmp_path: Path) -> None:
    assert Host(fmu, tmp_path).set("sil_floats", [np.nan] * 20) == 0


def test_more_values_than_the_variables_have_are_an_error(fmu: Path, tmp_path: Path) -> None:
    host = Host(fmu, tmp_path)
    values = np.full(9, 7.0)
    assert host.access("Get", "pos", values) == 3
    assert (values == 7).all()


def test_a_simulator_of_the_registry_takes_it(fmu: Path) -> None:
    fmpy = pytest.importorskip("fmpy", reason="needs fmpy")
    validation = pytest.importorskip("fmpy.validation")
    assert validation.validate_fmu(os.fspath(fmu)) == []
    start = {"start_pos": START, "start_angles": [0, 0, 0.5], "wind": [1, 0, 0]}
    start |= {"sil_ints": TAKE_OFF, "sil_floats": UP}
    told = {name: " ".join(map(str, values)) for name, values in start.items()}
    result = fmpy.simulate_fmu(
        os.fspath(fmu),
        stop_time=2,
        output_interval=0.01,
        start_values=told,
        output=["pos", "status"],
    )
    np.testing.assert_allclose(result["pos"][-1], flown(2).pos[0], atol=1e-6)
    assert not result["status"].any()

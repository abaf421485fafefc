"""Exported vehicles: they fly as the built-in ones, and need nothing of pyrfly."""

from __future__ import annotations

import importlib.util
import os
import platform
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pyrfly
from pyrfly import plugins
from pyrfly.cli import main
from pyrfly.errors import Error
from pyrfly.standalone import export_model
from pyrfly.vehicles import FAMILIES, load, names

TWINS = Path(__file__).with_name("twins.py")
COMPILER = shlex.split(os.environ.get("CC", "cc"))
STRICT = ("-O0", "-Wall", "-Wextra", "-Werror")

needs_a_compiler = pytest.mark.skipif(
    os.name == "nt" or shutil.which(COMPILER[0]) is None, reason="there is no C compiler"
)


def a_set_of_each_type() -> list[tuple[str, bool]]:
    """Return the first set of every type, with controllers; and without of every family."""
    found: dict[str, tuple[str, bool]] = {}
    for family in FAMILIES:
        for name in names(family):
            vehicle = load(name)
            if not vehicle.airframes:
                found.setdefault(vehicle.c_type, (name, True))
                found.setdefault(f"a {family} by itself", (name, False))
    return list(found.values())


def same_bits(library: Path, name: str, controller: bool) -> None:
    """Fly both in another process, where the instruction set has the same bits everywhere."""
    done = subprocess.run(
        [sys.executable, os.fspath(TWINS), os.fspath(library), name, str(controller)],
        env={**os.environ, "PYRFLY_SIMD": "strict"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{name}: {done.stdout}{done.stderr}"


def exported(folder: Path, name: str, controller: bool, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CFLAGS", shlex.join(STRICT))
    (library,) = export_model(name, folder / f"{name}.so", controller=controller)
    return library


on_x86 = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64"), reason="other processors have other bits"
)


@needs_a_compiler
@on_x86
@pytest.mark.slow
@pytest.mark.parametrize(("name", "controller"), a_set_of_each_type())
def test_a_vehicle_of_every_type_flies_as_the_built_in_one(
    name: str, controller: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    same_bits(exported(tmp_path, name, controller, monkeypatch), name, controller)


@pytest.mark.slow
@needs_a_compiler
@pytest.mark.parametrize(("profile", "noisy"), [("px4_sih", True), ("ideal", False)])
def test_sensors_of_a_library_have_the_white_noise_of_a_profile(
    profile: str, noisy: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CFLAGS", "-O0")
    (library,) = export_model("x450", tmp_path / "x450.so", sensors=profile)
    sim, ours = pyrfly.Sim({plugins.load(library): 1}), pyrfly.Sim("x450")
    sim.sensors.enable("imu", "magnetometer", "barometer", "gps", profile="ideal")
    ours.environment.enable("magnetic", "atmosphere")
    columns = ("imu_accel", "imu_gyro", "magnetometer", "barometer_pressure", "gps_pos")
    measured: dict[str, list[object]] = {name: [] for name in columns}
    for _ in range(300):
        sim.step(10)
        for name in columns:
            measured[name].append(sim.groups[0].view(name)[0].copy())
    ours.step(1)
    truth = {
        "imu_accel": (ours.specific_force[0], 0.00637 * 1000**0.5),
        "imu_gyro": (np.zeros(3), 8.726646e-4 * 1000**0.5),
        "magnetometer": (ours.magnetic_field[0], 4e-8 * 1000**0.5),
        "barometer_pressure": (ours.air_pressure[0], 1.0),
        "gps_pos": (np.zeros(3), np.array([0.2, 0.2, 0.5])),
    }
    for name, (true, deviation) in truth.items():
        values = np.array(measured[name])
        size = deviation if noisy else 0
        # a GPS report lasts for ten of the samples
        np.testing.assert_allclose(values.mean(0), true, atol=1e-6 + np.max(size), err_msg=name)
        np.testing.assert_allclose(values.std(0), size, rtol=0.6, atol=1e-3, err_msg=name)


PROGRAM = """
#include <math.h>
#include <stdio.h>
#include "NAME.h"

int main(void)
{
    static NAME v, other;
    NAME_output out;
    const double pos[3] = {1, 2, -3}, angles[3] = {0.1, -0.2, 0.3};
    int width = 0;
    NAME_init(&v);
    NAME_init(&other);
    *NAME_value(&v, "mass", &width) *= 1.25;
    v.wind[0] = 4;
    NAME_reset(&v, pos, angles);
    for (int i = 0; i < 1500; i++) NAME_step(&v, NAME_DT_);
    for (int i = 0; i < 3; i++) {
        const double refused[3] = {-0.001, 0, NAN};
        if (NAME_step(&v, refused[i]) != UINT32_MAX) return 1;
    }
    NAME_outputs(&v, &out);
    printf("%d %d", width, NAME_value(&v, "no such", &width) == NULL);
    for (int i = 0; i < 3; i++) printf(" %a", v.pos[i]);
    for (int i = 0; i < 3; i++) printf(" %a", out.euler[i]);
    printf(" %a\\n", other.pos[2]);
    return 0;
}
"""


@pytest.mark.slow
@needs_a_compiler
def test_a_folder_of_source_is_all_that_a_program_needs(tmp_path: Path) -> None:
    folder = tmp_path / "a model"
    files = export_model("x450", folder)
    assert [one.name for one in files] == ["x450.h", "x450.c"]
    text = PROGRAM.replace("NAME_DT_", "X450_DT").replace("NAME", "x450")
    (folder / "main.c").write_text(text)
    checked = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    subprocess.run(
        [*COMPILER, "-std=c99", *STRICT, "-Wpedantic", *checked, "main.c", "x450.c", "-lm"],
        cwd=folder,
        check=True,
    )
    told = subprocess.run([folder / "a.out"], check=True, capture_output=True, text=True).stdout
    width, none, *numbers = told.split()
    values = [float.fromhex(one) for one in numbers]
    sim = pyrfly.Sim("x450")
    sim.controllers = False
    sim.mass[:] *= 1.25
    sim.wind[:] = [4, 0, 0]
    sim.reset(pos=[1, 2, -3], yaw=0.3, roll=0.1, pitch=-0.2)
    sim.step(1500)
    assert (width, none) == ("1", "1")
    assert values[:3] == pytest.approx(sim.pos[0].tolist(), abs=1e-9)
    assert values[3:6] == pytest.approx(sim.euler[0].tolist(), abs=1e-9)
    assert values[6] == 0
    assert sim.pos[0, 0] > 1.001  # the wind has moved it


@pytest.mark.slow
def test_a_parameter_set_of_ones_own_is_exported(tmp_path: Path) -> None:
    known = load("x450")
    heavier = {**known.columns, "mass": np.array([3.0])}
    header, source = export_model(replace(known, name="my-quad", columns=heavier), tmp_path)
    assert (header.name, source.name) == ("my_quad.h", "my_quad.c")
    assert ".mass = 3.0, /* kg */" in source.read_text()


@pytest.mark.slow
def test_the_same_vehicle_has_the_same_source(tmp_path: Path) -> None:
    first = [path.read_bytes() for path in export_model("x450", tmp_path / "1")]
    assert [path.read_bytes() for path in export_model("x450", tmp_path / "2")] == first


@pytest.mark.slow
def test_an_earlier_export_is_replaced_beside_other_files(tmp_path: Path) -> None:
    export_model("x450", tmp_path)
    (tmp_path / "main.c").write_text("")
    _, source = export_model("x450", tmp_path, controller=False)
    assert "x450_command" not in source.read_text()
    source.write_text("my own")
    with pytest.raises(Error, match="with other files"):
        export_model("x450", tmp_path)
    assert source.read_text() == "my own"


@pytest.mark.slow
@needs_a_compiler
def test_an_exported_library_is_known_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CFLAGS", "-O0 -s")
    library = tmp_path / "x450.so"
    for controller in (True, False):
        assert export_model("x450", library, controller=controller) == [library]


def refusal(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Return what the program says of bad input."""
    assert main(["export-model", *map(str, arguments)]) == 2
    return capsys.readouterr().err


def test_bad_input_is_refused_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a file").write_text("")
    (tmp_path / "other.so").write_text("of another one")
    (tmp_path / "folder.so").mkdir()
    assert "unknown name 'x45'; try x450" in refusal(capsys, "x45", "-o", tmp_path / "x.so")
    assert ".so, .fmu, .dll or none for a folder" in refusal(
        capsys, "x450", "-o", tmp_path / "x.exe"
    )
    assert "expected a folder" in refusal(capsys, "x450", "-o", tmp_path / "a file")
    for nameless in ("", ".", ".so"):
        assert "expected the name" in refusal(capsys, "x450", "-o", nameless)
    assert "with other files" in refusal(capsys, "x450", "-o", tmp_path)
    assert "an earlier export" in refusal(capsys, "x450", "-o", tmp_path / "other.so")
    assert "a folder that exists" in refusal(capsys, "x450", "-o", tmp_path / "x" / "x.so")
    assert "expected a file" in refusal(capsys, "x450", "-o", tmp_path / "folder.so")
    assert "expected one vehicle" in refusal(capsys, "mixed", "-o", tmp_path / "x")
    below = tmp_path / "a file" / "x.so"
    assert "expected a folder" in refusal(capsys, "x450", "-o", below)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    assert "apt install gcc" in refusal(capsys, "x450", "-o", tmp_path / "x.so")
    monkeypatch.setenv("CC", "no-such-compiler -m64")
    assert "no-such-compiler" in refusal(capsys, "x450", "-o", tmp_path / "x.so")
    monkeypatch.setenv("CC", "cc 'bad")
    assert "CC: expected words" in refusal(capsys, "x450", "-o", tmp_path / "x.so")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "pip install ziglang" in refusal(capsys, "x450", "-o", tmp_path / "x.dll")
    assert not list(tmp_path.glob("x*"))


@pytest.mark.slow
def test_a_dll_has_the_functions_of_rflysim(tmp_path: Path) -> None:
    mingw = shutil.which("x86_64-w64-mingw32-gcc") is not None
    if not mingw and importlib.util.find_spec("ziglang") is None:
        pytest.skip("there is no compiler for Windows: MinGW-w64 or ziglang")
    (path,) = export_model("x450", tmp_path / "x450.dll")
    data = path.read_bytes()
    assert data[:2] == b"MZ"
    for name in (b"Dllstep", b"DllReInitModel", b"DlloutVehileInfo60d", b"x450.dll"):
        assert b"\0" + name + b"\0" in data


@pytest.mark.slow
@needs_a_compiler
def test_what_the_compiler_says_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CFLAGS", "-O2 'bad")
    assert "CFLAGS: expected words" in refusal(capsys, "x450", "-o", tmp_path / "x.so")
    monkeypatch.setenv("CFLAGS", "-Dmain=1 --no-such-option")
    assert "failed:" in refusal(capsys, "x450", "-o", tmp_path / "x.so")
    assert not list(tmp_path.iterdir())

"""The vehicles that options and start scripts name, models in libraries among them."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import pytest

from pyrfly import ParameterError
from pyrfly.plugins import LibraryModel
from pyrfly.server.arguments import add_arguments
from pyrfly.server.fleet import Fleet, fleet_of
from pyrfly.server.scripts.reader import read_start_script
from pyrfly.server.scripts.settings import start_settings
from pyrfly.server.scripts.variables import Variable
from pyrfly.transport import OptionError

Build = Callable[[str], Path]


def fleet(*arguments: str, script: Path | None = None, **variables: str) -> Fleet:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    options = parser.parse_args([*arguments, "--dll-in-process"])
    if not any("dll" in argument for argument in arguments) and script is None:
        options.dll_in_process = None
    if script is not None:
        return fleet_of(options, read_start_script(script, variables))
    return fleet_of(options, start_settings({k: Variable(v, 0) for k, v in variables.items()}))


@pytest.mark.parametrize(
    ("words", "variables", "expected"),
    [
        (["--dll", "ports"], {}, {"ports": 1}),
        (["--dll", "ports:3"], {"TOTOAL_COPTER": "5"}, {"ports": 3}),
        (["--dll", "ports"], {"TOTOAL_COPTER": "5"}, {"ports": 5}),
        (["--dll", "ports:2", "--dll", "legacy"], {}, {"ports": 2, "legacy": 1}),
        (["--dll", "ports:2", "--vehicles", "x450:3,sdk"], {}, {"x450": 3, "sdk": 1, "ports": 2}),
    ],
)
def test_libraries_and_sets_fly_together(
    build: Build, words: list[str], variables: dict[str, str], expected: dict[str, int]
) -> None:
    named = [
        str(build(w.partition(":")[0])) + w[len(w.partition(":")[0]) :]
        if words[k - 1] == "--dll"
        else w
        for k, w in enumerate(words)
    ]
    made = fleet(*named, **variables)
    assert dict(zip(made.names, made.counts.values(), strict=True)) == expected


def test_the_step_is_that_of_the_slowest_model(build: Build) -> None:
    assert fleet("--dll", str(build("quadrotor"))).dt == 1e-3
    assert fleet("--dll", str(build("slow"))).dt == 4e-3


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (["--dll", "absent.so"], ParameterError, r"absent\.so: .*there is none"),
        (["--vehicles", "sdk:4999", "--dll", "PORTS:2"], OptionError, "at most 5000 vehicles"),
    ],
)
def test_what_cannot_be_is_named(
    build: Build, arguments: list[str], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        fleet(*(a.replace("PORTS", str(build("ports"))) for a in arguments))


def test_in_process_needs_a_library() -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    options = parser.parse_args(["--dll-in-process"])
    with pytest.raises(OptionError, match="--dll-in-process: expected none without a library"):
        fleet_of(options, start_settings({}))


@pytest.fixture
def folder(build: Build, tmp_path: Path) -> Path:
    """Return a folder with start scripts, and libraries that have names of sets, too."""
    for name in ("mine.so", "x450.so"):
        (tmp_path / name).write_bytes(build("ports").read_bytes())
    for model in ("mine.so", "x450.so", "mine", "x450", "other.so", "mine.dll"):
        script = tmp_path / f"{model.replace('.', '_')}.sh"
        script.write_text(f"#!/bin/sh\nDLLModel={model}\nVehicleNum=2\nCLASS_3D_ID=60\n")
    return tmp_path


@pytest.mark.parametrize(
    ("script", "name"), [("mine_so", "mine"), ("x450_so", "x450")], ids=["model", "name of a set"]
)
def test_a_script_names_a_library_by_its_file(folder: Path, script: str, name: str) -> None:
    made = fleet(script=folder / f"{script}.sh")
    ((model, count),) = made.counts.items()
    assert isinstance(model, LibraryModel)
    assert (model.name, model.path.parent, count, model.uav_type) == (name, folder, 2, 60)


@pytest.mark.parametrize(
    ("script", "vehicle", "note"),
    [
        ("mine", "sdk", "a library is named by its file"),
        ("x450", "x450", ""),
        ("other_so", "sdk", "there is no such file"),
        ("mine_dll", "sdk", "a DLL of Windows cannot be loaded here"),
    ],
)
def test_no_library_is_loaded_because_it_lies_beside_a_script(
    folder: Path, script: str, vehicle: str, note: str
) -> None:
    settings = read_start_script(folder / f"{script}.sh")
    assert (settings.library, settings.vehicle) == (None, vehicle)
    assert note in "".join(map(str, settings.notes))


def test_a_library_of_the_command_line_counts_from_the_working_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {"DLLModel": Variable("mine.so", 0)}
    assert start_settings(given, folder=folder).library is None
    monkeypatch.chdir(folder)
    assert start_settings(given, folder=Path("/")).library == Path("mine.so")
    assert read_start_script(folder / "mine.sh", {"DLLModel": "mine.so"}).library is not None


def test_options_go_before_the_library_of_a_script(folder: Path, build: Build) -> None:
    script = folder / "mine_so.sh"
    assert fleet("--dll", str(build("legacy")), script=script).names == ["legacy"]
    settings = read_start_script(script)
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    assert fleet_of(parser.parse_args(["--vehicles", "x450"]), settings).names == ["x450"]

"""`pyrfly model`: a folder to begin with, which compiles and holds what every model has to."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pyrfly import Error, plugins
from pyrfly.cli import main
from pyrfly.commands.model import holds
from pyrfly.compilers import require_compiler
from pyrfly.plugins import Call, Column

BODY = {"mass": 2.0, "inertia": [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    try:
        require_compiler(windows=False)
    except Error as error:
        pytest.skip(str(error))
    return tmp_path / "a folder" / "mine"


@pytest.mark.slow
def test_a_new_model_compiles_and_holds_all(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CFLAGS", "-O1 -Werror")
    assert main(["model", "new", "mine", "--folder", str(folder)]) == 0
    assert main(["model", "build", str(folder)]) == 0
    made = (folder / "model.so").stat().st_mtime_ns
    assert main(["model", "test", str(folder)]) == 0
    assert (folder / "model.so").stat().st_mtime_ns == made  # nothing has changed
    said = capsys.readouterr().out
    assert f"pyrfly model test '{folder}'" in said  # as a shell takes it
    assert "it holds a position" in said
    assert "million steps" in said
    names = {path.name for path in folder.iterdir()}
    assert names == {"model.c", "model.so", "test_mine.py", "example.py"}
    assert main(["model", "new", "mine", "--folder", str(folder)]) != 0  # nothing is overwritten
    for program in (["-m", "pytest", "-q", "-p", "no:cacheprovider"], ["example.py"]):
        subprocess.run([sys.executable, *program], cwd=folder, check=True, capture_output=True)


def test_a_source_that_does_not_compile_is_told_and_the_library_stays(folder: Path) -> None:
    plugins.new("broken", folder)
    (folder / "model.so").write_bytes(b"the last one")
    (folder / "model.c").write_text("int f(void) { return x; }\n", encoding="utf-8")
    with pytest.raises(Error, match="x"):
        plugins.build(folder)
    assert (folder / "model.so").read_bytes() == b"the last one"
    with pytest.raises(Error, match=r"expected one of model\.c and model\.cpp"):
        plugins.build(folder.parent)


def still(c: Call) -> dict[str, object]:
    return {"vel": 0.0, "rate": 0.0}


@pytest.mark.parametrize(
    ("sense", "message"),
    [
        (lambda c: {"level": np.nan}, "sense: level: expected finite values"),
        (lambda c: {"level": float(len(c.state.pos))}, "level: .* depend on more"),
        (lambda c: {"level": c.sensor.level + c.noise.level}, None),
    ],
)
def test_sensors_have_to_be_finite_and_of_their_vehicle_alone(
    sense: Callable[[Call], dict[str, object]], message: str | None
) -> None:
    model = plugins.from_functions(
        "sensing", still, param=BODY, sensor={"level": Column("m", "z")}, sense=sense
    )
    if message is None:
        assert "its sensors measure finite values" in list(holds(model))
    else:
        with pytest.raises(Error, match=message):
            list(holds(model))


@pytest.mark.parametrize(
    ("derivative", "message"),
    [
        (lambda c: {**still(c), "vel": np.nan}, "finite values"),
        (lambda c: {**still(c), "pos": 0.0}, "pos: expected that of vel"),
        (lambda c: {**still(c), "att": 0.0}, "att: expected that of att and rate"),
        (lambda c: {**still(c), "vel": float(len(c.state.pos))}, "depend on more"),
    ],
)
def test_what_does_not_hold_is_named(
    derivative: Callable[[Call], dict[str, object]], message: str
) -> None:
    model = plugins.from_functions("odd", derivative, param=BODY)
    with pytest.raises(Error, match=message):
        list(holds(model))

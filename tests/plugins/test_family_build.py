"""Compilation of families outside of the tree, here of one small source instead of kernels."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pyrfly import Error
from pyrfly.plugins import family_build
from pyrfly.plugins.family_build import compile_family

pytestmark = pytest.mark.skipif(
    os.name == "nt" or shutil.which("cc") is None, reason="no C compiler: cc"
)

SOURCE = '#include "vehicles/small/model.h"\nint value(void) { return VALUE; }\n'


@pytest.fixture
def family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a family that compiles in no time."""
    folder = tmp_path / "a small family"
    folder.mkdir()
    (folder / "types.inc").write_text("#define TYPE_FAMILY small\n")
    (folder / "model.h").write_text("#define VALUE 1\n")
    source = tmp_path / "source.c"
    source.write_text(SOURCE)
    units = family_build._of_the_build("units")
    monkeypatch.setattr(units, "plugin_units", lambda *_: [units.Unit("small_unit", str(source))])
    monkeypatch.setenv("CC", "cc")
    return folder


Told = Callable[[], bool]


@pytest.fixture
def told(capfd: pytest.CaptureFixture[str]) -> Told:
    """Return a function that tells whether a compilation was told since its last call."""
    return lambda: "compiling the family small of" in capfd.readouterr().err


def test_it_is_compiled_where_something_has_changed(family: Path, told: Told) -> None:
    first = compile_family(family)
    assert told()
    data = first.read_bytes()
    assert compile_family(family) == first
    assert not told()
    (family / "model.h").write_text("#define VALUE 2\n")
    assert compile_family(family).read_bytes() != data
    assert told()


def test_what_has_not_changed_needs_no_compiler(
    family: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = compile_family(family)
    assert told()
    monkeypatch.setenv("CC", "no-such-compiler")
    assert compile_family(family) == library
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", "")
    assert compile_family(family) == library
    assert not told()
    (family / "model.h").write_text("#define VALUE 2\n")
    with pytest.raises(Error, match="there is no C compiler"):
        compile_family(family)


@pytest.mark.parametrize("damaged", [b"", b"\x7fELF and no more"], ids=len)
def test_a_library_that_is_another_is_made_anew(
    damaged: bytes, family: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = compile_family(family)
    data = library.read_bytes()
    library.write_bytes(damaged)
    assert compile_family(family).read_bytes() == data
    library.write_bytes(damaged)
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(Error, match="CC: expected a C compiler"):
        compile_family(family)


def test_what_was_made_on_another_system_is_compiled_anew(
    family: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sysconfig.get_platform", lambda: "another")
    compile_family(family)
    compiled = family / "build" / "small_unit.o"
    compiled.write_bytes(b"of another processor, newer than its sources")
    monkeypatch.undo()
    monkeypatch.setattr("sysconfig.get_platform", lambda: "this")
    source = family.parent / "source.c"
    units = family_build._of_the_build("units")
    monkeypatch.setattr(units, "plugin_units", lambda *_: [units.Unit("small_unit", str(source))])
    monkeypatch.setenv("CC", "cc")
    compile_family(family)
    assert compiled.read_bytes()[:2] != b"of"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int one(void) { return missing(1); }\n#define VALUE 1\n", "model.h:1:.*'?missing"),
        ("int one(void) { return 1 }\n#define VALUE 1\n", "model.h:1:.*;"),
    ],
)
def test_the_first_error_is_shown_in_the_file_of_the_user(
    text: str, message: str, family: Path
) -> None:
    (family / "model.h").write_text(text)
    with pytest.raises(Error, match=f"cc failed: {family}/{message}"):
        compile_family(family)


def test_a_folder_that_cannot_be_written(family: Path) -> None:
    (family / "build").write_text("a file\n")
    with pytest.raises(Error, match="the family small has changed or is new, and cannot be"):
        compile_family(family)


def test_a_folder_can_be_copied_after_it_was_compiled(family: Path, told: Told) -> None:
    compile_family(family)
    copied = Path(shutil.copytree(family, family.with_name("copied")))
    (copied / "model.h").write_text("#define VALUE 3\n")
    told()
    compile_family(copied)
    assert told()
    link = copied / "build" / "include" / "vehicles" / "small" / "model.h"
    assert link.read_text() == "#define VALUE 3\n"


def test_the_same_folder_by_another_path_is_not_compiled_again(family: Path, told: Told) -> None:
    compile_family(family)
    assert told()
    compile_family(family / ".." / family.name)
    assert not told()


def test_a_file_that_is_removed_is_missed(family: Path) -> None:
    (family / "more.h").write_text("#define VALUE 1\n")
    (family / "model.h").write_text('#include "vehicles/small/more.h"\n')
    compile_family(family)
    (family / "more.h").unlink()
    with pytest.raises(Error, match=r"more\.h"):
        compile_family(family)

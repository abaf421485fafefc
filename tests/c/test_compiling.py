"""The build compiles what is out of date, and nothing else."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from .test_c import runner

pytestmark = pytest.mark.skipif(not runner.compiler(), reason="no C compiler (cc, or CC)")

compiling = runner.build_module("compiling")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write("with.h", "#define NUMBER 1\n")
    write("with header.c", '#include "with.h"\nint with(void) { return NUMBER; }\n')
    write("alone.c", "int alone(void) { return 2; }\n")
    return tmp_path


def write(name: str, text: str) -> None:
    Path(name).write_text(text)


def compiled(*options: str) -> list[str]:
    """Return the sources that a build compiles."""
    before = {path.name: path.stat().st_mtime_ns for path in Path("objects").glob("*.o")}
    jobs: list[Any] = [
        compiling.Job(
            Path("objects", f"{source[:-2]}.o"),
            (*runner.compiler(), *options, "-c", source),
        )
        for source in ("with header.c", "alone.c")
    ]
    targets = compiling.compile_objects(jobs)
    return [p.stem for p in targets if p.stat().st_mtime_ns != before.get(p.name)]


def test_what_is_current_is_not_compiled(tree: Path) -> None:
    assert compiled() == ["with header", "alone"]
    assert compiled() == []


def test_a_header_compiles_what_includes_it(tree: Path) -> None:
    compiled()
    write("with.h", "#define NUMBER 3\n")
    assert compiled() == ["with header"]


def test_a_header_that_is_gone_compiles_what_included_it(tree: Path) -> None:
    compiled()
    Path("with.h").unlink()
    write("with header.c", "int with(void) { return 4; }\n")
    assert compiled() == ["with header"]
    assert compiled() == []


def test_another_command_compiles_all(tree: Path) -> None:
    compiled()
    assert compiled("-DOTHER=1") == ["with header", "alone"]
    assert compiled("-DOTHER=1") == []


def test_what_failed_is_compiled_again(tree: Path) -> None:
    compiled()
    write("alone.c", "int alone(void) { return }\n")
    with pytest.raises(subprocess.CalledProcessError):
        compiled()
    write("alone.c", "int alone(void) { return 5; }\n")
    os.utime("alone.c", (0, 0))  # older than the object, as from a version control system
    assert compiled() == ["alone"]


def test_a_change_during_the_compilation_is_compiled_next(tree: Path) -> None:
    slow = Path("slow-cc")
    slow.write_text('#!/bin/sh\n"$@" && echo "#define NUMBER 6" >with.h\n')
    slow.chmod(0o755)
    command = (str(slow.absolute()), *runner.compiler(), "-c", "with header.c")
    job = compiling.Job(Path("objects", "slow.o"), command)
    compiling.compile_object(job)
    assert not compiling.is_current(job)

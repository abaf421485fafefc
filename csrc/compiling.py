"""Compilation of those objects alone that are out of date.

For setup.py, tests/c/run.py and families outside of the tree (pyrfly/plugins/family_build.py).

The compiler lists the headers that a source includes (-MMD) beside its object, where the command
is kept, too. An object is compiled again when one of these files or the command has changed.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple


class Job(NamedTuple):
    """An object file, and the command that compiles it, without its output."""

    target: Path
    command: tuple[str, ...]

    @property
    def listing(self) -> Path:
        """The rule of the compiler, ``target: source header ...``."""
        return self.target.with_name(f"{self.target.name}.d")

    @property
    def record(self) -> Path:
        """The command of the last compilation that succeeded."""
        return self.target.with_name(f"{self.target.name}.command")


def _included(listing: Path) -> list[str]:
    rule = listing.read_text(encoding="utf-8").replace("\\\n", " ")
    return shlex.split(rule.split(": ", 1)[1])


def recorded_command(job: Job, root: Path = Path()) -> str:
    """Return the command of an object that is newer than all that went into it, else nothing.

    The compiler ran in the folder `root`.
    """
    try:
        compiled = job.target.stat().st_mtime_ns
        included = (root / path for path in _included(job.listing))
        if all(path.stat().st_mtime_ns < compiled for path in included):
            return job.record.read_text(encoding="utf-8")
    except OSError:  # never compiled, interrupted, or a header that is gone
        pass
    return ""


def is_current(job: Job) -> bool:
    """Return whether the object is newer than all that went into it, and of the same command."""
    return recorded_command(job) == shlex.join(job.command)


def compile_object(job: Job, stderr: int | None = None) -> Path:
    """Compile an object unless it is current; raises CalledProcessError.

    What the compiler says goes to `stderr`, as of `subprocess.run`.
    """
    if is_current(job):
        return job.target
    job.target.parent.mkdir(parents=True, exist_ok=True)
    job.record.unlink(missing_ok=True)
    began = time.time_ns()
    outputs = ["-MMD", "-MF", str(job.listing), "-o", str(job.target)]
    subprocess.run([*job.command, *outputs], check=True, stderr=stderr)
    os.utime(job.target, ns=(began, began))  # a file that is changed meanwhile is newer
    job.record.write_text(shlex.join(job.command), encoding="utf-8")
    return job.target


def compile_objects(jobs: Iterable[Job], stderr: int | None = None) -> list[Path]:
    """Compile side by side, in this order; after a failure none is begun."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(partial(compile_object, stderr=stderr), jobs))

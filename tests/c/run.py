"""Build the core without Python together with the C tests, and run them.

    python tests/c/run.py [none|asan|tsan] [suite or test name ...]

Needs a C compiler (`cc`, or the one that CC names) and nothing else. Objects are kept in
build/c-tests/<variant> and compiled again when their source, its headers or the flags change;
without a sanitizer those of the extension are linked where they are up to date.
RF_BASE_ONLY=1 leaves out the kernels of all instruction sets but the base one. TSan runs the
suites with threads alone.
"""

import argparse
import fcntl
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CSRC = ROOT / "csrc"
TESTS = ROOT / "tests" / "c"
FOLDER = ROOT / "build" / "c-tests"

VARIANTS = {
    "none": [],
    "asan": ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    "tsan": ["-fsanitize=thread"],
}


def compiler() -> list[str]:
    """Return the command of the C compiler, empty where there is none."""
    command = shlex.split(os.environ.get("CC", "cc"))
    return command if shutil.which(command[0]) else []


def flags(variant: str) -> list[str]:
    """Return the flags of the build, less optimized for a quick build."""
    shared = (CSRC / "cflags").read_text().split()
    strict = ["-Werror"] if os.environ.get("PYRFLY_WERROR", "") not in ("", "0") else []
    # missing-prototypes is here and not in cflags because no header declares PyInit__core
    own = ["-O1", "-g1", "-Wmissing-prototypes", f"-I{CSRC}", '-DPYRFLY_VERSION="test"']
    return [*shared, *own, *strict, *VARIANTS[variant]]


def core_units(machine: str = "", base_only: bool = False) -> list[Any]:
    """Return the units of the core as a plain C library, without the Python extension.

    For a kind of processor, by default this one's; of its instruction sets all or the base one.
    """
    found: list[Any] = build_module("units").units(False, machine=machine, base_only=base_only)
    return found


@cache
def build_module(name: str) -> Any:
    """Return a module of csrc/ that the build uses."""
    spec = importlib.util.spec_from_file_location(name, CSRC / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes out of a build folder (the tests run in parallel)."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@cache
def watched_types(variant: str) -> set[str]:
    """Return the types of vehicles whose kernels a sanitizer watches.

    Threads run the kernels of all types alike; the first and the last type of a family differ most
    in the number of their parts.
    """
    units = build_module("units")
    types = [units.types(family) for family in units.families()]
    return {types[0][0]} if variant == "tsan" else {t for own in types for t in (own[0], own[-1])}


def watched(variant: str, unit: Any) -> str:
    """Return the variant to compile a unit for: of what is alike, one is watched.

    Memory is laid out by the size of the numbers alike.
    """
    macros = dict(unit.macros)
    types = {m.removeprefix("RF_KERNELS_OF_") for m in macros if m.startswith("RF_KERNELS_OF_")}
    alike = macros.get("LANE_PRECISION") == "32" or types - watched_types(variant)
    return "none" if alike else variant


def extension_object(unit: Any) -> Path | None:
    """Return the object that the build of the extension left in build/, if it is up to date."""
    compiling = build_module("compiling")
    job = compiling.Job(ROOT / "build" / "core" / f"{unit.name}.o", ())
    command = compiling.recorded_command(job, ROOT)
    return job.target if command.startswith(os.environ.get("CC", "")) and command else None


def build_objects(variant: str, base_only: bool, folder: Path) -> dict[str, Path]:
    """Compile what is out of date of the core and of a folder; return all objects by name."""
    compiling = build_module("compiling")
    jobs, objects, suites = {}, {}, watched_suites(variant)

    def add(name: str, source: Path, chosen: str, macros: list[str]) -> None:
        command = [*compiler(), *flags(chosen), *macros, "-c", str(source)]
        jobs[name] = compiling.Job(FOLDER / chosen / f"{name}.o", tuple(command))

    for path in sorted(folder.glob("*.c")):
        # lanes of all widths compute alike, without memory and threads: scalars are watched
        alike = path.stem.startswith("lanes_") and not path.stem.endswith("x1")
        # tests that a sanitizer does not run are those of the build without it
        alike |= path.name.startswith("test_") and bool(suites) and suite_of(path) not in suites
        name = path.relative_to(ROOT).with_suffix("").as_posix()
        add(name, path, "none" if alike else variant, [f"-I{TESTS}"])
    for unit in core_units(base_only=base_only):
        name, chosen = f"csrc/{unit.name}", watched(variant, unit)
        ready = extension_object(unit) if chosen == "none" else None
        if ready:
            objects[name] = ready
        else:
            macros = [f"-D{name}={value}" for name, value in unit.macros]
            add(name, CSRC / unit.source, chosen, macros)
    return objects | dict(zip(jobs, compiling.compile_objects(jobs.values()), strict=True))


def build(
    variant: str, base_only: bool, folder: Path = TESTS, name: str = "run-tests"
) -> tuple[Path, dict[str, Path]]:
    """Build the program of the C files of a folder; return it and its objects by name."""
    program = FOLDER / variant / (f"{name}-base" if base_only else name)
    with locked(FOLDER):
        objects = build_objects(variant, base_only, folder)
        link = ["-pthread", "-lm", *VARIANTS[variant]]
        subprocess.run([*compiler(), *objects.values(), "-o", program, *link], check=True)
    return program, objects


def command_for(program: Path, variant: str) -> list[str]:
    """Return the command that runs the program, TSan's without address randomisation.

    The shadow memory of older TSan run-times collides with what newer kernels randomise.
    """
    if variant == "tsan" and shutil.which("setarch"):
        plain = ["setarch", "-R"]
        if subprocess.run([*plain, "true"], capture_output=True, check=False).returncode == 0:
            return [*plain, str(program)]
    return [str(program)]


def watched_suites(variant: str) -> list[str]:
    """Return the suites that a sanitizer watches, as names of `main`: for threads those with them.

    None for all of them.
    """
    if variant != "tsan":
        return []
    starts = re.compile(r"pool\.h|pthread|threads")
    found = [path for path in sorted(TESTS.glob("test_*.c")) if starts.search(path.read_text())]
    return [suite_of(path) for path in found]


def suite_of(path: Path) -> str:
    """Return the name of the suite of a file of tests, as `main` takes it."""
    return f"{path.stem.removeprefix('test_')}/"


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the C tests and run them.")
    parser.add_argument("variant", metavar="|".join(VARIANTS), nargs="?", default="none")
    parser.add_argument("names", nargs="*", help="run the tests whose suite/name has this in it")
    args = parser.parse_args()
    if args.variant not in VARIANTS:
        args.variant, args.names = "none", [args.variant, *args.names]
    if not compiler():
        sys.exit("no C compiler: cc is not on the path and CC names none")
    base_only = os.environ.get("RF_BASE_ONLY", "") not in ("", "0")
    try:
        program, _ = build(args.variant, base_only)
    except subprocess.CalledProcessError as error:
        sys.exit(f"failed: {shlex.join(map(str, error.cmd))}")
    names = args.names or watched_suites(args.variant)
    command = [*command_for(program, args.variant), *names]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

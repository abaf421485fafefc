"""Feed inputs to what reads bytes in C: MAVLink frames, events, snapshots, inputs of commands.

    python tests/fuzz/decoders.py                         ten million inputs each
    python tests/fuzz/decoders.py --inputs 1e8 frames     a hundred million of one of them
    python tests/fuzz/decoders.py --asan --inputs 1e6     under the address sanitizer

The targets are in c/, a file each, which says what has to hold. The seed is printed; when something
does not hold, so is how to make the input again. The core is built as for tests/c/run.py.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
spec = importlib.util.spec_from_file_location("c_runner", HERE.parent / "c" / "run.py")
assert spec is not None
assert spec.loader is not None
runner = importlib.util.module_from_spec(spec)
spec.loader.exec_module(runner)


TARGETS = ("frames", "events", "snapshots", "commands")


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target", nargs="?", choices=TARGETS, help="by default all")
    parser.add_argument("--inputs", type=float, default=1e7, help="of each target")
    parser.add_argument("--asan", action="store_true", help="with the address sanitizer")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    options = parser.parse_args()
    if not runner.compiler():
        sys.exit("no C compiler: cc is not on the path and CC names none")
    base_only = os.environ.get("RF_BASE_ONLY", "") not in ("", "0")
    variant = "asan" if options.asan else "none"
    try:
        program, _ = runner.build(variant, base_only, HERE / "c", "fuzz")
    except subprocess.CalledProcessError as error:
        sys.exit(f"failed: {shlex.join(map(str, error.cmd))}")
    print(f"seed {options.seed}", flush=True)
    numbers = (round(options.inputs), options.seed, options.first)
    command = [*runner.command_for(program, variant), *map(str, numbers)]
    return subprocess.run([*command, *filter(None, [options.target])], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

"""Feed random and changed inputs to everything that reads bytes from networks or files.

    python tests/fuzz/run.py                    all targets, a minute each
    python tests/fuzz/run.py 3600 px4           one of them, an hour
    python tests/fuzz/run.py --inputs 1000000   all, a million inputs each; "inf px4" names one
    python tests/fuzz/run.py --replay px4 FILE  what was written when it failed

No input may raise an error that is not documented, take long or keep memory; what else has to hold
is in targets.py. The seed is printed. When a target fails, its last inputs are written to a file.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import sys
import time
import traceback
import warnings
from collections import deque
from pathlib import Path

from mutation import Mutator
from targets import TARGETS, Target

KEPT = 400
"""Number of inputs that are written when a target fails: its state may come from them."""

SLOW = 2.0
"""Maximum processor time of an input [s]; most take less than a millisecond."""

GROWTH = 64 << 20
"""Maximum memory that is kept after the first inputs [bytes]."""

SETTLED = 2000
"""Number of inputs after which memory should not grow any more."""

BETWEEN = 200
"""Number of inputs between two checks of the whole."""


class Failed(AssertionError):
    """A target did what it must not do."""


def feed(target: Target, data: bytes) -> None:
    """Feed an input to a target and check the time that it takes."""
    begin = time.process_time()
    target.feed(data)
    taken = time.process_time() - begin
    if taken > SLOW:
        raise Failed(f"an input of {len(data)} bytes took {taken:.1f} s")


def memory() -> int:
    """Return the memory of this process [bytes]; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def new_input(source: random.Random, mutator: Mutator, target: Target) -> bytes:
    """Return an input; most of them have right checksums."""
    data = mutator.random() if source.random() < 0.05 else mutator.mutated(target.corpus)
    return target.repaired(data) if source.random() < 0.7 else data


def fuzz(name: str, seconds: float, inputs: float, seed: int, folder: Path) -> bool:
    """Run a target for a time, at most some inputs; return whether all was well."""
    source = random.Random(f"{seed} {name}")
    last: deque[bytes] = deque(maxlen=KEPT)
    count, base = 0, 0
    with TARGETS[name]() as target:
        mutator = Mutator(source, target.words, target.first)
        end = time.monotonic() + seconds
        try:
            while count < inputs and time.monotonic() < end:
                data = new_input(source, mutator, target)
                last.append(data)
                feed(target, data)
                count += 1
                if count % BETWEEN == 0:
                    target.check()
                if count == SETTLED:
                    base = memory()
                if base and memory() > base + GROWTH:
                    raise Failed(f"memory has grown by {(memory() - base) >> 20} MiB")
            target.check()
        except Exception:
            traceback.print_exc()
            path = folder / f"fuzz-{name}-{seed}.json"
            path.write_text(json.dumps([item.hex() for item in last]), encoding="ascii")
            print(f"{name}: FAILED at input {count}; --replay {name} {path}", flush=True)
            return False
    print(f"{name}: {count} inputs", flush=True)
    return True


def replay(name: str, path: Path) -> None:
    """Feed the inputs of a file."""
    with TARGETS[name]() as target:
        for item in json.loads(path.read_text(encoding="ascii")):
            feed(target, bytes.fromhex(item))
        target.check()
    print(f"{name}: nothing failed")


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seconds", nargs="?", type=float, help="of each target, by default 60")
    parser.add_argument("target", nargs="?", choices=list(TARGETS), help="by default all")
    parser.add_argument("--inputs", type=float, default=math.inf, help="maximum of each target")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--out", type=Path, default=Path.cwd(), help="folder of failing inputs")
    parser.add_argument("--replay", nargs=2, metavar=("TARGET", "FILE"))
    options = parser.parse_args()
    warnings.simplefilter("error", RuntimeWarning)  # of NumPy, of numbers that nobody looked at
    if options.replay is not None:
        replay(options.replay[0], Path(options.replay[1]))
        return 0
    print(f"seed {options.seed}", flush=True)
    names = [options.target] if options.target else list(TARGETS)
    seconds = options.seconds
    if seconds is None:
        seconds = 60.0 if math.isinf(options.inputs) else math.inf
    results = [fuzz(name, seconds, options.inputs, options.seed, options.out) for name in names]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Prints the digests of flights as JSON, ``{name: digest}``; run with ``PYRFLY_SIMD=strict``.

The arguments are the ``flights.py`` of a folder, the sets whose flights are flown, all by default,
and ``--part``, which is then enabled. The function ``flights`` of that file yields a name, which
begins with that of the set, a simulation, and a way: a function that flies it and yields bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import runpy
from collections.abc import Iterable

import pyrfly


def digest_of(samples: Iterable[bytes]) -> str:
    """Return the digest of a flight."""
    digest = hashlib.blake2b(digest_size=12)
    for sample in samples:
        digest.update(sample)
    return digest.hexdigest()


def main() -> None:
    """Fly everything, or the sets that are named, with some parts enabled."""
    parser = argparse.ArgumentParser()
    parser.add_argument("flights")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--part", action="append", default=[])
    options = parser.parse_intermixed_args()
    assert pyrfly.simd_info()["simd"] in ("strict", "base")
    digests = {}
    for name, sim, way in runpy.run_path(options.flights)["flights"]():
        if options.names and name.split()[0] not in options.names:
            continue
        for part in options.part:
            sim.enable_part(part)
        digests[name] = digest_of(way(sim))
    print(json.dumps(digests, indent=0))


if __name__ == "__main__":
    main()

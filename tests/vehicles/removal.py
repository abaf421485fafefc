"""Source trees without families."""

from __future__ import annotations

import shutil
from pathlib import Path

from pyrfly.vehicles import DEFAULT_FAMILY, FAMILIES

REMOVABLE = [name for name in FAMILIES if name != DEFAULT_FAMILY]

# Pages name all families; the C tests are run by their own runner; packaging is that of the source;
# effects and controllers of the others, what learns and what repeats flights are the same code
# without the family.
PHYSICS = set(
    "contact control environment estimator faults frames golden loads models motors power rotor_air"
    " safety sensors terrain".split()
)
# What carries bytes, and the server's links, know columns and not families.
CARRIERS = {"fuzz", "mavlink", "mixers", "protocol", "server", "transport"}
# What shows vehicles is the same code without the family.
LOOKERS = {"view"}
NOT_TESTED = {"docs", "c", "style", "rl", "campaign", "benchmarks", "soak"}
NOT_TESTED |= PHYSICS | CARRIERS | LOOKERS


def remove(family: str, tree: Path) -> None:
    """Remove a family from a source tree: two lines and its folders."""
    for path, line in (
        ("csrc/vehicles/types.inc", f'#include "vehicles/{family}/types.inc"\n'),
        (
            "pyrfly/vehicles/families.py",
            f"    from pyrfly.vehicles.{family} import COMMANDS as {family}\n",
        ),
    ):
        text = (tree / path).read_text(encoding="utf-8")
        assert text.count(line) == 1, f"{path}: {line!r} must stand there once"
        (tree / path).write_text(text.replace(line, ""), encoding="utf-8")
    for place in ("csrc/vehicles", "pyrfly/vehicles", "tests/vehicles"):
        shutil.rmtree(tree / place / family)
    (tree / "tests" / "c" / f"test_{family}.c").unlink(missing_ok=True)

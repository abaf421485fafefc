"""A script written for RflySim, run unchanged in real time.

From the command line::

    python -m pyrfly.rflysim.run [options] script.py [arguments]

Its ``import PX4MavCtrlV4`` and so on find pyrfly's modules. Its vehicles are those of a server, or
without one of this process; ``--vehicles`` and ``--start-script`` are about the latter.
`pyrfly.rflysim.stepped` does the same in simulated time.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from pyrfly.ctrl import background
from pyrfly.rflysim.script import options, run_script, show_error

__all__ = ["main"]


def main(arguments: Sequence[str]) -> int:
    """Run a script in real time; ``arguments`` are options, its path and what it gets."""
    given = options("python -m pyrfly.rflysim.run", arguments)
    background.prepare(given.fleet)
    run_script(given)
    return 0


if __name__ == "__main__":
    sys.excepthook = show_error
    sys.exit(main(sys.argv[1:]))

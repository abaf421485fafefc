"""What two flights are called: `names_of`."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["names_of"]


def names_of(a: str | os.PathLike[str], b: str | os.PathLike[str]) -> tuple[str, str]:
    """Return the names of two files, with as many folders as tell them apart.

    Examples
    --------
    >>> names_of("one/demo.npz", "two/demo.npz")
    ('one/demo.npz', 'two/demo.npz')
    >>> names_of("one/a.npz", "two/b.npz")
    ('a.npz', 'b.npz')
    """
    first, second = (Path(os.path.normpath(Path(path).absolute())).parts for path in (a, b))
    most = max(len(first), len(second))
    differs = (n for n in range(1, most + 1) if first[-n:] != second[-n:])
    count = next(differs, 1)
    return str(Path(*first[-count:])), str(Path(*second[-count:]))

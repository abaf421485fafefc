"""The C headers of the core: `get_include`."""

from __future__ import annotations

from pathlib import Path

__all__ = ["get_include"]


def get_include() -> Path:
    """Return the folder of the C headers, for the compiler's option ``-I``.

    ``pyrfly_model.h`` and ``pyrfly_columns.h`` are for models of one's own. The folders beside them
    have the headers of the core, which change from version to version.

    Examples
    --------
    >>> import pyrfly
    >>> (pyrfly.get_include() / "pyrfly_model.h").is_file()
    True
    """
    installed = Path(__file__).parent / "include"
    return installed if installed.is_dir() else Path(__file__).parents[1] / "csrc"

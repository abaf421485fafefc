"""Modules by their files, wherever these are: `import_file`."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

__all__ = ["forget", "import_file"]


def import_file(name: str, file: Path) -> ModuleType:
    """Import a file under a name, ``__init__.py`` as a package; an error leaves nothing of it."""
    inside = [str(file.parent)] if file.name == "__init__.py" else None
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=inside)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        forget(name)
        raise
    return module


def forget(name: str) -> None:
    """Let a module, or a package with its modules, be as if it had not been imported."""
    for one in [one for one in sys.modules if one == name or one.startswith(f"{name}.")]:
        del sys.modules[one]

"""Examples in docstrings."""

import doctest
import importlib
from pathlib import Path

import pytest

import pyrfly

PACKAGE = Path(pyrfly.__file__).parent
MODULES = [
    ".".join(("pyrfly", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
    for path in sorted(PACKAGE.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]

NEEDS = {"pyrfly.rl.sb3": "stable_baselines3"}
"""What the extra `test` does not have."""


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    module = importlib.import_module(name)
    names = {"pyrfly": pyrfly, "Sim": pyrfly.Sim}
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.testmod(module, extraglobs=names, optionflags=flags).failed == 0

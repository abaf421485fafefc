"""Examples in docstrings."""

import doctest
import importlib
import pkgutil

import pytest

import pyrfly

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(pyrfly.__path__, "pyrfly.")
    if not module.name.endswith(("__main__", "_core"))
)

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

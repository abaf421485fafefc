"""The API reference of the documentation site: every public name, from its docstring.

Public are the names in ``__all__`` of pyrfly and its packages, and of the `MODULES` that the
pages name besides. A name that several of them have is documented at the first, and the others
link to it.
"""

from __future__ import annotations

import ast
import enum
import importlib
import inspect
import pkgutil
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from sphinx.ext.autodoc.mock import mock
from sphinx.pycode import ModuleAnalyzer

import pyrfly

OF_MODULES = ("pyrfly.protocol", "pyrfly.rflysim", "pyrfly.server.links")
"""Packages whose modules are used by their own names, all of them."""

MODULES = (
    "pyrfly.autopilot.commands",
    "pyrfly.autopilot.sticks",
    "pyrfly.campaign.losses",
    "pyrfly.columns",
    "pyrfly.commands.zoo",
    "pyrfly.log.surroundings_notes",
    "pyrfly.rl.parallel",
    "pyrfly.rl.sb3",
    "pyrfly.server.autopilot_ports",
    "pyrfly.server.relay",
    "pyrfly.sim.lidar",
    "pyrfly.sim.scene",
    "pyrfly.transport.byte_streams",
    "pyrfly.vehicles.actuators",
    "pyrfly.vehicles.build",
    "pyrfly.vehicles.commands",
    "pyrfly.vehicles.entries",
    "pyrfly.vehicles.family",
    "pyrfly.vehicles.multirotor.hover",
    "pyrfly.vehicles.multirotor.identifying",
    "pyrfly.vehicles.multirotor.layouts",
    "pyrfly.vehicles.rounds",
    "pyrfly.view.live",
    "pyrfly.view.logged",
    "pyrfly.view.painter",
)
"""Further modules that are used by their own names."""

NOT_NEEDED = ["ray", "stable_baselines3", "torch"]
"""Large libraries of extras, which are mocked where they are imported."""


class Name(NamedTuple):
    """A public name: where it is offered, and where it is defined."""

    module: str
    name: str
    home: str

    @property
    def path(self) -> str:
        value = self.value
        return value.__name__ if inspect.ismodule(value) else f"{self.module}.{self.name}"

    @property
    def value(self) -> Any:
        return getattr(importlib.import_module(self.module), self.name)


def _offered(module: ModuleType) -> list[str]:
    """Return the public names of a module; one that is generated has classes alone."""
    own = [
        n
        for n, value in vars(module).items()
        if getattr(value, "__module__", "") == module.__name__
    ]
    return list(getattr(module, "__all__", own if module.__name__.startswith(OF_MODULES) else ()))


def public_modules() -> list[str]:
    """Return pyrfly, its packages that offer names, and `MODULES`, the outermost first."""
    found = list(pkgutil.walk_packages(pyrfly.__path__, "pyrfly."))
    shown = [m.name for m in found if m.ispkg or m.name.rpartition(".")[0] in OF_MODULES]
    with mock(NOT_NEEDED):
        offering = [m for m in (*shown, *MODULES) if _offered(importlib.import_module(m))]
    values = [getattr(sys.modules[m], name) for m in offering for name in _offered(sys.modules[m])]
    inner = [value.__name__ for value in values if inspect.ismodule(value)]
    return sorted({"pyrfly", *offering, *inner}, key=lambda path: (path.count("."), path))


@cache
def _imports(module: str) -> dict[str, str]:
    """Return the modules from which a module imports names under the same names."""
    tree = ast.parse(inspect.getsource(importlib.import_module(module)))
    return {
        alias.name: line.module
        for line in tree.body
        if isinstance(line, ast.ImportFrom) and (line.module or "").startswith("pyrfly.")
        for alias in line.names
        if alias.asname in (None, alias.name)
    }


def home_of(module: str, name: str) -> str:
    """Return the module that defines what another one imports or defines."""
    origin = _imports(module).get(name)
    outside = origin in (None, "pyrfly._core", module)  # a package imports modules from itself
    return module if outside else home_of(origin, name)


@cache
def public_names() -> dict[str, list[Name]]:
    """Return the names of each public module."""
    return {
        module: [
            Name(module, name, home_of(module, name))
            for name in _offered(importlib.import_module(module))
        ]
        for module in public_modules()
    }


@cache
def documented() -> dict[tuple[str, str], Name]:
    """Return the documented one of the names of a definition, by its home and name."""
    found: dict[tuple[str, str], Name] = {}
    for names in public_names().values():
        for name in names:
            found.setdefault((name.home, name.name), name)
    return found


@cache
def aliases() -> dict[str, str]:
    """Return the documented path of every path by which a public name can be reached."""
    found = {}
    for names in public_names().values():
        for name in names:
            shown = documented()[name.home, name.name].path
            found[name.path] = found[f"{name.home}.{name.name}"] = shown
    return found


def summary(name: Name) -> str:
    """Return the first sentence of a docstring, on one line."""
    text = _data_doc(name) if _kind(name) == "data" else inspect.getdoc(name.value) or ""
    return " ".join(text.partition("\n\n")[0].split())


def _kind(name: Name) -> str:
    if inspect.ismodule(name.value):
        return "mod"
    if inspect.isclass(name.value):
        return "class"
    return "func" if inspect.isfunction(inspect.unwrap(name.value)) else "data"


def _data_doc(name: Name) -> str:
    """Return the docstring below an assignment."""
    docs = ModuleAnalyzer.for_module(name.home).find_attr_docs()
    return "\n".join(docs.get(("", name.name), [])).strip()


def _directive(name: Name) -> list[str]:
    kind = _kind(name)
    if kind == "mod":
        return []  # has a page of its own
    if kind == "data":
        text = [f"   {line}".rstrip() for line in _data_doc(name).splitlines()]
        return [f".. py:data:: {name.name}", "", *text, ""]
    if kind == "func":
        return [f".. autofunction:: {name.name}", ""]
    return [f".. autoclass:: {name.name}", *_class_options(name.value), ""]


def _class_options(value: type) -> list[str]:
    """Return options that show all members but those of other libraries or documented bases."""
    shown = {id(name.value) for name in documented().values()}
    left_out = [
        base.__name__
        for base in value.__mro__[1:]
        if id(base) in shown or not base.__module__.startswith("pyrfly")
    ]
    options = ["   :members:", f"   :inherited-members: {', '.join(left_out)}"]
    if issubclass(value, enum.Enum):
        options.append("   :undoc-members:")
    return options


def page(module: str) -> str:
    """Return the reStructuredText of a module's page."""
    names = public_names()[module]
    lines = [module, "=" * len(module), "", f".. automodule:: {module}", ""]
    lines += [".. list-table::", "   :widths: auto", ""]
    for name in names:
        shown = documented()[name.home, name.name].path
        lines += [f"   * - :py:{_kind(name)}:`{name.name} <{shown}>`", f"     - {summary(name)}"]
    lines += ["", f".. py:currentmodule:: {module}", ""]
    for name in names:
        if documented()[name.home, name.name] == name:
            lines += _directive(name)
    return "\n".join(lines) + "\n"


def make_pages(folder: Path) -> None:
    """Write a page for each public module, and their list."""
    folder.mkdir(parents=True, exist_ok=True)
    modules = sorted(public_modules())
    for module in modules:
        (folder / f"{module}.rst").write_text(page(module), encoding="utf-8")
    index = ["API", "===", "", "Every public name, by the package that offers it.", ""]
    index += [".. list-table::", "   :widths: auto", ""]
    for module in modules:
        doc = (inspect.getdoc(importlib.import_module(module)) or "").partition("\n")[0]
        index += [f"   * - :doc:`{module}`", f"     - {doc}"]
    index += ["", ".. toctree::", "   :hidden:", "", *(f"   {module}" for module in modules), ""]
    (folder / "index.rst").write_text("\n".join(index), encoding="utf-8")

"""The documentation site: where its pages are, and what the API reference holds.

The build itself, with warnings as errors, is a step of .ci/run.
"""

from __future__ import annotations

import importlib.util
import itertools
import json
import re
from collections import Counter
from types import ModuleType

import pytest

from .conftest import DOCS, page

ROOT = DOCS.parent
WRITTEN_BY_A_PAGE = {"pyrfly.vehicles.ball"}
"""Modules that a reader writes, by what a page tells."""

IMPORT = re.compile(r"^\s*from (pyrfly[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


def tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


site_pages = tool("site_pages")


def test_every_page_is_in_one_section() -> None:
    lists = [pages for name in site_pages.SECTIONS for pages in site_pages.lists(name).values()]
    listed = Counter(itertools.chain.from_iterable(lists))
    pages = {path.stem for path in DOCS.glob("*.md")} - {"index", *site_pages.SECTIONS}
    shown = {site_pages.page_of_file(f"notebooks/{n.name}") for n in ROOT.glob("notebooks/*.ipynb")}
    pages |= {path.removesuffix(".ipynb").lstrip("/") for path in shown}
    wrong = {entry: listed[entry] for entry in pages if listed[entry] != 1}
    assert not wrong, f"lines of these pages in {', '.join(site_pages.SECTIONS)}.md: {wrong}"


def test_every_picture_is_in_the_gallery() -> None:
    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page("gallery.md"))
    pictures = [path.name for path in DOCS.iterdir() if path.suffix in (".png", ".webp", ".gif")]
    assert sorted(shown) == sorted(pictures)


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("[a](faults.md#kinds)", "[a](/faults.md#kinds)"),
        ("[faults.md](faults.md)", "[](/faults.md)"),
        ('"cells": [ "[faults.md](faults.md)" ]', '"cells": [ "[](/faults.md)" ]'),
        ("[a](../notebooks/vtol.ipynb)", "[a](/generated/notebooks/vtol.ipynb)"),
        ("[a](../examples/zoo.py)", "[a](/generated/examples/zoo.md)"),
        ("[a](../README.md)", "[a](/index.md)"),
        ("![a](zoo.webp)", "![a](/zoo.webp)"),
        ("[`csrc/models/rotor.h`](../csrc/models/rotor.h)", "`csrc/models/rotor.h`"),
        ("[a](https://px4.io)", "[a](https://px4.io)"),
        ("[a](#kinds)", "[a](#kinds)"),
    ],
)
def test_a_link_of_files_becomes_one_of_the_site(link: str, expected: str) -> None:
    assert site_pages.with_site_links(link, "docs") == expected


def anchors(name: str) -> set[str]:
    """Return the anchors of a page's headings, as GitHub and the site make them."""
    text = re.sub(r"^```.*?^```", "", page(name), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_lead_to_sections() -> None:
    links = {
        (path.name, target or path.name, anchor)
        for path in DOCS.glob("*.md")
        for target, anchor in re.findall(r"\]\(([\w-]*(?:\.md)?)#([^)]+)\)", page(path.name))
    }
    assert len(links) > 100
    known = {name: anchors(name) for name in {target for _, target, _ in links}}
    assert [link for link in links if link[2] not in known[link[1]]] == []


# --- the API reference


@pytest.fixture(scope="module")
def site_api() -> ModuleType:
    pytest.importorskip("sphinx")
    pytest.importorskip("pettingzoo")
    return tool("site_api")


def programs() -> list[str]:
    """Return the texts in which names are imported: pages, examples, notebooks."""
    pages = [ROOT / "README.md", *DOCS.glob("*.md"), *(ROOT / "examples").rglob("*.py")]
    notebooks = [json.loads(path.read_text("utf-8")) for path in ROOT.glob("notebooks/*.ipynb")]
    cells = ["".join(cell["source"]) for notebook in notebooks for cell in notebook["cells"]]
    return [*(path.read_text("utf-8") for path in pages), *cells]


@pytest.mark.slow
def test_every_name_that_pages_import_is_public(site_api: ModuleType) -> None:
    public = {*site_api.aliases(), *site_api.public_modules()}
    imported = {
        f"{module}.{name}"
        for program in programs()
        for module, names in IMPORT.findall(program)
        if module not in WRITTEN_BY_A_PAGE
        for name in re.findall(r"(\w+)(?: as \w+)?", names.partition("#")[0].partition("`")[0])
    }
    packages = {"pyrfly.protocol", "pyrfly.rflysim"}
    assert len(imported) > 50
    assert imported - public - packages == set()


@pytest.mark.slow
def test_every_public_name_says_what_it_is(site_api: ModuleType) -> None:
    names = [name for of_module in site_api.public_names().values() for name in of_module]
    assert len(names) > 500
    assert [name.path for name in names if not site_api.summary(name)] == []

"""The documentation site: ``python -m sphinx -j auto -W docs build/site``."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.nodes import make_refnode

import pyrfly

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
import site_api
import site_pages

project = "pyrfly"
author = "pyrfly developers"
version = release = pyrfly.__version__

extensions = ["sphinx.ext.autodoc", "numpydoc", "myst_nb"]
root_doc = "index"
html_theme = "pydata_sphinx_theme"
html_title = "pyrfly"
html_theme_options = {
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_sidebars = {"index": []}
html_show_sourcelink = False
html_copy_source = False

nb_execution_mode = "off"  # notebooks are stored with their outputs
myst_heading_anchors = 4  # those of GitHub
default_role = "py:obj"  # of docstrings: a link where a name is public, else code
autodoc_member_order = "groupwise"
autodoc_preserve_defaults = True
autodoc_typehints = "none"  # docstrings name types, shapes and units
autodoc_mock_imports = site_api.NOT_NEEDED
numpydoc_show_class_members = False
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"
nitpicky = True


def read_source(app: Sphinx, page: str, source: list[str]) -> None:
    """Turn the links of a page of docs/ into those of the site; add what a section lists."""
    if page.startswith("generated/"):
        return
    source[0] = site_pages.with_site_links(source[0], "docs")
    if page == "index":
        source[0] += site_pages.toctree(site_pages.SECTIONS)
    elif page in site_pages.SECTIONS:
        for heading, pages in site_pages.lists(page).items():
            source[0] += site_pages.toctree(pages, heading)


def public_path(target: str, node: nodes.Element) -> str | None:
    """Return the documented path of a name that a docstring uses, None if it is not public."""
    aliases = site_api.aliases()
    module = node.get("py:module") or "pyrfly"
    scopes = [module.rsplit(".", n)[0] for n in range(module.count(".") + 1)]
    for path in [target, *(f"{scope}.{target}" for scope in scopes)]:
        head, tail = path, ""
        while head:
            if head in aliases:
                return aliases[head] + tail
            head, _, last = head.rpartition(".")
            tail = f".{last}{tail}"
    return None


def resolve(app: Sphinx, env: Any, node: nodes.Element, shown: nodes.Element) -> Any:
    """Link a name to where it is documented; leave code that is no public name as it is."""
    if node.get("refdomain") != "py":
        return None
    objects = env.domains.python_domain.objects
    path = public_path(node["reftarget"], node)
    if path in objects and app.builder is not None:
        found = objects[path]
        return make_refnode(app.builder, node["refdoc"], found.docname, found.node_id, shown, path)
    return shown if node["reftype"] == "obj" else None


def link_pages(
    app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]
) -> None:
    """Link the pages that a docstring names."""
    lines[:] = [re.sub(r"(`{0,2})docs/([\w-]+)\.md\1", r":doc:`/\2`", line) for line in lines]


def setup(app: Sphinx) -> None:
    site_pages.make_pages()
    site_api.make_pages(site_pages.MADE / "api")
    app.connect("source-read", read_source)
    app.connect("autodoc-process-docstring", link_pages)
    app.connect("missing-reference", resolve)

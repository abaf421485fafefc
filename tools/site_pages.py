"""Pages of the documentation site that show other files of the tree, and the links between all.

The pages of docs/ are also read where no site is built, so their links are those of files. Here
they become links of the site: to a page of docs/, to one that is made of a notebook, an example
or a page of the root, or, of any other file, its name alone.
"""

from __future__ import annotations

import argparse
import ast
import posixpath
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from pyrfly import cli
from pyrfly.commands import columns

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
MADE = DOCS / "generated"

SECTIONS = ("first-steps", "how-to", "explanation", "reference")
"""Pages whose lists are the parts of the site's navigation."""

MORE_PAGES = {
    "how-to": ("generated/examples/index",),
    "reference": ("generated/api/index", "generated/commands", "generated/columns"),
}
"""Pages that are made, and so cannot be links of a section."""

ROOT_PAGES = ("CHANGELOG.md", "CONTRIBUTING.md")

LINK = re.compile(r"(!?)\[([^][]*)\]\(([^)\s#]+)((?:#[^)\s]*)?)\)")
ENTRY = re.compile(r"^- \[[^\]]*\]\(([^)\s#]+)\)", re.MULTILINE)


def page_of_file(path: str) -> str | None:
    """Return the page that shows a file of the tree, both as paths; None if there is none."""
    folder, name = posixpath.split(path)
    if path == "README.md":
        return "/index.md"
    if path.startswith("docs/"):
        return path.removeprefix("docs")
    if path in ROOT_PAGES or folder == "notebooks":
        return f"/generated/{path}"
    if folder == "examples" and name.endswith(".py"):
        return f"/generated/{path.removesuffix('.py')}.md"
    return None


def with_site_links(text: str, folder: str) -> str:
    """Return the text of a page in a folder of the tree with its links as those of the site.

    A link that shows the name of a page shows its title, or that of the section.
    """

    def link_of_site(link: re.Match[str]) -> str:
        image, words, target, anchor = link.groups()
        if "://" in target:
            return link[0]
        page = page_of_file(posixpath.normpath(posixpath.join(folder, target)))
        if not page:
            return words
        return f"{image}[{'' if words.endswith('.md') else words}]({page}{anchor})"

    return LINK.sub(link_of_site, text)


def lists(section: str) -> dict[str, list[str]]:
    """Return the pages that a section lists, lines ``- [title](page)``, by the heading above.

    Without their endings; those that are made come first, under no heading.
    """
    text = (DOCS / f"{section}.md").read_text(encoding="utf-8")
    first, *rest = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    found = {"": [*MORE_PAGES.get(section, ()), *_entries(first)]}
    found |= {heading: _entries(body) for heading, body in zip(rest[::2], rest[1::2], strict=True)}
    return {heading: pages for heading, pages in found.items() if pages}


def _entries(text: str) -> list[str]:
    pages = [page_of_file(posixpath.normpath(f"docs/{target}")) for target in ENTRY.findall(text)]
    return [str(Path(page).with_suffix("")).lstrip("/") for page in pages if page]


def toctree(pages: Iterable[str], caption: str = "") -> str:
    """Return the Markdown of a hidden table of contents."""
    options = [":hidden:", f":caption: {caption}"] if caption else [":hidden:"]
    lines = ["", "```{toctree}", *options, "", *(f"/{page}" for page in pages), "```", ""]
    return "\n".join(lines)


def make_pages() -> None:
    """Write the pages of root, notebooks and examples into docs/generated/."""
    shutil.rmtree(MADE, ignore_errors=True)
    (MADE / "notebooks").mkdir(parents=True)
    (MADE / "examples").mkdir()
    for name in ROOT_PAGES:
        text = (ROOT / name).read_text(encoding="utf-8")
        (MADE / name).write_text(with_site_links(text, "."), encoding="utf-8")
    for notebook in (ROOT / "notebooks").glob("*.ipynb"):
        text = with_site_links(notebook.read_text(encoding="utf-8"), "notebooks")
        (MADE / "notebooks" / notebook.name).write_text(text, encoding="utf-8")
    _make_examples(sorted((ROOT / "examples").glob("*.py")))
    (MADE / "commands.md").write_text(commands(), encoding="utf-8")
    text = re.sub(r"docs/([\w-]+\.md)", r"[\1](/\1)", columns.page())
    (MADE / "columns.md").write_text(text, encoding="utf-8")


def _make_examples(examples: list[Path]) -> None:
    rows = []
    for example in examples:
        docstring = ast.get_docstring(ast.parse(example.read_text(encoding="utf-8"))) or ""
        summary = docstring.partition("\n")[0]
        rows.append(f"| [{example.stem}]({example.stem}.md) | {summary} |")
        program = f"```{{literalinclude}} ../../../examples/{example.name}\n```\n"
        text = f"# {example.name}\n\n{summary}\n\n{program}"
        (MADE / "examples" / f"{example.stem}.md").write_text(text, encoding="utf-8")
    index = "# Examples\n\nPrograms of the folder `examples/`, each with what it shows.\n\n"
    index += "\n".join(["| program | shows |", "| --- | --- |", *rows, ""])
    index += toctree([f"generated/examples/{example.stem}" for example in examples])
    (MADE / "examples" / "index.md").write_text(index, encoding="utf-8")


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser and those of its commands, in their order."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from parsers(command)


def commands() -> str:
    """Return the page of the program's commands: what ``--help`` prints of each."""
    texts = ["# Commands", "What `--help` prints of the program and each of its commands."]
    texts += [f"## {p.prog}\n\n```text\n{p.format_help()}```" for p in parsers(cli.parser_of_all())]
    return "\n\n".join(texts) + "\n"

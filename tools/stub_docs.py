"""Docstrings of a module in its stub, for editors, which read the stub alone: `documented`."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator

LINE = 100
"""Longest line of the source."""


def documented(stub: str, module: object, line: float = LINE) -> str:
    """Return a stub with the docstrings that the public names of its module have, and no others.

    Lines of docstrings that are too long are wrapped.
    """
    lines = stub.splitlines()
    tree = ast.parse(stub)
    for names, node in sorted(_definitions(tree, ()), key=lambda pair: -pair[1].lineno):
        body, first = node.body[0], node.body[0].lineno - 1
        has_doc = ast.get_docstring(node) is not None
        doc = _doc_of(module, names)
        text = _quoted(doc, node.col_offset + 4, line) if doc else []
        if has_doc:
            lines[first : body.end_lineno] = text
        elif text and isinstance(node, ast.ClassDef):
            lines[first:first] = [*text, ""]
        elif text:
            lines[first : first + 1] = [lines[first].removesuffix(" ..."), *text]
    if ast.get_docstring(tree) is not None:
        del lines[: tree.body[0].end_lineno]
    head = _quoted(inspect.getdoc(module) or "", 0, line)
    return "\n".join([*head, "", "\n".join(lines).strip(), ""])


def _definitions(
    node: ast.AST, names: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], ast.FunctionDef | ast.ClassDef]]:
    """Yield functions and classes with their names, but for setters and private ones."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If):
            yield from _definitions(child, names)
        elif isinstance(child, (ast.FunctionDef, ast.ClassDef)) and child.name[0] != "_":
            if any(isinstance(mark, ast.Attribute) for mark in child.decorator_list):
                continue
            yield (*names, child.name), child
            if isinstance(child, ast.ClassDef):
                yield from _definitions(child, (*names, child.name))


def _doc_of(module: object, names: tuple[str, ...]) -> str:
    found = module
    for name in names:
        found = getattr(found, name)
    return inspect.getdoc(found) or ""


def _quoted(doc: str, indent: int, line: float) -> list[str]:
    """Return a docstring as lines of code."""
    texts: list[str] = []
    for text in doc.splitlines():
        if len(text) + indent + 6 <= line:
            texts.append(text)
        else:
            begin = text[: len(text) - len(text.lstrip())]
            texts += textwrap.wrap(text, int(line) - indent - 6, subsequent_indent=begin)
    body = "\n".join(texts) + ("\n" if len(texts) > 1 else "")
    return [f"{' ' * indent}{text}".rstrip() for text in f'"""{body}"""'.split("\n")]

"""docs/references.md against the tree: what is cited has an entry, once, and goes by its key."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "references.md"

FOLDERS = "benchmarks csrc docs examples notebooks pyrfly ros tests tools".split()
SUFFIXES = {".c", ".h", ".inc", ".ipynb", ".md", ".py", ".pyi", ".toml", ".txt"}

KEY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
# The key ends at a space or at the bracket; what follows says where in the source. The form by
# itself, in quotes, cites nothing.
CITATION = re.compile(r"\[@(?![\"'`])(?P<key>[^\s\]]*)(?P<where>[^\[\]]*)(?P<end>\]?)")
ENTRY = re.compile(r"^### (.*)\n((?:(?!^#).*\n)*)", re.MULTILINE)
SOURCE = re.compile(r"\A\n(?!Used for)\S.{20}")
USE = re.compile(r"^Used for: \w", re.MULTILINE)
REPOSITORY = re.compile(r"<https://github\.com/([\w.-]+/[\w.-]+)>")
LONGEST_PLACE = 100
Entries = list[tuple[str, str]]


def files() -> Iterator[Path]:
    """Yield the files of the project that cite, this one and hidden ones left out."""
    yield from (p for p in ROOT.iterdir() if p.is_file() and p.suffix in SUFFIXES)
    for path in (p for folder in FOLDERS for p in (ROOT / folder).rglob("*")):
        hidden = any(part.startswith((".", "__")) for part in path.relative_to(ROOT).parts[:-1])
        if path.suffix in SUFFIXES and path.is_file() and not hidden and path != Path(__file__):
            yield path


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def entries(page: str) -> Entries:
    return [(match[1], match[2]) for match in ENTRY.finditer(page)]


KEYS = {key for key, _ in entries(text_of(PAGE))}
DATA = sorted(p.name for p in (ROOT / "tests" / "data").iterdir() if p.is_dir())


def faults_of_page(page: str) -> list[str]:
    """Return what is wrong with the entries themselves."""
    found = entries(page)
    keys = Counter(key for key, _ in found)
    repositories = Counter(name for _, text in found for name in REPOSITORY.findall(text))
    links = re.findall(r"\]\(#([^)]*)\)", page)
    return [
        *(f"{key!r} is no key" for key in keys if not KEY.fullmatch(key)),
        *(f"{key!r} has {n} entries" for key, n in keys.items() if n > 1),
        *(f"{name} has {n} keys" for name, n in repositories.items() if n > 1),
        *(f"{key!r} has no source" for key, text in found if not SOURCE.search(text)),
        *(f"{key!r} has no use" for key, text in found if not USE.search(text)),
        *(f"#{link} leads nowhere" for link in links if link not in keys),
    ]


def faults_of_citations(text: str, keys: set[str]) -> list[str]:
    """Return the citations that name no entry or are not closed."""
    return [
        match[0]
        for match in CITATION.finditer(text)
        if match["key"] not in keys or not match["end"] or len(match["where"]) > LONGEST_PLACE
    ]


def test_entries_are_complete_and_each_is_there_once() -> None:
    assert len(KEYS) > 40
    assert faults_of_page(text_of(PAGE)) == []


def test_every_citation_has_an_entry() -> None:
    wrong = {p: faults_of_citations(text_of(p), KEYS) for p in files()}
    assert {str(p.relative_to(ROOT)): found for p, found in wrong.items() if found} == {}


@pytest.mark.parametrize("folder", DATA)
def test_data_from_outside_name_their_key(folder: str) -> None:
    assert CITATION.search(text_of(ROOT / "tests" / "data" / folder / "SOURCE.txt"))

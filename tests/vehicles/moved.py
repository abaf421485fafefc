"""A packaged family outside of the tree, under another name."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pyrfly
from pyrfly.vehicles import FAMILIES


def moved_outside(family: str, folder: Path, name: str) -> Path:
    """Copy a family of one type, with its sets, to a folder; all have the new name, or end so."""
    made = folder / name
    python = FAMILIES[family].sets.parent
    shutil.copytree(python, made, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (pyrfly.get_include() / "vehicles" / family).iterdir():
        shutil.copy(path, made)
    for path in made.iterdir():
        if path.suffix in (".h", ".inc", ".py"):
            text = path.read_text(encoding="utf-8")
            word = rf"\b{family}(?=\b|_)" if path.suffix != ".py" else rf"(?<=[\"./]){family}\b"
            path.write_text(re.sub(word, name, text), encoding="utf-8")
    for path in (made / "sets").iterdir():
        text = path.read_text(encoding="utf-8")
        for old, new in ((family, name), (path.stem, f"{path.stem}_{name}")):
            text = re.sub(rf'^(\w+ = )"{old}"$', rf'\1"{new}"', text, flags=re.MULTILINE)
        text = re.sub(r"^aliases = .*\n", "", text, flags=re.MULTILINE)
        path.write_text(text, encoding="utf-8")
        path.rename(path.with_stem(f"{path.stem}_{name}"))
    return made

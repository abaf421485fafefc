"""Documents of parameter sets as TOML text: `toml_text`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

__all__ = ["toml_text"]


def toml_text(document: Mapping[str, Any]) -> str:
    """Return the text of a document: single values, then a section per table.

    Parameters
    ----------
    document : mapping
        Texts, numbers, truth values, lists and tables of these.
    """
    tables = {name: value for name, value in document.items() if isinstance(value, dict)}
    single = {name: value for name, value in document.items() if name not in tables}
    # lists of tables are inline too, so that they may stand among the single values
    lines = [f"{_key(name)} = {_value(value)}" for name, value in single.items()]
    for name, table in tables.items():
        lines += ["", f"[{_key(name)}]"]
        lines += [f"{_key(key)} = {_value(value)}" for key, value in table.items()]
    return "\n".join(lines) + "\n"


LINE = 120
"""Characters of a line of text, from which on it is broken."""


def _text(value: str) -> str:
    quoted = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if len(quoted) <= LINE:
        return quoted
    lines = [""]
    for word in re.findall(r"\S+\s*|\s+", quoted[1:-1]):  # a line begins with no space
        if len(lines[-1]) + len(word) > LINE and lines[-1]:
            lines.append("")
        lines[-1] += word
    return '"""' + "\\\n".join(lines) + '"""'


def _key(name: str) -> str:
    bare = name.replace("_", "a").replace("-", "a")
    return name if bare.isascii() and bare.isalnum() else json.dumps(name)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    return repr(float(value)) if isinstance(value, float) else str(int(value))

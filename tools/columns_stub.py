"""Print the stub of pyrfly.columns, with the columns of a core: ``columns_stub.py CORE``.

setup.py writes it beside the core that it has built. Here pyrfly is imported without its __init__,
so that the build needs no more than NumPy.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from types import ModuleType

package = ModuleType("pyrfly")
package.__path__ = [str(Path(sys.argv[1]).parent), str(Path(__file__).parents[1] / "pyrfly")]
sys.modules["pyrfly"] = package

from stub_docs import documented  # noqa: E402

from pyrfly import columns  # noqa: E402
from pyrfly.columns import Columns, Field, column_meanings  # noqa: E402

FIELD_TYPES = {name: "int" if name == "width" else "str" for name in Field._fields}


def columns_stub() -> str:
    """Return pyrfly/columns.pyi."""
    lines = [
        "# Made by the build (tools/columns_stub.py) from the columns.h files of csrc.",
        "from collections.abc import Iterable, Mapping, Sequence",
        "from typing import Any, ClassVar, NamedTuple",
        "",
        "from numpy.typing import ArrayLike, NDArray",
        "",
        "class Field(NamedTuple):",
        *(f"    {name}: {kind}" for name, kind in FIELD_TYPES.items()),
        "    @property",
        "    def shape(self) -> str: ...",
        "",
        "MOST_NAMED: int",
        "",
        "class Fields(tuple[Field, ...]):",
        "    HEAD: ClassVar[tuple[str, ...]]",
        "    @property",
        "    def rows(self) -> tuple[tuple[str, ...], ...]: ...",
        "",
        "class Meaning(NamedTuple):",
        "    field: Field",
        "    widths: dict[str, int]",
        "",
        "def components_of(field: Field) -> Mapping[str, str]: ...",
        "def column_meanings() -> dict[str, list[Meaning]]: ...",
        "def vehicle_types() -> Mapping[str, Mapping[str, Any]]: ...",
        "def parts() -> Mapping[str, Mapping[str, Any]]: ...",
        "def constant_of(c_type: str, name: str) -> float: ...",
        "def fields_of_type(c_type: str) -> tuple[Field, ...]: ...",
        "def fields_of_part(part: str) -> tuple[Field, ...]: ...",
        "def column_names() -> frozenset[str]: ...",
        "def add_type(c_type: str) -> None: ...",
        "def is_attribute(name: str) -> bool: ...",
        "def learn_types() -> None: ...",
        "def other_meaning(",
        "    field: Field, c_types: Iterable[str], alike: Sequence[str] = ...",
        ") -> Field | None: ...",
        "def part_with(name: str) -> str | None: ...",
        "def result_columns() -> Mapping[str, str]: ...",
        "def command_columns(c_type: str) -> tuple[str, ...]: ...",
        "",
        "class Columns:",
        "    def _view(self, name: str) -> NDArray[Any]: ...",
        "    def _write(self, name: str, value: Any) -> None: ...",
    ]
    for name, ((field, _), *_) in column_meanings().items():
        about = "\n        ".join((getattr(Columns, name).__doc__ or "").splitlines())
        lines += [
            "    @property",
            f"    def {name}(self) -> NDArray[Any]:",
            f'        """{about}"""',
        ]
        if field.role != "output":
            lines += [f"    @{name}.setter", f"    def {name}(self, value: ArrayLike) -> None: ..."]
    return documented("\n".join(lines), columns, math.inf)


print(columns_stub(), end="")

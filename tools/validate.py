"""Write docs/validation.md: what pyrfly differs by from truth from outside, with pictures.

    python tools/validate.py [FOLDER]

FOLDER is by default docs. The comparisons are those of the tests (`truth.py` beside them, see
tests/comparison.py), which fail where the page has other errors. It needs the extra ``test``.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
if "tests" not in sys.modules:  # it is no package, and another one may have its name
    sys.modules["tests"] = ModuleType("tests")
    sys.modules["tests"].__path__ = [str(ROOT / "tests")]

from pyrfly.commands.progress import Progress  # noqa: E402
from tests.comparison import Comparison, Figure, Truth, shown  # noqa: E402

if TYPE_CHECKING:
    Errors = Mapping[str, str]
    """Errors as printed, by the names of the comparisons."""

ORDER = (
    *("models", "environment", "frames", "vehicles/multirotor", "vehicles/plane"),
    *("vehicles/gazebo_blocks", "vehicles/car", "vehicles/truck", "vehicles/marine", "power"),
    "estimator",
)
"""Folders of tests with a `truth.py`, in the order of the page."""

BEGIN = """# Validation

*How far is pyrfly from what others have measured, published or computed? Every number on this page
is an error that was measured by a test, against truth that comes from outside of the project.*

The page is written by `python tools/validate.py`. The tests that it names compute the same errors
each time they run, ask for the tolerance, and fail where the page says another number: so it is
never out of date. Run one by its name:

```sh
pytest -m "" -k nesc-3-tool-04
```

**How to read it.** A *truth* is a source from outside: trajectories of NASA, programs of
universities, official tables, measured ships and batteries. An *error* is the largest difference
between ours and that, over all times, places or states that are compared. "Below" means that only
the last bits of the arithmetic differ, which depend on the processor. A *tolerance* is what the
test asks for. It is chosen by the truth: the digits that are printed, the spread of the tools that
computed it, or what is known to be different. A tolerance of some per cent says that the truth is
another model, or water and chemistry; the section says which.

**What is verified and what is validated.** Most truths here are other computations: they verify
that the equations are solved rightly. Few are measurements, which say whether the equations are
right: a [model ship](#the-tanker-kvlcc2-a-model-ship-and-another-program),
[batteries](#batteries), and the sets that were
[identified from flights](#numbers-of-rflysim-px4-and-crazyflies).
"""

AFTER = """## Not compared

- **Real flights.** No log of a flight with measured positions is part of the project.
- **Path following and energy control** are compared with PX4's unit tests in C
  (`tests/c/test_path_following.c`, `test_tecs.c`), which say whether they are met, and not by how
  much.
- **Turbulence, waves, sensors and faults** have statistics and closed forms as their truth, which
  are tested (`tests/environment`, `tests/sensors`), and no other program.
- **RflySim's own runs.** RflySim is not at hand; its published numbers are above.
"""


def truths() -> list[Truth]:
    """Return all truths, in the order of the page."""
    found = {
        str(path.parent.relative_to(ROOT / "tests")) for path in ROOT.glob("tests/**/truth.py")
    }
    if found != set(ORDER):
        raise ValueError(f"ORDER: expected {sorted(found)}, got {sorted(ORDER)}")
    modules = (importlib.import_module(f"tests.{one.replace('/', '.')}.truth") for one in ORDER)
    return [truth for module in modules for truth in module.TRUTHS]


def anchor(title: str) -> str:
    """Return how a link names a heading."""
    kept = (c for c in title.lower().replace(" ", "-") if c.isalnum() or c == "-")
    return "".join(kept)


def share(error: str, comparison: Comparison) -> float:
    """Return how much of its tolerance an error has."""
    return 0.0 if error.startswith("below") else float(error) / comparison.tolerance


def with_unit(text: str, comparison: Comparison) -> str:
    return f"{text} {comparison.unit}".strip()


def tolerance(comparison: Comparison) -> str:
    return with_unit(f"{comparison.tolerance:.2g}", comparison)


def filled(text: str) -> str:
    """Return a paragraph in lines of at most 120 characters."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= 120:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines)


def glance(all_truths: list[Truth], errors: Errors) -> str:
    """Return the table of all truths, each with the comparison that is nearest to its tolerance."""
    rows = [
        "| truth | what it is | comparisons | nearest to its tolerance | error | tolerance |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for truth in all_truths:
        nearest = max(truth.comparisons, key=lambda one: share(errors[one.name], one))
        numbers = f"{with_unit(errors[nearest.name], nearest)} | {tolerance(nearest)}"
        link = f"[{truth.title}](#{anchor(truth.title)})"
        count = len(truth.comparisons)
        rows.append(f"| {link} | {truth.kind} | {count} | {nearest.what} | {numbers} |")
    return "\n".join(rows)


def section(truth: Truth, errors: Errors) -> str:
    """Return the section of a truth."""
    sources = ", ".join(f"[{key}](references.md#{key})" for key in truth.sources)
    rows = [
        "| name | compared | error | tolerance |",
        "| --- | --- | --- | --- |",
        *(
            f"| `{one.name}` | {one.what} | {with_unit(errors[one.name], one)} | {tolerance(one)} |"
            for one in truth.comparisons
        ),
    ]
    figures = [f"![{one.caption}](validation/{one.file}.png)" for one in truth.figures]
    return "\n\n".join(
        [
            f"## {truth.title}",
            filled(truth.text),
            *figures,
            "\n".join(rows),
            filled(f"Source: {sources}. Test: `{truth.test}`. Not compared: {truth.left_out}"),
        ]
    )


def page(all_truths: list[Truth], errors: Errors) -> str:
    """Return the page with errors as printed."""
    sections = [section(truth, errors) for truth in all_truths]
    parts = [BEGIN.rstrip(), "## At a glance", glance(all_truths, errors), *sections, AFTER]
    return "\n\n".join(parts)


def draw(figure: Figure, path: Path) -> None:
    """Draw a picture of the page."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib.figure import Figure as Canvas

    style = {"axes.spines.top": False, "axes.spines.right": False, "axes.grid": True}
    style |= {"grid.alpha": 0.3, "font.size": 9, "axes.titlesize": 9}
    with mpl.rc_context(style):
        canvas = Canvas(figsize=figure.size, layout="constrained")
        figure.draw(canvas)
        canvas.savefig(path, dpi=100)


def main() -> None:
    """Compare, and write the page and its pictures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs"
    all_truths = truths()
    (folder / "validation").mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings(), Progress() as progress:
        warnings.simplefilter("ignore")
        errors = {}
        for one in (one for truth in all_truths for one in truth.comparisons):
            progress.show(f"compares {one.name}")
            errors[one.name] = shown(one.error(), one)
        for figure in (figure for truth in all_truths for figure in truth.figures):
            progress.show(f"draws {figure.file}")
            draw(figure, folder / "validation" / f"{figure.file}.png")
    (folder / "validation.md").write_text(page(all_truths, errors), encoding="utf-8")


if __name__ == "__main__":
    main()

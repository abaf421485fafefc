"""Rules of docs/architecture.md that are checked in the sources."""

import ast
import functools
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CSRC = ROOT / "csrc"

# A file may include headers of its own layer and of the layers before it.
LAYERS = (
    *("pyrfly_model.h", "pyrfly_columns.h"),
    *(
        "base",
        "math",
        "picture",
        "models",
        "scene",
        "control",
        "parts",
        "vehicles",
        "tasks",
        "batch",
        "world",
        "wire",
    ),
    *("net", "libraries", "standalone", "python"),
)
LANE_LAYERS = {"math", "models", "control", "parts", "vehicles", "tasks"}

# A module may import its own subpackage and those before it, also lazily and for types.
SUBPACKAGES = (
    "_core errors files headers compilers exact arrays frames protocol mavlink description "
    "columns terrain scene transport vehicles plugins sim standalone options mixers wire "
    "mission log view compare identify cases ctrl autopilot server rflysim rl campaign bench "
    "commands cli __main__"
).split()
# Subpackages imported by `import pyrfly`; more would make it slow.
IMPORTED = (
    "_core errors files headers exact arrays frames protocol description columns terrain scene "
    "vehicles sim"
).split()

SPDX = "/* SPDX-License-Identifier: BSD-3-Clause */"

C_FUNCTION_LINES = 60
PYTHON_FUNCTION_LINES = 60
# Functions that are long, each with its reason.
LONG_FUNCTIONS: dict[str, str] = {}

# Lane code must not call <math.h>: glibc picks other code on other processors, and a call for each
# vehicle undoes the lanes.
LIBM = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 "
    "fabs fdim floor fma fmax fmin fmod frexp hypot ldexp lgamma llrint llround log log10 log1p "
    "log2 lrint lround modf nearbyint nextafter pow remainder rint round scalbn sin sincos sinh "
    "sqrt tan tanh tgamma trunc"
).split()
LIBM_CALL = re.compile(rf"(?<![\w.>])({'|'.join(LIBM)})[fl]?\s*\(")
# Computed by one instruction, exactly rounded, everywhere.
EXACT_BUILTINS = {"sqrt", "sqrtf", "fabs", "fabsf"}


def c_files() -> list[Path]:
    return sorted(p for ext in ("*.c", "*.h", "*.inc") for p in CSRC.rglob(ext))


def c_test_files() -> list[Path]:
    return sorted(p for ext in ("*.c", "*.h") for p in (ROOT / "tests").rglob(ext))


def python_files() -> list[Path]:
    tops = ("pyrfly", "examples", "benchmarks", "tools", "tests")
    return [ROOT / "setup.py", *sorted(p for top in tops for p in (ROOT / top).rglob("*.py"))]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def layer(path: Path) -> str:
    return path.relative_to(CSRC).parts[0]


def code(path: Path) -> str:
    """Return a C source with comments and literals blanked, line by line as it was."""
    noise = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
    return noise.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), path.read_text(encoding="utf-8"))


def includes(path: Path) -> list[str]:
    directive = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<][^">]+)', re.MULTILINE)
    return directive.findall(path.read_text(encoding="utf-8"))


def included_files(path: Path) -> list[Path]:
    """Return the files that `#include "header"` means in `path`, as the compiler finds them."""
    headers = [header[1:] for header in includes(path) if header[0] == '"']
    beside = [path.parent / header for header in headers]
    found = [b if b.exists() else CSRC / h for b, h in zip(beside, headers, strict=True)]
    return [file.resolve() for file in found]


def included_by(paths: set[Path]) -> set[Path]:
    """Return files with all that they include, directly or not."""
    found: set[Path] = set()
    while paths:
        found |= paths
        paths = {file for path in paths for file in included_files(path)} - found
    return found


def used_files() -> dict[str, set[str]]:
    """Return which C files each one needs for the functions that it names.

    Names of layers below its own are variables of its own.
    """
    files = [path for path in c_files() if path.suffix == ".c"]
    defined = {path: dict(c_definitions(path)) for path in files}
    owners = {n: p for p, found in defined.items() for n, public in found.items() if public}
    used = {}
    for path in files:
        words = set(re.findall(r"\w+", code(path))) & owners.keys() - defined[path].keys()
        used[name(path)] = {
            name(owners[word])
            for word in words
            if LAYERS.index(layer(owners[word])) <= LAYERS.index(layer(path))
        }
    return used


class TestCSource:
    """Rules for the files of the core."""

    def test_lies_in_a_known_layer(self) -> None:
        assert {layer(path) for path in c_files()} == set(LAYERS)

    def test_includes_no_layer_below_its_own(self) -> None:
        wrong = []
        for path in c_files():
            for target in included_files(path):
                outside = not target.is_relative_to(CSRC)
                if outside or LAYERS.index(layer(target)) > LAYERS.index(layer(path)):
                    wrong.append(f"{name(path)} includes {target}")
        assert not wrong

    def test_includes_nothing_in_a_circle(self) -> None:
        assert not in_circles({name(p): set(map(name, included_files(p))) for p in c_files()})

    def test_uses_functions_in_no_circle(self) -> None:
        used = used_files()
        assert "csrc/batch/access.c" in used["csrc/batch/batch.c"]
        assert not in_circles(used)

    def test_knows_python_only_in_its_layer(self) -> None:
        python = re.compile(r".(Python\.h|numpy/|structmember\.h)")
        knowing = {layer(p) for p in c_files() if any(map(python.match, includes(p)))}
        assert knowing == {"python"}

    def test_reads_no_parameters_in_controllers_and_guidance(self) -> None:
        """Whatever a model does not include knows a vehicle by its gains."""
        vehicles = set((CSRC / "vehicles").glob("*/*.h"))
        models = re.compile(r'#define TYPE_(?:MODEL|STEP)\s+"(.*)"')
        listed = [p.read_text("utf-8") for p in (CSRC / "vehicles").glob("*/types.inc")]
        of_models = included_by({CSRC / one for text in listed for one in models.findall(text)})
        tables = {path for path in vehicles if path.stem in ("columns", "arrays")}
        files = {*vehicles - of_models - tables, *(CSRC / "control").glob("*")}
        controllers = set((CSRC / "vehicles").glob("*/control.h"))
        assert len(controllers) > 5
        assert controllers <= files
        files.remove(CSRC / "vehicles/own_model/control.h")  # whose authors may use parameters
        knowing = re.compile(r"load_param|\bPARAM_ROW|_PARAM_ROW|_param\b|BLOCKS_(AT|OWN|COLUMN)\(")
        assert not [name(p) for p in files if knowing.search(code(p))]

    def test_starts_with_the_licence(self) -> None:
        files = [*c_files(), *c_test_files()]
        assert not [name(p) for p in files if not p.read_text("utf-8").startswith(SPDX + "\n")]

    def test_keeps_functions_short(self) -> None:
        found = [too_long(path, c_functions(path), C_FUNCTION_LINES) for path in c_files()]
        assert not [functions for functions in found if functions]

    def test_calls_no_libm_in_lane_code(self) -> None:
        # Other .c files of these layers are for one vehicle, compiled once.
        lane_code = [p for p in c_files() if layer(p) in LANE_LAYERS]
        lane_code = [p for p in lane_code if p.suffix != ".c" or p.name == "update.c"]
        assert len(lane_code) > 20
        for path in lane_code:
            assert "<math.h" not in includes(path), name(path)
            assert not LIBM_CALL.findall(code(path)), name(path)
            builtins = set(re.findall(r"__builtin_(\w+)", code(path)))
            libm = {f + s for f in LIBM for s in ("", "f", "l")}
            assert not (builtins & libm) - EXACT_BUILTINS, name(path)


@pytest.mark.slow
def test_python_functions_are_short() -> None:
    files = python_files()
    assert len(files) > 100
    found = [too_long(path, python_functions(path), PYTHON_FUNCTION_LINES) for path in files]
    assert not [functions for functions in found if functions]


def package_files() -> list[Path]:
    return sorted((ROOT / "pyrfly").rglob("*.py"))


def module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module(path): path for path in package_files()}


@functools.cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def subpackage(name: str) -> str:
    """Return the subpackage of a module of the package; that of the package itself is empty."""
    return name.split(".")[1] if "." in name else ""


def imports(path: Path) -> set[str]:
    """Return the modules of the package that a file imports, wherever it does."""
    found = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide the subpackage"
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            known = {n for n in names if n in MODULES or n == "pyrfly._core"}
            found |= known if known == names else known | {str(node.module)}
    return {name for name in found if name.split(".")[0] == "pyrfly"}


class TestPackage:
    """Rules for the modules of the package."""

    @pytest.mark.slow
    def test_imports_no_subpackage_after_its_own(self) -> None:
        wrong = {}
        for path in package_files():
            own = subpackage(module(path))
            allowed = SUBPACKAGES[: SUBPACKAGES.index(own) + 1] if own else IMPORTED
            if later := {subpackage(name) for name in imports(path)} - set(allowed):
                wrong[name(path)] = later
        assert not wrong

    @pytest.mark.slow
    def test_uses_no_private_members_of_others(self) -> None:
        assert not {name(p): found for p in package_files() if (found := private_of_others(p))}


def private_of_others(path: Path) -> set[str]:
    """Return the attributes with a leading underscore that belong to no class of the module."""
    tree = list(ast.walk(parsed(path)))
    own = {node.name for node in tree if isinstance(node, ast.FunctionDef)}
    attributes = [node for node in tree if isinstance(node, ast.Attribute)]
    own |= {node.attr for node in attributes if of_itself(node.value)}
    private = {n.attr for n in attributes if re.match(r"_[a-z]", n.attr)}
    return private - own - PUBLIC


# Of Python's own library: public for all their underscore.
PUBLIC = {"_asdict", "_current_frames", "_fields", "_getframe", "_replace"}
# Where the end of the interpreter tells the threads of pools that no more work comes.
PUBLIC |= {"_threads_queues"}


def of_itself(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id in ("self", "cls")


@pytest.mark.slow
def test_no_import_goes_in_a_circle() -> None:
    assert not in_circles({name: imports(path) for name, path in MODULES.items()})


def in_circles(needs: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return what of a graph lies in a circle, or needs what does."""
    while leaves := {name for name, needed in needs.items() if not needed & needs.keys() - {name}}:
        needs = {name: needed for name, needed in needs.items() if name not in leaves}
    return {name: needed & needs.keys() for name, needed in needs.items()}


def test_import_of_pyrfly_imports_few_subpackages() -> None:
    program = "import sys, pyrfly; print(*(m for m in sys.modules if m.startswith('pyrfly.')))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert {subpackage(name) for name in done.stdout.split()} <= set(IMPORTED)


def too_long(path: Path, functions: Iterator[tuple[str, int]], limit: int) -> dict[str, int]:
    found = {f"{name(path)}:{function}": lines for function, lines in functions}
    return {k: lines for k, lines in found.items() if lines > limit and k not in LONG_FUNCTIONS}


def c_functions(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the name and the number of lines of every function."""
    for head, lines in c_heads(path):
        yield name_in_head(head), lines


def c_definitions(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield the name of every function, and whether other files can call it."""
    for head, _ in c_heads(path):
        yield name_in_head(head), not re.search(r"\bstatic\b", head)


def name_in_head(head: str) -> str:
    signature = re.search(r"(\w+)\s*\((?!.*\w\s*\()", head, re.DOTALL)
    return signature[1] if signature else head


def c_heads(path: Path) -> Iterator[tuple[str, int]]:
    """Yield what stands before the body of every function, and its number of lines.

    Relies on .clang-format: braces of a function stand alone at the start of a line.
    """
    head: list[str] = []
    start = 0
    for number, line in enumerate(code(path).split("\n"), 1):
        if line == "{":
            start = number
        elif line == "}" and start:
            yield " ".join(head), number - start + 1 + len(head)
            head, start = [], 0
        elif not start:
            head = [*head, line] if line.strip() and not line.startswith(("#", "}")) else []


def python_functions(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the name and the number of lines of every function, its docstring not counted."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = node.body[0] if ast.get_docstring(node) is not None else None
            documentation = docstring.end_lineno - docstring.lineno + 1 if docstring else 0
            yield node.name, node.end_lineno - node.lineno + 1 - documentation

"""What is installed: the right files, one version."""

import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path, PurePosixPath

import pytest

import pyrfly
from pyrfly.columns import fields_of_type, vehicle_types
from pyrfly.vehicles import FAMILIES

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def distribution() -> metadata.Distribution:
    """What is installed; a tree that was built in place is not."""
    try:
        return metadata.distribution("pyrfly")
    except metadata.PackageNotFoundError:
        pytest.skip("pyrfly is not installed: pip install -e . (CONTRIBUTING.md)")


@pytest.fixture(scope="module")
def installed(distribution: metadata.Distribution) -> set[PurePosixPath]:
    """The files of the package as the wheel's record lists them, byte code left out."""
    files = {PurePosixPath(f.as_posix()) for f in distribution.files or []}
    package = {f for f in files if f.parts[0] == "pyrfly" and f.suffix != ".pyc"}
    if not package or distribution.read_text("RECORD") is None:
        pytest.skip("an editable installation has no record of the package's files")
    return package


def shipped_sources() -> set[PurePosixPath]:
    """Return the files of the source tree that a wheel has to hold."""
    patterns = ["**/*.py", "**/*.pyi", "py.typed", "vehicles/*/sets/*.toml", "mission/plans/*.plan"]
    patterns += [
        "matlab/**/*.m",
        "server/*.html",
        "view/page/*.*",
        "plugins/templates/*.in",
    ]  # no sources of the package: others run them
    found = {p for pattern in patterns for p in (ROOT / "pyrfly").glob(pattern)}
    headers = {p for pattern in ("**/*.h", "**/*.inc") for p in (ROOT / "csrc").glob(pattern)}
    for top in ("math", "models", "control", "parts", "vehicles"):  # for `pyrfly export-model`
        sources = (ROOT / "csrc" / top).rglob("*.c")
        headers |= {p for p in sources if p.with_suffix(".h").exists()}
    # for families outside of the tree
    batch = {
        ROOT / "csrc" / "batch" / f"{name}.c" for name in ("kernels", "control_kernels", "plugin")
    }
    headers |= batch | {ROOT / "csrc" / name for name in ("cflags", "units.py", "compiling.py")}
    return {PurePosixPath(p.relative_to(ROOT).as_posix()) for p in found} | {
        PurePosixPath("pyrfly/include", p.relative_to(ROOT / "csrc").as_posix()) for p in headers
    }


def test_wheel_holds_every_file_of_the_package(installed: set[PurePosixPath]) -> None:
    assert not shipped_sources() - installed


def test_wheel_holds_one_extension_and_nothing_foreign(installed: set[PurePosixPath]) -> None:
    others = installed - shipped_sources()
    assert [f for f in others if re.fullmatch(r"_core\..*\.(so|pyd)|_core\.(so|pyd)", f.name)]
    assert len(others) == 1, sorted(map(str, others))


def test_package_ships_type_information() -> None:
    assert (Path(pyrfly.__file__).parent / "py.typed").exists()
    assert (Path(pyrfly.__file__).parent / "_core.pyi").exists()
    stub = (Path(pyrfly.__file__).parent / "columns.pyi").read_text(encoding="utf-8")
    own = [c_type for c_type, row in vehicle_types().items() if row["family"] in FAMILIES]
    names = {field.name for c_type in own for field in fields_of_type(c_type)}
    assert all(f"    def {name}(self)" in stub for name in names)


def test_version_is_the_same_everywhere() -> None:
    version = PROJECT["project"]["version"]
    assert pyrfly.__version__ == version
    assert pyrfly._core.version == version


def test_installed_version_is_that_of_the_project(distribution: metadata.Distribution) -> None:
    assert distribution.version == PROJECT["project"]["version"]


def test_changelog_starts_with_this_version() -> None:
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[0] == PROJECT["project"]["version"]


def test_import_of_pyrfly_brings_no_optional_or_slow_library(tmp_path: Path) -> None:
    slow = ["matplotlib", "pyarrow", "tqdm", "scipy"]
    program = f"import sys, pyrfly; print(*sys.modules.keys() & {set(slow)})"
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert result.stdout.split() == []


@pytest.mark.skipif(sys.platform != "linux", reason="reads the symbols of an ELF library")
@pytest.mark.skipif(not shutil.which("nm"), reason="no nm (binutils)")
def test_extension_exports_its_init_function_and_that_of_isolated_models_alone() -> None:
    library = pyrfly._core.__file__
    result = subprocess.run(
        ["nm", "--dynamic", "--defined-only", library], capture_output=True, text=True, check=True
    )
    assert [line.split()[-1] for line in result.stdout.splitlines()] == [
        "PyInit__core",
        "rf_isolated_serve",
    ]

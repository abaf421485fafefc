"""The extension `pyrfly._core`; everything else about the project is in pyproject.toml.

Objects are kept in build/, and compiled again when something that they are made of has changed.
Three environment variables change the build:

PYRFLY_SANITIZE=address,undefined
    Compile and link with these sanitizers of the compiler.
RF_BASE_ONLY=1
    Build no kernels but those of the base instruction set: a third of the time, slow to fly.
PYRFLY_WERROR=1
    Make warnings errors (for CI; a user's build must survive the warnings of tomorrow's compiler).
"""

import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy
import setuptools

# A virtual environment of Python 3.10 or 3.11 starts with 65, whose own message is hard to read.
if int(setuptools.__version__.split(".")[0]) < 77:
    sys.exit(f"setuptools is {setuptools.__version__}: run pip install 'setuptools>=77'")

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import CompileError

CSRC = Path("csrc")
SANITIZE = os.environ.get("PYRFLY_SANITIZE", "")
WERROR = os.environ.get("PYRFLY_WERROR", "") not in ("", "0")
BASE_ONLY = os.environ.get("RF_BASE_ONLY", "") not in ("", "0")

MADE_OF_THE_CORE = {"protocol/bits.py": "bits_module.py", "columns.pyi": "columns_stub.py"}
"""Files of pyrfly that name what the core has, and what in tools/ prints each."""

sys.path.insert(0, str(CSRC))
from compiling import Job, compile_objects  # noqa: E402
from units import OPTIMIZATION, shipped, units  # noqa: E402


def require_compiler():
    """Exit with what to do if there is no C compiler; on Windows distutils looks for one."""
    command = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    if sys.platform != "win32" and shutil.which(command[0]) is None:
        sys.exit(
            f"pyrfly is compiled when it is installed, and there is no C compiler: {command[0]}\n"
            "Debian, Ubuntu: apt install gcc; Fedora: dnf install gcc; macOS: xcode-select "
            "--install\nconda: conda install -c conda-forge c-compiler; elsewhere: CC=/path/to/cc"
        )


class BuildUnits(build_ext):
    """Compiles the units of the extension that are out of date, side by side, and links all."""

    def build_extension(self, ext):
        require_compiler()
        # in the tree also where pip has a temporary folder for each build
        folder = Path("build", "-".join(["core", *filter(None, SANITIZE.split(","))]))
        version = f'-DPYRFLY_VERSION="{self.distribution.get_version()}"'
        jobs = []
        for unit in units(python=True, base_only=BASE_ONLY):
            macros = [f"-D{name}={value}" for name, value in unit.macros]
            # the core has no use for NumPy's headers, whose path changes from build to build
            own = unit.source.startswith("python/")
            folders = [*ext.include_dirs, *self.compiler.include_dirs] if own else ["csrc"]
            include = [f"-I{path}" for path in dict.fromkeys(folders)]
            options = [*ext.extra_compile_args, *macros, version, *include]
            command = [*self.compiler.compiler_so, *options, "-c", f"csrc/{unit.source}"]
            jobs.append(Job(folder / f"{unit.name}.o", tuple(command)))
        try:
            ext.extra_objects = [str(path) for path in compile_objects(jobs)]
        except subprocess.CalledProcessError as error:
            raise CompileError(f"failed: {shlex.join(map(str, error.cmd))}") from None
        ext.sources = []
        self.force = True  # to link takes less than a second
        super().build_extension(ext)

    def run(self):
        super().run()
        if not SANITIZE:  # such a core is loaded by a Python of its own alone
            core = Path(self.get_ext_fullpath("pyrfly._core"))
            for name, tool in MADE_OF_THE_CORE.items():
                self.write_module(name, tool, core)

    def write_module(self, name, tool, core):
        """Write what a tool prints of the tables of the core, into the tree and beside it."""
        command = [sys.executable, f"tools/{tool}", str(core)]
        text = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
        for path in {Path("pyrfly", name), core.parent / name}:
            if not path.exists() or path.read_bytes() != text:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text)


class ShipHeaders(build_py):
    """Copies headers of the core into the package: models of one's own need them."""

    def run(self):
        super().run()
        if not self.editable_mode:  # such a package has those of the tree, see pyrfly.get_include
            for name in shipped():
                target = Path(self.build_lib, "pyrfly", "include", name)
                target.parent.mkdir(parents=True, exist_ok=True)
                self.copy_file(str(CSRC / name), str(target))


def reads_packed_addresses():
    """Return whether the C library takes the places of addresses as bits, 0.3 MB less."""
    library, version = platform.libc_ver()
    return library == "glibc" and [int(part) for part in version.split(".")] >= [2, 36]


def flags():
    """Return the compiler's and the linker's flags; the former are shared with tests/c/run.py."""
    # -g0: many a Python asks for -g, with which the kernels take twice as long to compile
    compiling = [*(CSRC / "cflags").read_text().split(), *OPTIMIZATION, "-g0"]
    linking = [] if sys.platform == "win32" else ["-pthread", "-lm"]
    if sys.platform == "linux" and not (BASE_ONLY or SANITIZE):
        linking.append("-Wl,-s")  # symbols of what others run are a hundredth of its size
        if reads_packed_addresses():
            linking.append("-Wl,-z,pack-relative-relocs")
    if WERROR:
        compiling += ["-Werror"]
    if SANITIZE:
        compiling += [f"-fsanitize={SANITIZE}", "-fno-sanitize-recover", "-g", "-O1"]
        linking += [f"-fsanitize={SANITIZE}"]
    return compiling, linking


compile_flags, link_flags = flags()
setup(
    cmdclass={"build_ext": BuildUnits, "build_py": ShipHeaders},
    ext_modules=[
        Extension(
            "pyrfly._core",
            sources=sorted(path.as_posix() for path in CSRC.rglob("*.c")),
            include_dirs=["csrc", numpy.get_include()],
            extra_compile_args=compile_flags,
            extra_link_args=link_flags,
        )
    ],
)

"""The extension `pyrfly._core`; everything else about the project is in pyproject.toml.

Three environment variables change the build:

PYRFLY_SANITIZE=address,undefined
    Compile and link with these sanitizers of the compiler.
RF_BASE_ONLY=1
    Build no kernels but those of the base instruction set: a third of the time, slow to fly.
PYRFLY_WERROR=1
    Make warnings errors (for CI; a user's build must survive the warnings of tomorrow's compiler).
"""

import os
import shlex
import shutil
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy
import setuptools

# A virtual environment of Python 3.10 or 3.11 starts with 65, whose own message is hard to read.
if int(setuptools.__version__.split(".")[0]) < 77:
    sys.exit(f"setuptools is {setuptools.__version__}: run pip install 'setuptools>=77'")

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.modified import newer_group

CSRC = Path("csrc")
SANITIZE = os.environ.get("PYRFLY_SANITIZE", "")
WERROR = os.environ.get("PYRFLY_WERROR", "") not in ("", "0")
BASE_ONLY = os.environ.get("RF_BASE_ONLY", "") not in ("", "0")

sys.path.insert(0, str(CSRC))
from units import units  # noqa: E402


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
    """Compiles the units of the extension side by side; the kernels take most of the time."""

    def build_extension(self, ext):
        ext.depends += ext.sources
        library = self.get_ext_fullpath(ext.name)
        if not self.force and not newer_group(ext.depends, library, "newer"):
            return
        require_compiler()
        version = ("PYRFLY_VERSION", f'"{self.distribution.get_version()}"')

        def compile_unit(unit):
            return self.compiler.compile(
                [f"csrc/{unit.source}"],
                output_dir=f"{self.build_temp}/{unit.name}",
                macros=[*unit.macros, version],
                include_dirs=ext.include_dirs,
                extra_postargs=ext.extra_compile_args,
            )

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            built = list(pool.map(compile_unit, units(python=True, base_only=BASE_ONLY)))
        ext.extra_objects = [name for names in built for name in names]
        ext.sources = []
        super().build_extension(ext)


def paths(*patterns):
    return sorted(path.as_posix() for pattern in patterns for path in CSRC.rglob(pattern))


def flags():
    """Return the compiler's and the linker's flags; the former are shared with tests/c/run.py."""
    # -g0: many a Python asks for -g, with which the kernels take twice as long to compile
    compiling = [*(CSRC / "cflags").read_text().split(), "-g0"]
    linking = [] if sys.platform == "win32" else ["-pthread", "-lm"]
    if WERROR:
        compiling += ["-Werror"]
    if SANITIZE:
        compiling += [f"-fsanitize={SANITIZE}", "-fno-sanitize-recover", "-g", "-O1"]
        linking += [f"-fsanitize={SANITIZE}"]
    return compiling, linking


compile_flags, link_flags = flags()
setup(
    cmdclass={"build_ext": BuildUnits},
    ext_modules=[
        Extension(
            "pyrfly._core",
            sources=paths("*.c"),
            depends=[*paths("*.h", "*.inc", "*.py"), "csrc/cflags", "setup.py"],
            include_dirs=["csrc", numpy.get_include()],
            extra_compile_args=compile_flags,
            extra_link_args=link_flags,
        )
    ],
)

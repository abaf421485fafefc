"""The extension `pyrfly._core`; everything else about the project is in pyproject.toml.

Two environment variables change the build:

PYRFLY_SANITIZE=address,undefined
    Compile and link with these sanitizers of the compiler.
PYRFLY_WERROR=1
    Make warnings errors (for CI; a user's build must survive the warnings of tomorrow's compiler).
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy
import setuptools
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

# A virtual environment of Python 3.10 or 3.11 starts with 65, whose own message is hard to read.
if int(setuptools.__version__.split(".")[0]) < 77:
    sys.exit(f"setuptools is {setuptools.__version__}: run pip install 'setuptools>=77'")

CSRC = Path("csrc")
SANITIZE = os.environ.get("PYRFLY_SANITIZE", "")
WERROR = os.environ.get("PYRFLY_WERROR", "") not in ("", "0")


class ParallelBuildExt(build_ext):
    """Compiles the sources of the extension side by side; the kernels take most of the time."""

    def build_extensions(self):
        compile_in_turn = self.compiler.compile

        def compile_side_by_side(sources, *args, **kwargs):
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                jobs = [pool.submit(compile_in_turn, [s], *args, **kwargs) for s in sources]
                return [built for job in jobs for built in job.result()]

        self.compiler.compile = compile_side_by_side
        super().build_extensions()

    def build_extension(self, ext):
        ext.define_macros.append(("PYRFLY_VERSION", f'"{self.distribution.get_version()}"'))
        super().build_extension(ext)


def paths(*patterns):
    return sorted(path.as_posix() for pattern in patterns for path in CSRC.rglob(pattern))


def flags():
    """Return the compiler's and the linker's flags; the former are shared with tests/c/run.py."""
    # -g0: many a Python asks for -g, with which the kernels take twice as long to compile
    compiling = [*(CSRC / "cflags").read_text().split(), "-g0"]
    linking = ["-pthread", "-lm"]
    if WERROR:
        compiling += ["-Werror"]
    if SANITIZE:
        compiling += [f"-fsanitize={SANITIZE}", "-fno-sanitize-recover", "-g", "-O1"]
        linking += [f"-fsanitize={SANITIZE}"]
    return compiling, linking


compile_flags, link_flags = flags()
setup(
    cmdclass={"build_ext": ParallelBuildExt},
    ext_modules=[
        Extension(
            "pyrfly._core",
            sources=paths("*.c"),
            depends=[*paths("*.h", "*.inc"), "csrc/cflags", "setup.py"],
            include_dirs=["csrc", numpy.get_include()],
            extra_compile_args=compile_flags,
            extra_link_args=link_flags,
        )
    ],
)

"""The command line: the program ``pyrfly`` and its commands."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from errno import ENOSPC
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pyrfly import _core
from pyrfly.commands import completion
from pyrfly.errors import Error
from pyrfly.options import Parser, attach_negative, warnings_told

if TYPE_CHECKING:
    from pyrfly.server.command_line import MoreLinks

__all__ = ["COMMANDS", "main", "parser_of_all"]

BAD_INPUT = 2
INTERRUPTED = 130  # as shells report the end by SIGINT
NOT_READ = 141  # as shells report the end by SIGPIPE

WELCOME = """\
pyrfly simulates unmanned vehicles.  Three things to try:

  pyrfly demo       shows vehicles of all families in a browser
  pyrfly fly        flies a mission, and writes its log and a plot
  pyrfly sim        serves vehicles to scripts for RflySim, QGroundControl and PX4

pyrfly --help lists all commands, pyrfly COMMAND --help the options of one.
"""

COMMANDS = {
    "demo": ("commands.demo", "show vehicles of all families on their rounds"),
    "fly": ("commands.fly", "fly a mission; writes a log and a plot"),
    "case": ("commands.case", "fly test cases with faults, and say which pass"),
    "plot": ("commands.plot", "draw a saved log"),
    "view": ("commands.view", "show vehicles in a browser: of a log, or a zoo"),
    "dash": ("commands.dash", "plot what a script or a server shows in a browser"),
    "animate": ("commands.animate", "write a saved log as a moving picture"),
    "export": ("commands.export", "write a saved log for other programs"),
    "identify": ("commands.identify", "parameters of a vehicle from a flight"),
    "compare": ("commands.compare", "say how much two logged flights differ"),
    "campaign": ("commands.campaign", "fly many runs over parameters, seeds, missions"),
    "sim": ("server.command_line", "serve vehicles over RflySim's UDP ports"),
    "px4": ("commands.px4", "start PX4 SITL, with vehicles or without"),
    "mixer": ("commands.mixer", "show what a PX4 mixer file makes of controls"),
    "bench": ("commands.bench", "measure speed"),
    "vehicles": ("commands.vehicles", "list parameter sets, or check one"),
    "export-model": ("commands.export_model", "write a vehicle as C source or a library"),
    "model": ("commands.model", "make, compile and test a model of one's own"),
    "matlab": ("commands.matlab", "print the folder of the functions for MATLAB"),
    "columns": ("commands.columns", "list every column of all vehicles, as Markdown"),
    "completion": ("commands.completion", "print code with which a shell completes"),
}
"""Module of pyrfly and help of each command.

The module has `add_arguments`, if there are any, and `run`, unless it has commands of its own.
"""


class _Command(Parser):
    """Parser of a command, whose module is imported when it is used: others need not wait."""

    module = ""

    def define(self) -> None:
        """Define its arguments, unless they are."""
        if self.module:
            module = vars(import_module(f"pyrfly.{self.module}"))
            self.module = ""
            self.set_defaults(run=module.get("run"))
            if "add_arguments" in module:
                module["add_arguments"](self)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """See `argparse.ArgumentParser.parse_known_args`."""
        self.define()
        return super().parse_known_args(args, namespace)


def _parser() -> tuple[Parser, list[_Command]]:
    """Return the parser of the program, and those of its commands."""
    parser = Parser(prog="pyrfly", description="Simulate unmanned vehicles.")
    parser.add_argument("--version", action="version", version=f"pyrfly {_core.version}")
    parser.set_defaults(run=_welcome)
    commands = parser.add_subparsers(dest="command", metavar="command", parser_class=_Command)
    made = []
    for name, (module, text) in COMMANDS.items():
        command = commands.add_parser(name, help=text)
        command.module = module
        made.append(command)
    return parser, made


def parser_of_all() -> Parser:
    """Return the parser of the program with the arguments of all commands, to read or complete."""
    parser, commands = _parser()
    for command in commands:
        command.define()
    return parser


def _welcome(_: argparse.Namespace) -> int:
    print(WELCOME, end="")
    return 0


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options; start scripts and their variables may also stand between options."""
    completion.complete(parser_of_all)
    parser, _ = _parser()
    options: argparse.Namespace
    options, further = parser.parse_known_args(attach_negative(arguments))
    words = getattr(options, "start_script", None)
    if further and (words is None or any(word.startswith("-") for word in further)):
        parser.error(f"unrecognized arguments: {' '.join(further)}")
    if words is not None:
        words.extend(further)
    return options


def main(argv: Sequence[str] | None = None, more_links: MoreLinks | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments; by default those of the process.
    more_links : callable, optional
        Makes links that ``pyrfly sim`` has besides those of its options, see
        `pyrfly.server.command_line.MoreLinks`.

    Returns
    -------
    int
        Exit status: 0, 1 if a flight was not completed, 2 for invalid input, 130 or 143 after
        SIGINT or SIGTERM, 141 if the reader of the output has ended, as ``head`` does.
    """
    program = "pyrfly"
    try:
        try:
            options = _parsed(sys.argv[1:] if argv is None else argv)
            options.more_links = more_links
            program += f" {options.command or ''}".rstrip()
            with warnings_told(program):
                status: int = options.run(options)
        finally:
            _flush_output()  # here, where an error can be handled, not at the very end
    except BrokenPipeError:
        _discard_output()
        return NOT_READ
    except (Error, OSError, MemoryError) as error:
        reason = str(error) or "not enough memory"
        if isinstance(error, OSError) and error.errno == ENOSPC and error.filename is None:
            reason = f"standard output: {reason}"
        print(f"{program}: error: {reason}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        return INTERRUPTED
    return status


def _flush_output() -> None:
    """Write what is buffered; where nothing is, no call is made, so that none can be blocked."""
    if sys.stdout is not None:
        sys.stdout.flush()


def _discard_output() -> None:
    """Discard what is still buffered, so that the interpreter does not try to write it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main())

"""``pyrfly dash``: plots of what is shown by a script or a server on this machine."""

from __future__ import annotations

import argparse

from pyrfly.errors import Error
from pyrfly.options import whole_number
from pyrfly.transport.ports import MAXIMUM_PORT
from pyrfly.view.running import running
from pyrfly.view.screen import open_browser

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly dash``."""
    parser.add_argument(
        "--port",
        type=whole_number(1, MAXIMUM_PORT),
        help="TCP port of the page (default: that of the page that was opened last)",
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="open no browser, and only print the address"
    )


def run(options: argparse.Namespace) -> int:
    """Open the plots of a page that is served."""
    pages = running()
    chosen = [url for url in pages if options.port is None or f":{options.port}/" in url]
    if not chosen:
        where = "" if options.port is None else f" on port {options.port}"
        raise Error(
            f"nothing is shown{where}: start pyrfly sim --view, pyrfly view, or sim.view() in a "
            "script"
        )
    url = f"{chosen[0]}#plots"
    print(url)
    if not options.no_browser:
        open_browser(url)
    return 0

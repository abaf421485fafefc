# PYTHON_ARGCOMPLETE_OK
"""The program ``pyrfly``: the command line of `pyrfly.cli`, and what ends it during its imports.

A module outside of the package, since an import of any module in it begins with ``import pyrfly``.
"""

import sys

__all__ = ["main"]


def main() -> int:
    """Run the command line; return its exit status, 2 or 130 where the imports fail."""
    try:
        from pyrfly import cli
    except ImportError as error:
        print(f"pyrfly: error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("pyrfly: interrupted", file=sys.stderr)
        return 130
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())

"""``python -m pyrfly``."""

import sys

from pyrfly.cli import main

sys.exit(main())

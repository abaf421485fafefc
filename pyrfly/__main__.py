"""``python -m pyrfly``."""

import sys

from pyrfly_program import main

sys.exit(main())

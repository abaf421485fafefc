"""pymavlink is needed to receive, and said so where it is missing."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
sys.modules["pymavlink"] = None
import numpy as np
from pyrfly import MissingExtraError
from pyrfly.mavlink import FrameParser, FrameWriter, blank
writer = FrameWriter([1])
writer.add("HEARTBEAT", blank("HEARTBEAT"))
print(len(writer.take()))
try:
    FrameParser()
except MissingExtraError as error:
    print(error)
"""


def test_sending_needs_no_pymavlink_and_receiving_names_the_extra() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    sent, message = done.stdout.splitlines()
    assert sent == "1"
    assert message == (
        "receiving MAVLink needs pymavlink, which is not installed: pip install 'pyrfly[mavlink]'"
    )

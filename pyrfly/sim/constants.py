"""Constants of the core that Python repeats until the core gives them."""

from __future__ import annotations

__all__ = ["HAS_HOME", "STATUS_TEXT"]

STATUS_TEXT = {
    1 << 0: "not finite",
    1 << 1: "too far away",
    1 << 2: "too fast",
    1 << 3: "spinning too fast",
    1 << 4: "rotor overspeed",
    1 << 5: "attitude not a unit quaternion",
}
"""What the bits of the ``status`` column mean (``csrc/base/status.h``)."""

HAS_HOME = 1 << 1
"""Bit of ``navigator_flags``: ``home`` is known (``csrc/control/navigator.h``)."""

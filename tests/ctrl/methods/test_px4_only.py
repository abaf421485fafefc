"""Methods that need PX4 itself."""

from __future__ import annotations

from typing import Any

import pytest

from pyrfly.ctrl import UnsupportedError

NAMES = ["SendHILCtrlMsg", "SendHILCtrlMsg1", "sendPX4UorbRflyCtrl", "SendHILGps"]


@pytest.mark.parametrize("name", NAMES)
def test_what_needs_px4_says_so(controlled: Any, name: str) -> None:
    _, mav = controlled()
    with pytest.raises(UnsupportedError, match=f"{name}: there is no"):
        getattr(mav, name)()
    with pytest.raises(NotImplementedError, match="SendVisionPosition: there is no estimator"):
        mav.SendVisionPosition(0, 0, 0, 0)

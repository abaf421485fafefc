"""RflySim's methods and attributes by subject, put together in `Verbs`."""

from pyrfly.ctrl.verbs.verbs import Verbs

__all__ = ["Verbs"]

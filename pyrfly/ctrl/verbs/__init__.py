"""RflySim's methods and attributes by subject, for k vehicles, combined in `Verbs`.

`controller` is the base; `setpoints`, `commands`, `mavlink`, `parameters`, `radio` and `synthesis`
are the verbs; `attributes` is what is read. Of one vehicle only: `messages`, with `helpers` and
`px4_only`.
"""

from pyrfly.ctrl.verbs.verbs import Verbs

__all__ = ["Verbs"]

"""RflySim's methods and attributes by subject, for k vehicles, combined in `Methods`.

`controller` is the base; `setpoints`, `commands`, `mavlink`, `parameters`, `radio` and `synthesis`
are the methods; `attributes` is what is read. Of one vehicle only: `messages`, with `helpers` and
`px4_only`.
"""

from pyrfly.ctrl.methods.all_methods import Methods

__all__ = ["Methods"]

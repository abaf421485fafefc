"""RflySim's Python modules under their own names.

``import pyrfly.rflysim.PX4MavCtrlV4 as PX4MavCtrl`` is the one line that a script written for
RflySim changes, or none: `pyrfly.rflysim.run` runs scripts unchanged in real time,
`pyrfly.rflysim.stepped` in simulated time.
"""

"""RflySim's Python modules under their own names.

``import pyrfly.rflysim.PX4MavCtrlV4 as PX4MavCtrl`` is the one line that a script written for
RflySim changes. `pyrfly.rflysim.stepped` runs such scripts in simulated time.
"""

"""What programs and vehicles exchange: RflySim's and MAVLink's bits, modes and messages.

`bits` are those of the core, `finite` its table of floats, `faults` the words that are none of its
commands; `masks` are MAVLink's; `short_message`, `full_message` and `terrain` are messages of
RflySim; `synthesis` makes inputs of the synthesis model. Knows no simulation.
"""

"""Multirotors: rotor layouts, parameters, control allocation and tuning."""

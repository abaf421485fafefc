"""Vehicles by themselves, without pyrfly: C sources and libraries with RflySim's functions."""

from pyrfly.standalone.exporting import FORMATS, export_model

__all__ = ["FORMATS", "export_model"]

"""RflySim's module ``DllSimCtrlAPI``: model inputs by UDP, and vehicles stepped from Python."""

from __future__ import annotations

from pyrfly.ctrl.data3d import Data3D, DataHIL
from pyrfly.rflysim.dll_senders import DllSimCtrlAPI
from pyrfly.rflysim.model_load import ModelLoad, MultiCopterDll
from pyrfly.rflysim.rfly_sim_cp import RflySimCP

__all__ = ["Data3D", "DataHIL", "DllSimCtrlAPI", "ModelLoad", "MultiCopterDll", "RflySimCP"]

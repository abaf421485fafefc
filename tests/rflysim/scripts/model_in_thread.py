"""A model that moves by itself in a thread of its own."""

import time

import DllSimCtrlAPI

model = DllSimCtrlAPI.MultiCopterDll(8)
model.StartAutUpdate(100)
model.SendPosNED(0, 0, -3, 0)
time.sleep(6)
print("height", round(-model.out3Ddata.PosE[2], 1))
model.StopAutUpdate()

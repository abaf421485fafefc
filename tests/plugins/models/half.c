/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that tells no state. */
void Dllstep(void)
{
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that is no model. */
int not_a_model(void)
{
    return 1;
}

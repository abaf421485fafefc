/* SPDX-License-Identifier: BSD-3-Clause */
/* A model that fails by its second command, for tests of what others then do. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double command[16];
static int *volatile nowhere;
static int steps;

void DllInputPWMs(const double *values)
{
    memcpy(command, values, sizeof command);
}

void Dllstep(void)
{
    steps++;
    if (command[0] < 0.5) return;
    switch ((int)(command[1] * 10 + 0.5)) {
    case 1:
        *nowhere = 1;
        break;
    case 2:
        for (;;) {}
    case 3:
        fputs("no more\n", stderr), exit(3);
    case 4:
        if (fork() == 0)
            for (;;) pause();
        abort();
    case 5:
        for (int i = 0; i < 5000; i++) puts("a long line of which there are many");
        break;
    case 6:
        close(0), close(1), close(2);
        break;
    case 8:
        printf("\x1b[31m"), puts("red");
        break;
    case 9:
        usleep(20000);
        break;
    case 10:
        if (fork() != 0) usleep(1000);
        break;
    }
}

void DlloutVehileInfo60d(double *out, int count)
{
    memset(out, 0, (unsigned)count * sizeof *out);
    out[6] = steps;
    out[8] = command[1] == 0.7 ? NAN : -10;
    out[12] = 1;
}

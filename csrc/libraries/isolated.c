/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "libraries/isolated.h"

#if !defined(_WIN32)
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* A message: what to do, and how many steps; its answer is the same message. */
enum { LOADED, START, STEP };

typedef struct message {
    uint32_t what, steps;
} message;

static int tell(int pipe, uint32_t what, uint32_t steps)
{
    const message m = {what, steps};
    ssize_t written;
    do {
        written = write(pipe, &m, sizeof m);
    } while (written < 0 && errno == EINTR);
    return written == sizeof m ? 0 : -1;
}

static int listen_to(int pipe, message *m)
{
    ssize_t got;
    do {
        got = read(pipe, m, sizeof *m);
    } while (got < 0 && errno == EINTR);
    return got == sizeof *m ? 0 : -1;
}

static int64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- the side of the simulation ---- */

/* Waits for the answer to a message, for the limit at most. */
static int wait_for(rf_isolated *isolated)
{
    const int64_t until = milliseconds() + isolated->limit_ms;
    struct pollfd answer = {.fd = isolated->from, .events = POLLIN};
    message m;
    if (isolated->failure) return isolated->failure;
    for (;;) {
        const int64_t left = until - milliseconds();
        const int ready = poll(&answer, 1, left > 0 ? (int)left : 0);
        if (ready < 0 && errno == EINTR) continue;
        if (ready == 0) return isolated->failure = RF_ISOLATED_LATE;
        if (listen_to(isolated->from, &m) != 0) isolated->failure = RF_ISOLATED_ENDED;
        return isolated->failure;
    }
}

static void ask(rf_isolated *isolated, uint32_t what, uint32_t steps)
{
    if (!isolated->failure && tell(isolated->to, what, steps) != 0) isolated->failure = RF_ISOLATED_ENDED;
}

static void begin(rf_library *library, uint32_t steps)
{
    ask((rf_isolated *)library, STEP, steps);
}

static int finish(rf_library *library)
{
    return wait_for((rf_isolated *)library);
}

static int start(rf_library *library)
{
    ask((rf_isolated *)library, START, 1);
    return wait_for((rf_isolated *)library);
}

int rf_isolated_open(rf_isolated *isolated)
{
    const int failure = wait_for(isolated);
    isolated->library = (rf_library){.ports = &isolated->shared->ports,
                                     .period = isolated->shared->period,
                                     .able = isolated->shared->able,
                                     .per_step = 1,
                                     .start = start,
                                     .begin = begin,
                                     .finish = finish};
    return failure;
}

/* ---- the process of the model ---- */

static void find_functions(void *library, rf_functions *functions, rf_shared *shared)
{
    for (int i = 0; i < RF_FUNCTION_COUNT; i++) {
        const char *name = rf_function_name(i);
        char mangled[64]; /* of a function of C++ that takes nothing */
        snprintf(mangled, sizeof mangled, "_Z%zu%sv", strlen(name), name);
        void *found = dlsym(library, name);
        if (found == NULL) found = dlsym(library, mangled);
        memcpy(&functions->of[i], &found, sizeof found);
        shared->has[i] = found != NULL;
    }
}

/* Loads the library and creates the model; 0, or another number with a text in the shared memory. */
static int load(const char *path, rf_functions *functions, rf_shared *shared)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        snprintf(shared->error, RF_SHARED_TEXT, "%s", dlerror());
        return -1;
    }
    find_functions(library, functions, shared);
    if (functions->of[RF_FUNCTION_Dllstep] == NULL) return 0; /* the other side sees that it is no model */
    rf_functions_open(functions, &shared->ports);
    shared->period = functions->library.period;
    shared->able = functions->library.able;
    return 0;
}

/* Ends the process where the simulation has ended, even while the model does not return. */
static void *watch_input(void *unused)
{
    char byte;
    ssize_t got;
    do {
        got = read(STDIN_FILENO, &byte, 1);
    } while (got > 0 || (got < 0 && errno == EINTR));
    _exit(0);
    return unused;
}

static void guard_process(void)
{
    const struct rlimit none = {0, 0};
    pthread_t thread;
    setrlimit(RLIMIT_CORE, &none); /* of a model that crashes nobody reads it */
    pthread_create(&thread, NULL, watch_input, NULL);
}

int rf_isolated_serve(const char *path, int memory, int from, int to)
{
    rf_functions functions = {0};
    rf_shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (shared == MAP_FAILED) return 2;
    guard_process();
    const int loaded = load(path, &functions, shared);
    if (tell(to, LOADED, 0) != 0 || loaded != 0 || functions.library.ports == NULL) return 1;
    rf_library *model = &functions.library;
    message m;
    while (listen_to(from, &m) == 0) {
        if (m.what == START)
            model->start(model);
        else
            model->begin(model, m.steps);
        if (tell(to, m.what, m.steps) != 0) return 1;
    }
    rf_functions_close(&functions);
    return 0;
}
#endif

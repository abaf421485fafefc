/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "libraries/isolated.h"

#if !defined(_WIN32)
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
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

static void note_begin(rf_shared *shared)
{
    __atomic_store_n(&shared->since, milliseconds(), __ATOMIC_RELAXED);
}

/* ---- the side of the simulation ---- */

#define LOOK_MS          20 /* how often the end of a process is looked for */
#define LONGEST_START_MS 60000

/* Whether the process has ended; its status is left to others. */
static bool has_ended(const rf_isolated *isolated)
{
    siginfo_t end = {0};
    return waitid(P_PID, (id_t)isolated->process, &end, WEXITED | WNOHANG | WNOWAIT) != 0 || end.si_pid != 0;
}

/* Time [ms] that is left of the limit; until the process serves, of that of Python's start. */
static int64_t time_left(const rf_isolated *isolated, int64_t asked)
{
    const int64_t now = milliseconds(), since = __atomic_load_n(&isolated->shared->since, __ATOMIC_RELAXED);
    if (since == 0) return asked + LONGEST_START_MS - now;
    return (since < now ? since : now) + isolated->limit_ms - now;
}

/* Notes why there was no answer, and lets nothing of the model run on. */
static int fail(rf_isolated *isolated, int failure)
{
    kill(-isolated->process, SIGKILL);
    return isolated->failure = failure;
}

/* Waits for the answer to a message. */
static int wait_for(rf_isolated *isolated)
{
    const int64_t asked = milliseconds();
    struct pollfd answer = {.fd = isolated->from, .events = POLLIN};
    message m;
    while (!isolated->failure) {
        const int64_t left = time_left(isolated, asked);
        const int ready = poll(&answer, 1, left > LOOK_MS ? LOOK_MS : left > 0 ? (int)left : 0);
        if (ready > 0) return listen_to(isolated->from, &m) == 0 ? 0 : fail(isolated, RF_ISOLATED_ENDED);
        if (ready < 0 && errno == EINTR) continue;
        if (has_ended(isolated)) return fail(isolated, RF_ISOLATED_ENDED); /* a fork has its pipe */
        if (left <= 0) return fail(isolated, RF_ISOLATED_LATE);
    }
    return isolated->failure;
}

static void ask(rf_isolated *isolated, uint32_t what, uint32_t steps)
{
    if (isolated->failure) return;
    if (getpid() != isolated->owner) {
        isolated->failure = RF_ISOLATED_FORKED;
        return;
    }
    note_begin(isolated->shared);
    if (tell(isolated->to, what, steps) != 0) fail(isolated, RF_ISOLATED_ENDED);
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
    isolated->owner = getpid();
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

/* Ends a fork that the model has made and that returns from it: it has no part in the simulation. */
static void leave_fork(pid_t own)
{
    if (getpid() != own) _exit(0);
}

static void serve(rf_functions *functions, rf_shared *shared, const message *m, pid_t own)
{
    if (m->what == START) rf_functions_restart(functions);
    rf_functions_give(functions);
    for (uint32_t i = 0; i < m->steps; i++) {
        leave_fork(own);
        note_begin(shared);
        rf_functions_step(functions);
    }
    leave_fork(own);
    rf_functions_read(functions);
    leave_fork(own);
}

int rf_isolated_serve(const char *path, int memory, int from, int to)
{
    rf_functions functions = {0};
    rf_shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (shared == MAP_FAILED) return 2;
    guard_process();
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* so that lines of a model that ends are not lost */
    note_begin(shared);
    const pid_t own = getpid();
    const int loaded = load(path, &functions, shared);
    if (tell(to, LOADED, 0) != 0 || loaded != 0 || functions.library.ports == NULL) return 1;
    message m;
    while (listen_to(from, &m) == 0) {
        serve(&functions, shared, &m, own);
        if (tell(to, m.what, m.steps) != 0) return 1;
    }
    rf_functions_close(&functions);
    return 0;
}
#endif

// For SCHED_IDLE and affinities.
#define _GNU_SOURCE

#include "commit_watch.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { most = 64 };

// A thread on each processor: at any moment those look that have nothing else to do.
struct look {
    struct commit_watch *watch;
    pthread_t thread;
    int processor;
    // When it looked last and found nothing new.
    atomic_llong time;
};

struct commit_watch {
    const volatile unsigned *commits;
    pthread_mutex_t lock;
    // The last commit that is noted, and its moment.
    unsigned known;
    atomic_llong time;
    atomic_int is_over;
    int count;
    struct look looks[most];
};

static long long nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// Notes a commit, if no other has: none of those who have seen it looks on before that.
static void note(struct commit_watch *watch, unsigned commits) {
    pthread_mutex_lock(&watch->lock);
    if (watch->known != commits) {
        // Each commit has a moment of its own, even if nobody looked between two: who waits for it waits for another one.
        long long last = atomic_load(&watch->time) + 1;
        for (int index = 0; index < watch->count; index += 1) {
            long long time = atomic_load(&watch->looks[index].time);
            if (time > last) last = time;
        }
        watch->known = commits;
        atomic_store(&watch->time, last);
    }
    pthread_mutex_unlock(&watch->lock);
}

static void *look(void *context) {
    struct look *look = context;
    struct commit_watch *watch = look->watch;
    // Everybody else comes first: a thread that is woken must not wait for this one.
    struct sched_param priority = {0};
    pthread_setschedparam(pthread_self(), SCHED_IDLE, &priority);
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(look->processor, &processors);
    pthread_setaffinity_np(pthread_self(), sizeof processors, &processors);
    unsigned known = watch->known;
    while (!atomic_load_explicit(&watch->is_over, memory_order_relaxed)) {
        long long now = nanoseconds();
        unsigned commits = *watch->commits;
        if (commits != known) {
            note(watch, commits);
            known = commits;
        } else {
            atomic_store(&look->time, now);
        }
    }
    return NULL;
}

struct commit_watch *commit_watch_start(const char *database) {
    char path[4096];
    snprintf(path, sizeof path, "%s-shm", database);
    // Never closed: that would take away the locks that SQLite has on it in this process.
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return NULL;
    const char *index = mmap(NULL, 48, PROT_READ, MAP_SHARED, descriptor, 0);
    struct commit_watch *watch = calloc(1, sizeof *watch);
    if (index == MAP_FAILED || watch == NULL) return NULL;
    watch->commits = (const volatile unsigned *)(index + 8);
    watch->known = *watch->commits;
    pthread_mutex_init(&watch->lock, NULL);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    watch->count = processors < most ? (int)processors : most;
    for (int index = 0; index < watch->count; index += 1) {
        struct look *each = &watch->looks[index];
        each->watch = watch;
        each->processor = index;
        // Nobody has looked before the first commit, if that comes before they get to run.
        atomic_store(&each->time, nanoseconds());
        if (pthread_create(&each->thread, NULL, look, each) != 0) return NULL;
    }
    return watch;
}

long long commit_watch_time(struct commit_watch *watch) { return atomic_load(&watch->time); }

long long commit_watch_next(struct commit_watch *watch, long long known) {
    long long time;
    // Asleep: those who look have to come to it.
    while ((time = atomic_load(&watch->time)) == known) usleep(100);
    return time;
}

void commit_watch_end(struct commit_watch *watch) {
    atomic_store(&watch->is_over, 1);
    for (int index = 0; index < watch->count; index += 1) pthread_join(watch->looks[index].thread, NULL);
    free(watch);
}

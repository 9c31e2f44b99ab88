#include "readers.h"

#include "store.h"
#include "usage.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { batch = 100, capacity = 1 << 21 };

struct reader {
    pthread_t thread;
    struct store store;
    long long first;
    long entries;
    long body_bytes;
    struct readings readings;
};

static atomic_int is_over;

long entry_in_turn(long long turn, long entries) {
    uint64_t bits = (uint64_t)turn + 0x9E3779B97F4A7C15ULL;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ULL;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBULL;
    return (long)((bits ^ (bits >> 31)) % (uint64_t)entries);
}

static void *read_on(void *context) {
    struct reader *reader = context;
    struct readings *readings = &reader->readings;
    while (!atomic_load_explicit(&is_over, memory_order_relaxed) && readings->count < capacity) {
        long number = entry_in_turn(reader->first + readings->count, reader->entries);
        long long start = nanoseconds();
        long size = store_read(&reader->store, number);
        readings->latencies[readings->count] = nanoseconds() - start;
        readings->count += 1;
        if (size != reader->body_bytes) fail("a payload", "of another size");
    }
    return NULL;
}

struct readings read_beside_writer(const char *path, long batches, long entries, const char *body, long body_bytes) {
    struct store writer;
    struct reader readers[2];
    store_open(&writer, path, ROLE_WRITING);
    for (int index = 0; index < 2; index += 1) {
        struct reader *reader = &readers[index];
        memset(reader, 0, sizeof *reader);
        store_open(&reader->store, path, ROLE_READING);
        reader->first = (long long)index << 32;
        reader->entries = entries;
        reader->body_bytes = body_bytes;
        reader->readings.latencies = calloc(capacity, sizeof(long long));
        if (reader->readings.latencies == NULL) fail("calloc", "no memory");
        if (pthread_create(&reader->thread, NULL, read_on, reader) != 0) fail("pthread_create", "no thread");
    }
    long long start = nanoseconds();
    for (long number = 0; number < batches; number += 1) {
        long long due = start + 10000000LL * (number + 1);
        struct timespec time = {.tv_sec = due / 1000000000, .tv_nsec = due % 1000000000};
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) != 0) {}
        store_put(&writer, 1000000 + number * batch, batch, body, body_bytes);
    }
    atomic_store(&is_over, 1);
    struct readings all = {.latencies = calloc(2 * (size_t)capacity, sizeof(long long)), .count = 0};
    if (all.latencies == NULL) fail("calloc", "no memory");
    for (int index = 0; index < 2; index += 1) {
        struct reader *reader = &readers[index];
        pthread_join(reader->thread, NULL);
        memcpy(all.latencies + all.count, reader->readings.latencies, (size_t)reader->readings.count * sizeof(long long));
        all.count += reader->readings.count;
        free(reader->readings.latencies);
        store_close(&reader->store);
    }
    store_close(&writer);
    return all;
}

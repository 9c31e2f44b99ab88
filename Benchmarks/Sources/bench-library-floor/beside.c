#include "beside.h"

#include "commit_watch.h"
#include "store.h"
#include "usage.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { batch = 100, capacity = 1 << 19 };

struct reader {
    pthread_t thread;
    struct store store;
    long long first;
    long entries;
    struct readings readings;
};

static atomic_int is_over;

static void read_page(struct store *store, long long turn, long entries) {
    char issue[25];
    struct value *values[20];
    unsigned long number = library_pick(turn, (unsigned long)(entries / library_issue_size) * 2);
    issue_id((long)(number / 2), issue);
    int count = store_page(store, issue, (int)(number % 2), values);
    if (count != 20) fail(issue, "not 20 articles");
    for (int index = 0; index < count; index += 1) value_free(values[index]);
}

static void *read_on(void *context) {
    struct reader *reader = context;
    struct readings *readings = &reader->readings;
    while (!atomic_load_explicit(&is_over, memory_order_relaxed) && readings->count < capacity) {
        long long start = nanoseconds();
        read_page(&reader->store, reader->first + readings->count, reader->entries);
        readings->latencies[readings->count] = nanoseconds() - start;
        readings->count += 1;
    }
    return NULL;
}

struct readings read_beside_writer(const char *path, long batches, long entries) {
    struct store writer;
    struct reader readers[2];
    store_open(&writer, path, ROLE_WRITING);
    struct article_text **texts = calloc((size_t)(batches * batch), sizeof *texts);
    if (texts == NULL) fail("calloc", "no memory");
    for (long index = 0; index < batches * batch; index += 1) texts[index] = article_text_make(1000000 + index);
    for (int index = 0; index < 2; index += 1) {
        struct reader *reader = &readers[index];
        memset(reader, 0, sizeof *reader);
        store_open(&reader->store, path, ROLE_READING);
        reader->first = (long long)index << 32;
        reader->entries = entries;
        reader->readings.latencies = calloc(capacity, sizeof(long long));
        if (reader->readings.latencies == NULL) fail("calloc", "no memory");
        if (pthread_create(&reader->thread, NULL, read_on, reader) != 0) fail("pthread_create", "no thread");
    }
    long long start = nanoseconds();
    for (long number = 0; number < batches; number += 1) {
        long long due = start + 10000000LL * (number + 1);
        struct timespec time = {.tv_sec = due / 1000000000, .tv_nsec = due % 1000000000};
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) != 0) {}
        store_run(&writer, writer.begin);
        for (long index = 0; index < batch; index += 1) store_insert(&writer, texts[number * batch + index], 1);
        store_run(&writer, writer.commit);
    }
    double seconds = (nanoseconds() - start) / 1e9;
    atomic_store(&is_over, 1);
    struct readings all = {.latencies = calloc(2 * (size_t)capacity, sizeof(long long)), .seconds = seconds};
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

// MARK: After a change

struct observer {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct store store;
    long changes, seen;
    long long read_at;
    char title[64];
};

static void *observe(void *context) {
    struct observer *observer = context;
    long known = 0;
    pthread_mutex_lock(&observer->lock);
    while (1) {
        while (observer->changes == known) pthread_cond_wait(&observer->wake, &observer->lock);
        known = observer->changes;
        if (known < 0) break;
        pthread_mutex_unlock(&observer->lock);
        struct value *values[20];
        char issue[25];
        issue_id(0, issue);
        int count = store_page(&observer->store, issue, 0, values);
        long long now = nanoseconds();
        int is_new = count == 20 && strcmp(values[0]->texts[2], observer->title) == 0;
        for (int index = 0; index < count; index += 1) value_free(values[index]);
        if (!is_new) fail("the page", "is the old one");
        pthread_mutex_lock(&observer->lock);
        observer->read_at = now;
        observer->seen = known;
        pthread_cond_broadcast(&observer->wake);
    }
    pthread_mutex_unlock(&observer->lock);
    return NULL;
}

struct readings read_after_change(const char *path, long count) {
    struct readings readings = {.latencies = calloc((size_t)count, sizeof(long long)), .count = count};
    struct observer observer = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};
    struct store writer;
    pthread_t thread;
    if (readings.latencies == NULL) fail("calloc", "no memory");
    store_open(&writer, path, ROLE_WRITING);
    store_open(&observer.store, path, ROLE_READING);
    if (pthread_create(&thread, NULL, observe, &observer) != 0) fail("pthread_create", "no thread");
    struct commit_watch *watch = commit_watch_start(path);
    if (watch == NULL) fail(path, "has no index of its log");
    struct article_text *text = article_text_make(0);
    for (long number = 1; number <= count; number += 1) {
        snprintf(observer.title, sizeof observer.title, "Changed %ld", number);
        long long committed = commit_watch_time(watch);
        store_run(&writer, writer.begin);
        store_change(&writer, text, observer.title);
        store_run(&writer, writer.commit);
        pthread_mutex_lock(&observer.lock);
        observer.changes = number;
        pthread_cond_broadcast(&observer.wake);
        while (observer.seen != number) pthread_cond_wait(&observer.wake, &observer.lock);
        long long read_at = observer.read_at;
        pthread_mutex_unlock(&observer.lock);
        readings.latencies[number - 1] = read_at - commit_watch_next(watch, committed);
    }
    pthread_mutex_lock(&observer.lock);
    observer.changes = -1;
    pthread_cond_broadcast(&observer.wake);
    pthread_mutex_unlock(&observer.lock);
    pthread_join(thread, NULL);
    commit_watch_end(watch);
    article_text_free(text);
    store_close(&observer.store);
    store_close(&writer);
    return readings;
}

// The floor of the area `library`: the same rows in the same tables, as the library's own migrations made them, by the
// same SQLite in plain C, with the same settings and statements.
//
// usage: bench-library-floor TASK FILE COUNT ENTRIES [URL]

#include "beside.h"
#include "store.h"
#include "sync.h"
#include "usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct workload {
    const char *task, *file, *url;
    long count, entries;
};

// One number for each piece of work that was measured by itself.
static struct readings readings;

static void measured(long long start) {
    readings.latencies[readings.count] = nanoseconds() - start;
    readings.count += 1;
}

static int is_task(const struct workload *workload, const char *name) { return strcmp(workload->task, name) == 0; }

static struct article_text **all_texts(long count) {
    struct article_text **texts = calloc((size_t)count, sizeof *texts);
    if (texts == NULL) fail("calloc", "no memory");
    for (long number = 0; number < count; number += 1) texts[number] = article_text_make(number);
    return texts;
}

// Inserts all in one transaction, which is over when it is committed.
static void insert(struct store *store, struct article_text **texts, long count, int is_indexed) {
    long long start = nanoseconds();
    store_run(store, store->begin);
    for (long number = 0; number < count; number += 1) store_insert(store, texts[number], is_indexed);
    store_run(store, store->commit);
    measured(start);
}

// Reads articles by their ids, many at once, and has all of them at the end.
static long read_by_id(struct store *store, const struct workload *workload, long most) {
    long each = workload->entries < most ? workload->entries : most;
    struct value **values = calloc((size_t)each, sizeof *values);
    char(*ids)[25] = calloc((size_t)each, sizeof *ids);
    if (values == NULL || ids == NULL) fail("calloc", "no memory");
    for (long turn = 0; turn < workload->count; turn += 1) {
        for (long index = 0; index < each; index += 1) {
            unsigned long number = library_pick(turn * each + index, (unsigned long)workload->entries);
            snprintf(ids[index], sizeof ids[index], "64a0c0ffee00000000%06lu", number);
        }
        long long start = nanoseconds();
        store_run(store, store->begin_reading);
        for (long index = 0; index < each; index += 1) values[index] = store_by_id(store, ids[index]);
        store_run(store, store->commit);
        measured(start);
        for (long index = 0; index < each; index += 1) {
            if (values[index]->size < 1000 || values[index]->asset_count != library_assets_each) {
                fail(values[index]->texts[0], "is not whole");
            }
            value_free(values[index]);
        }
    }
    return each;
}

static void read_pages(struct store *store, const struct workload *workload) {
    for (long turn = 0; turn < workload->count; turn += 1) {
        char issue[25];
        struct value *values[20];
        unsigned long number
            = library_pick(turn, (unsigned long)(workload->entries / library_issue_size) * 2);
        issue_id((long)(number / 2), issue);
        long long start = nanoseconds();
        store_run(store, store->begin_reading);
        int count = store_page(store, issue, (int)(number % 2), values);
        store_run(store, store->commit);
        measured(start);
        if (count != 20) fail(issue, "not 20 articles");
        for (int index = 0; index < count; index += 1) value_free(values[index]);
    }
}

static void search(struct store *store, const struct workload *workload, const char *word) {
    for (long turn = 0; turn < workload->count; turn += 1) {
        struct value *values[20];
        char *titles[20], *snippets[20];
        long long start = nanoseconds();
        int count = store_search(store, word, values, titles, snippets);
        measured(start);
        if (count != 20) fail(word, "not 20 hits");
        for (int index = 0; index < count; index += 1) {
            value_free(values[index]);
            free(titles[index]);
            free(snippets[index]);
        }
    }
}

static int ascending(const void *left, const void *right) {
    long long a = *(const long long *)left, b = *(const long long *)right;
    return (a > b) - (a < b);
}

// The time that the pieces of work took, without what came in between.
static double worked(void) {
    long long sum = 0;
    for (long index = 0; index < readings.count; index += 1) sum += readings.latencies[index];
    return (double)sum / 1e9;
}

int main(int argc, char **argv) {
    // As the other side has it: without a count of the memory, for which all threads meet at one lock.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    if (argc != 5 && argc != 6) {
        fprintf(stderr, "usage: TASK FILE COUNT ENTRIES [URL]\n");
        return 2;
    }
    struct workload workload = {.task = argv[1], .file = argv[2], .count = atol(argv[3]), .entries = atol(argv[4])};
    if (workload.count < 1 || workload.entries < 1) fail("arguments", "out of range");
    workload.url = argc > 5 ? argv[5] : "";
    int is_sync = is_task(&workload, "sync"), is_delta = is_task(&workload, "deltaSync");
    int is_insert = is_task(&workload, "insert"), is_indexed = is_task(&workload, "insertIndexed");
    int is_readers = is_task(&workload, "readers"), is_observe = is_task(&workload, "observe");
    struct store store;
    if (is_task(&workload, "check") || is_task(&workload, "checkIndexed")) {
        store_open(&store, workload.file, ROLE_WRITING);
        store_check(&store, workload.entries, is_task(&workload, "checkIndexed"));
        store_close(&store);
        return 0;
    }
    if (is_task(&workload, "checkSync")) {
        store_open(&store, workload.file, ROLE_READING);
        store_check_sync(&store);
        store_close(&store);
        return 0;
    }
    readings.latencies = calloc((size_t)workload.count, sizeof(long long));
    if (readings.latencies == NULL) fail("calloc", "no memory");
    struct article_text **texts = is_insert || is_indexed ? all_texts(workload.entries) : NULL;
    int is_reading = !texts && !is_readers && !is_observe && !is_sync && !is_delta;
    if (texts || is_reading) store_open(&store, workload.file, is_reading ? ROLE_READING : ROLE_WRITING);
    // What is committed is moved from the log into the file afterwards, as our side does: not within the commit.
    if (texts) sqlite3_wal_autocheckpoint(store.connection, 0);

    double cpu_before, cpu_after;
    long switches_before, switches_after;
    usage(&cpu_before, &switches_before);
    long done = workload.count;
    if (texts) {
        done = workload.entries;
        insert(&store, texts, done, is_indexed);
    } else if (is_task(&workload, "byID")) {
        done *= read_by_id(&store, &workload, 10000);
    } else if (is_task(&workload, "page")) {
        read_pages(&store, &workload);
    } else if (is_task(&workload, "search")) {
        search(&store, &workload, "lantern");
    } else if (is_task(&workload, "searchCommon")) {
        search(&store, &workload, "harbour");
    } else if (is_readers) {
        readings = read_beside_writer(workload.file, workload.count, workload.entries);
        done = readings.count;
    } else if (is_sync) {
        long long start = nanoseconds();
        sync_all(workload.file, workload.url);
        measured(start);
        done = sync_articles;
    } else if (is_delta) {
        sync_delta(workload.url, workload.count, readings.latencies);
        readings.count = workload.count;
    } else if (is_observe) {
        readings = read_after_change(workload.file, workload.count);
    } else {
        fail(workload.task, "no task of the floor");
    }
    double seconds = is_readers ? readings.seconds : worked();
    usage(&cpu_after, &switches_after);

    qsort(readings.latencies, (size_t)readings.count, sizeof(long long), ascending);
    printf(
        "{\"requests\":%ld,\"seconds\":%.9f,\"bytes\":0,\"p50\":%.3f,\"p99\":%.3f,\"cpuSeconds\":%.6f,"
        "\"switches\":%ld,\"rssMiB\":%.3f}\n",
        done, seconds, readings.latencies[readings.count / 2] / 1e3, readings.latencies[readings.count * 99 / 100] / 1e3,
        cpu_after - cpu_before, switches_after - switches_before, peak_mib());
    if (texts || is_reading) store_close(&store);
    return 0;
}

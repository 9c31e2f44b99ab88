// The floor of the area `cache`: the same rows in the same tables by the same SQLite in plain C, with the same settings
// and statements.
//
// usage: bench-cache-floor TASK FILE COUNT ENTRIES BODY-BYTES COMMITS

#include "readers.h"
#include "store.h"
#include "usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct workload {
    const char *task, *file;
    long count, entries, body_bytes, commits;
    char *body;
};

// One number for each piece of work that was measured by itself.
static struct readings readings;

static void measured(long long start) {
    readings.latencies[readings.count] = nanoseconds() - start;
    readings.count += 1;
}

// Reads payloads one after the other, the same as the other sides.
static void read_payloads(struct store *store, const struct workload *workload) {
    for (long turn = 0; turn < workload->count; turn += 1) {
        long long start = nanoseconds();
        long size = store_read(store, entry_in_turn(turn, workload->entries));
        measured(start);
        if (size != workload->body_bytes) fail("a payload", "of another size");
    }
}

// Puts entries in as many transactions as were asked for, all of about the same size.
static void put_entries(struct store *store, const struct workload *workload, long count) {
    long first = 0;
    for (long number = 0; number < workload->commits; number += 1) {
        long end = (long)((double)count * (number + 1) / workload->commits);
        long long start = nanoseconds();
        store_put(store, first, end - first, workload->body, workload->body_bytes);
        measured(start);
        first = end;
    }
}

static int ascending(const void *left, const void *right) {
    long long a = *(const long long *)left, b = *(const long long *)right;
    return (a > b) - (a < b);
}

static long long written_bytes(void) {
    char line[256];
    long long bytes = 0;
    FILE *file = fopen("/proc/self/io", "r");
    if (file == NULL) return 0;
    while (fgets(line, sizeof line, file) != NULL && sscanf(line, "wchar: %lld", &bytes) != 1) {}
    fclose(file);
    return bytes;
}

int main(int argc, char **argv) {
    // As the other side has it: without a count of the memory, for which all threads meet at one lock.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    if (argc != 7) {
        fprintf(stderr, "usage: TASK FILE COUNT ENTRIES BODY-BYTES COMMITS\n");
        return 2;
    }
    struct workload workload = {
        .task = argv[1],
        .file = argv[2],
        .count = atol(argv[3]),
        .entries = atol(argv[4]),
        .body_bytes = atol(argv[5]),
        .commits = atol(argv[6]),
    };
    if (workload.count < 1 || workload.entries < 1 || workload.body_bytes < 1 || workload.commits < 1) {
        fail("arguments", "out of range");
    }
    int is_open = strcmp(workload.task, "open") == 0, is_readers = strcmp(workload.task, "readers") == 0;
    int is_set = strcmp(workload.task, "set") == 0, is_insert = strcmp(workload.task, "insert") == 0;
    int is_read = strcmp(workload.task, "read") == 0, is_check = strcmp(workload.task, "check") == 0;
    long most = workload.count > workload.commits ? workload.count : workload.commits;
    readings.latencies = calloc((size_t)most, sizeof(long long));
    workload.body = malloc((size_t)workload.body_bytes);
    if (readings.latencies == NULL || workload.body == NULL) fail("malloc", "no memory");
    memset(workload.body, 'x', (size_t)workload.body_bytes);

    struct store store;
    int is_measured_whole = is_open || is_readers;
    if (!is_measured_whole) store_open(&store, workload.file, is_set || is_insert ? ROLE_WRITING : ROLE_READING);
    if (is_check) {
        store_check(&store, workload.entries, workload.body_bytes);
        store_close(&store);
        return 0;
    }
    if (is_read) {
        store_learn_prefix(&store);
        for (long turn = 1; turn <= 200; turn += 1) store_read(&store, entry_in_turn(-turn, workload.entries));
    }
    // What is committed is moved from the log into the file afterwards, as our side does: not within the commit.
    if (is_insert) sqlite3_wal_autocheckpoint(store.connection, 0);
    double cpu_before, cpu_after;
    long switches_before, switches_after;
    long long written_before = written_bytes();
    usage(&cpu_before, &switches_before);
    long long start = nanoseconds();
    long done = workload.count;
    if (is_open) {
        store_open(&store, workload.file, ROLE_READING);
        if (store_read(&store, entry_in_turn(0, workload.entries)) != workload.body_bytes) fail("a payload", "of another size");
        measured(start);
    } else if (is_readers) {
        readings = read_beside_writer(workload.file, workload.count, workload.entries, workload.body, workload.body_bytes);
        done = readings.count;
    } else if (is_read) {
        read_payloads(&store, &workload);
    } else if (is_set || is_insert) {
        done = is_insert ? workload.entries : workload.count;
        put_entries(&store, &workload, done);
    } else {
        fail(workload.task, "no task of the floor");
    }
    double seconds = (nanoseconds() - start) / 1e9;
    usage(&cpu_after, &switches_after);
    long long written = written_bytes() - written_before;

    qsort(readings.latencies, (size_t)readings.count, sizeof(long long), ascending);
    printf(
        "{\"requests\":%ld,\"seconds\":%.9f,\"bytes\":%ld,\"p50\":%.3f,\"p99\":%.3f,\"cpuSeconds\":%.6f,"
        "\"switches\":%ld,\"rssMiB\":%.3f,\"writtenBytes\":%lld}\n",
        done, seconds, done * workload.body_bytes, readings.latencies[readings.count / 2] / 1e3,
        readings.latencies[readings.count * 99 / 100] / 1e3, cpu_after - cpu_before, switches_after - switches_before,
        peak_mib(), written);
    if (!is_readers) store_close(&store);
    return 0;
}

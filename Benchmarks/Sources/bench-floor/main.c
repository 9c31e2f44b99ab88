// The floor: the same requests by the same libcurl in plain C. One thread, one multi handle, easy handles that are used
// again, curl_multi_poll.
//
// usage: bench-floor TASK URL REQUESTS CONCURRENCY WARM-UP BODY-BYTES AUTHORITIES FILE

#include "check.h"
#include "slot.h"
#include "usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CURLM *multi;
static struct slot *slots;
static long long *latencies;
static long next_number;

static void submit(struct slot *slot) {
    slot->start = nanoseconds();
    slot_begin(slot, next_number);
    next_number += 1;
    check_multi(curl_multi_add_handle(multi, slot->easy), "add_handle");
}

// Takes what is finished; returns how many. `left` requests are still to be submitted.
static long harvest(long done, long *left) {
    long harvested = 0;
    int queued = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &queued)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        struct slot *slot;
        CURL *easy = message->easy_handle;
        check_easy(message->data.result, "transfer");
        check_easy(curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&slot), "PRIVATE");
        check_multi(curl_multi_remove_handle(multi, easy), "remove_handle");
        slot_end(slot);
        latencies[done + harvested] = nanoseconds() - slot->start;
        harvested += 1;
        if (*left > 0) {
            *left -= 1;
            submit(slot);
        }
    }
    return harvested;
}

// Makes `count` requests, `concurrency` at once.
static void requests(long count, long concurrency) {
    long first = concurrency < count ? concurrency : count;
    long left = count - first;
    long done = 0;
    for (long index = 0; index < first; index += 1) submit(&slots[index]);
    while (done < count) {
        int running = 0;
        check_multi(curl_multi_perform(multi, &running), "perform");
        long harvested = harvest(done, &left);
        done += harvested;
        // A removed handle makes room for one that waits, and a new one wants to start: no sleep in between.
        if (harvested == 0) check_multi(curl_multi_poll(multi, NULL, 0, 1000, NULL), "poll");
    }
}

static int ascending(const void *left, const void *right) {
    long long a = *(const long long *)left, b = *(const long long *)right;
    return (a > b) - (a < b);
}

static const char *version_name(CURL *easy) {
    long version = 0;
    curl_easy_getinfo(easy, CURLINFO_HTTP_VERSION, &version);
    return version == CURL_HTTP_VERSION_2_0 ? "HTTP/2.0" : version == CURL_HTTP_VERSION_1_1 ? "HTTP/1.1" : "other";
}

static enum task task_named(const char *name) {
    const char *names[] = {"fetch", "cold", "download", "upload"};
    for (int index = 0; index < 4; index += 1) {
        if (strcmp(name, names[index]) == 0) return (enum task)index;
    }
    fail(name, "no task of the floor");
}

static const char *unless_dash(const char *word) {
    return strcmp(word, "-") == 0 ? NULL : word;
}

static int port_of(const char *url) {
    const char *host = strstr(url, "://");
    const char *colon = host == NULL ? NULL : strchr(host + 3, ':');
    return colon == NULL ? 0 : atoi(colon + 1);
}

int main(int argc, char **argv) {
    if (argc != 9) {
        fprintf(stderr, "usage: TASK URL REQUESTS CONCURRENCY WARM-UP BODY-BYTES AUTHORITIES FILE\n");
        return 2;
    }
    struct workload workload = {
        .task = task_named(argv[1]),
        .url = argv[2],
        .requests = atol(argv[3]),
        .concurrency = atol(argv[4]),
        .warm_up = atol(argv[5]),
        .body_bytes = atol(argv[6]),
        .authorities = unless_dash(argv[7]),
        .file = unless_dash(argv[8]),
    };
    long count = workload.requests, concurrency = workload.concurrency;
    if (count < 1 || concurrency < 1 || workload.warm_up < 0) fail("arguments", "out of range");

    check_easy(curl_global_init(CURL_GLOBAL_ALL), "global_init");
    multi = curl_multi_init();
    if (multi == NULL) fail("curl_multi_init", "no handle");
    if (workload.task != TASK_COLD) {
        check_multi(curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 256L), "MAXCONNECTS");
        check_multi(curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, concurrency), "HOST_CONNECTIONS");
        check_multi(curl_multi_setopt(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, 1000L), "CONCURRENT_STREAMS");
    }
    slots = calloc((size_t)concurrency, sizeof *slots);
    latencies = calloc((size_t)(count > workload.warm_up ? count : workload.warm_up), sizeof *latencies);
    if (slots == NULL || latencies == NULL) fail("calloc", "no memory");
    for (long index = 0; index < concurrency; index += 1) slot_open(&slots[index], &workload);

    if (workload.warm_up > 0) {
        // The first alone, so that HTTP/2 finds a connection to share.
        requests(1, 1);
        requests(workload.warm_up, concurrency);
    }
    double cpu_before, cpu_after;
    long switches_before, switches_after;
    usage(&cpu_before, &switches_before);
    long long start = nanoseconds();
    requests(count, concurrency);
    double seconds = (nanoseconds() - start) / 1e9;
    usage(&cpu_after, &switches_after);

    qsort(latencies, (size_t)count, sizeof *latencies, ascending);
    printf(
        "{\"requests\":%ld,\"seconds\":%.9f,\"bytes\":%ld,\"p50\":%.3f,\"p99\":%.3f,\"cpuSeconds\":%.6f,"
        "\"switches\":%ld,\"rssMiB\":%.3f,\"connections\":%d,\"version\":\"%s\"}\n",
        count, seconds, count * workload.body_bytes, latencies[count / 2] / 1e3, latencies[count * 99 / 100] / 1e3,
        cpu_after - cpu_before, switches_after - switches_before, peak_mib(), connections(port_of(workload.url)),
        version_name(slots[0].easy));

    for (long index = 0; index < concurrency; index += 1) slot_close(&slots[index]);
    curl_multi_cleanup(multi);
    curl_global_cleanup();
    return 0;
}

// The floor: the same requests by the same libcurl in plain C. One thread, one multi handle, easy handles that are used
// again, curl_multi_poll; the body goes into one buffer sized by Content-Length, as a client that hands it over needs it.
//
// usage: bench-floor TASK URL REQUESTS CONCURRENCY WARM-UP BODY-BYTES AUTHORITIES

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

// One request under way, and the easy handle that makes it.
struct slot {
    CURL *easy;
    char *body;
    size_t length;
    size_t capacity;
    long long start;
};

static CURLM *multi;
static struct slot *slots;
static long long *latencies;
static long body_bytes;
static struct curl_slist *headers;

static void fail(const char *what, const char *why) {
    fprintf(stderr, "bench-floor: %s: %s\n", what, why);
    exit(1);
}

static void check_easy(CURLcode code, const char *what) {
    if (code != CURLE_OK) fail(what, curl_easy_strerror(code));
}

static void check_multi(CURLMcode code, const char *what) {
    if (code != CURLM_OK) fail(what, curl_multi_strerror(code));
}

static long long nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static size_t append_body(char *bytes, size_t size, size_t count, void *context) {
    struct slot *slot = context;
    size_t length = size * count;
    if (slot->body == NULL) {
        curl_off_t promised = -1;
        curl_easy_getinfo(slot->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &promised);
        slot->capacity = promised > 0 ? (size_t)promised : length;
        slot->body = malloc(slot->capacity);
        if (slot->body == NULL) return 0;
    }
    if (slot->length + length > slot->capacity) {
        slot->capacity = 2 * (slot->length + length);
        char *grown = realloc(slot->body, slot->capacity);
        if (grown == NULL) return 0;
        slot->body = grown;
    }
    memcpy(slot->body + slot->length, bytes, length);
    slot->length += length;
    return length;
}

static void prepare(struct slot *slot, const char *url, const char *authorities) {
    slot->easy = curl_easy_init();
    if (slot->easy == NULL) fail("curl_easy_init", "no handle");
    check_easy(curl_easy_setopt(slot->easy, CURLOPT_URL, url), "URL");
    check_easy(curl_easy_setopt(slot->easy, CURLOPT_NOSIGNAL, 1L), "NOSIGNAL");
    check_easy(curl_easy_setopt(slot->easy, CURLOPT_PROXY, ""), "PROXY");
    check_easy(curl_easy_setopt(slot->easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS), "HTTP_VERSION");
    check_easy(curl_easy_setopt(slot->easy, CURLOPT_BUFFERSIZE, 65536L), "BUFFERSIZE");
    check_easy(curl_easy_setopt(slot->easy, CURLOPT_HTTPHEADER, headers), "HTTPHEADER");
    check_easy(curl_easy_setopt(slot->easy, CURLOPT_CAPATH, NULL), "CAPATH");
    if (authorities != NULL) check_easy(curl_easy_setopt(slot->easy, CURLOPT_CAINFO, authorities), "CAINFO");
    check_easy(curl_easy_setopt(slot->easy, CURLOPT_WRITEFUNCTION, append_body), "WRITEFUNCTION");
    check_easy(curl_easy_setopt(slot->easy, CURLOPT_WRITEDATA, slot), "WRITEDATA");
    check_easy(curl_easy_setopt(slot->easy, CURLOPT_PRIVATE, slot), "PRIVATE");
    check_easy(curl_easy_setopt(slot->easy, CURLOPT_CONNECTTIMEOUT, 15L), "CONNECTTIMEOUT");
}

static void submit(struct slot *slot) {
    slot->start = nanoseconds();
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
        long status = 0;
        CURL *easy = message->easy_handle;
        check_easy(message->data.result, "transfer");
        check_easy(curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&slot), "PRIVATE");
        check_easy(curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status), "RESPONSE_CODE");
        check_multi(curl_multi_remove_handle(multi, easy), "remove_handle");
        if (status != 200) fail("status", "not 200");
        if (slot->length != (size_t)body_bytes) fail("body", "of another size");
        free(slot->body);
        slot->body = NULL;
        slot->length = slot->capacity = 0;
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

static double cpu_seconds(const struct rusage *usage) {
    return (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec)
        + (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

static double peak_mib(void) {
    char line[256];
    long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    if (file == NULL) return 0;
    while (fgets(line, sizeof line, file) != NULL && sscanf(line, "VmHWM: %ld", &kib) != 1) {}
    fclose(file);
    return kib / 1024.0;
}

static const char *version_name(CURL *easy) {
    long version = 0;
    curl_easy_getinfo(easy, CURLINFO_HTTP_VERSION, &version);
    return version == CURL_HTTP_VERSION_2_0 ? "HTTP/2.0" : version == CURL_HTTP_VERSION_1_1 ? "HTTP/1.1" : "other";
}

int main(int argc, char **argv) {
    if (argc != 8) {
        fprintf(stderr, "usage: TASK URL REQUESTS CONCURRENCY WARM-UP BODY-BYTES AUTHORITIES\n");
        return 2;
    }
    int cold = strcmp(argv[1], "cold") == 0;
    if (!cold && strcmp(argv[1], "fetch") != 0) fail(argv[1], "no task of the floor");
    const char *authorities = strcmp(argv[7], "-") == 0 ? NULL : argv[7];
    long count = atol(argv[3]), concurrency = atol(argv[4]), warm_up = atol(argv[5]);
    body_bytes = atol(argv[6]);
    if (count < 1 || concurrency < 1 || warm_up < 0) fail("arguments", "out of range");

    check_easy(curl_global_init(CURL_GLOBAL_ALL), "global_init");
    multi = curl_multi_init();
    if (multi == NULL) fail("curl_multi_init", "no handle");
    check_multi(curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 256L), "MAXCONNECTS");
    check_multi(curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, cold ? 6L : concurrency), "HOST_CONNECTIONS");
    // What Masthead sends, so that the server reads the same.
    const char *lines[] = {"Accept: application/json", "User-Agent: Masthead/0.1.0", "Accept-Encoding: gzip, deflate"};
    for (int index = 0; index < 3; index += 1) {
        headers = curl_slist_append(headers, lines[index]);
        if (headers == NULL) fail("curl_slist_append", "no memory");
    }
    slots = calloc((size_t)concurrency, sizeof *slots);
    latencies = calloc((size_t)(count > warm_up ? count : warm_up), sizeof *latencies);
    if (slots == NULL || latencies == NULL) fail("calloc", "no memory");
    for (long index = 0; index < concurrency; index += 1) prepare(&slots[index], argv[2], authorities);

    if (warm_up > 0) {
        // The first alone, so that HTTP/2 finds a connection to share.
        requests(1, 1);
        requests(warm_up, concurrency);
    }
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    long long start = nanoseconds();
    requests(count, concurrency);
    double seconds = (nanoseconds() - start) / 1e9;
    getrusage(RUSAGE_SELF, &after);

    qsort(latencies, (size_t)count, sizeof *latencies, ascending);
    printf(
        "{\"requests\":%ld,\"seconds\":%.9f,\"bytes\":%ld,\"p50\":%.3f,\"p99\":%.3f,\"cpuSeconds\":%.6f,"
        "\"switches\":%ld,\"rssMiB\":%.3f,\"version\":\"%s\"}\n",
        count, seconds, count * body_bytes, latencies[count / 2] / 1e3, latencies[count * 99 / 100] / 1e3,
        cpu_seconds(&after) - cpu_seconds(&before),
        after.ru_nvcsw + after.ru_nivcsw - before.ru_nvcsw - before.ru_nivcsw, peak_mib(),
        version_name(slots[0].easy));

    for (long index = 0; index < concurrency; index += 1) curl_easy_cleanup(slots[index].easy);
    curl_multi_cleanup(multi);
    curl_slist_free_all(headers);
    curl_global_cleanup();
    return 0;
}

#include "slot.h"

#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The body goes into one buffer sized by Content-Length, as a client that hands it over needs it.
static size_t keep(char *bytes, size_t size, size_t count, void *context) {
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

static size_t store(char *bytes, size_t size, size_t count, void *context) {
    struct slot *slot = context;
    size_t length = size * count, written = 0;
    while (written < length) {
        ssize_t result = write(slot->descriptor, bytes + written, length - written);
        if (result < 0 && errno == EINTR) continue;
        if (result <= 0) return 0;
        written += (size_t)result;
    }
    slot->length += length;
    return length;
}

static curl_mime *form_of(CURL *easy, const char *file) {
    const char *fields[][2] = {{"title", "Tidewater, Spring"}, {"number", "7"}};
    curl_mime *form = curl_mime_init(easy);
    if (form == NULL) fail("curl_mime_init", "no memory");
    for (int index = 0; index < 2; index += 1) {
        curl_mimepart *part = curl_mime_addpart(form);
        check_easy(curl_mime_name(part, fields[index][0]), "mime_name");
        check_easy(curl_mime_data(part, fields[index][1], CURL_ZERO_TERMINATED), "mime_data");
    }
    curl_mimepart *part = curl_mime_addpart(form);
    check_easy(curl_mime_name(part, "file"), "mime_name");
    check_easy(curl_mime_filedata(part, file), "mime_filedata");
    check_easy(curl_mime_filename(part, "issue.bin"), "mime_filename");
    check_easy(curl_mime_type(part, "application/octet-stream"), "mime_type");
    return form;
}

// The options that Masthead sets for its own sake, and the lines it sends, so that the server reads the same.
static void tune(struct slot *slot) {
    CURL *easy = slot->easy;
    int moves_files = slot->workload->task == TASK_DOWNLOAD || slot->workload->task == TASK_UPLOAD;
    const char *lines[] = {
        "Accept: application/json", "User-Agent: Masthead/0.1.0", "Accept-Encoding: gzip, deflate", "Expect:",
    };
    for (int index = 0; index < 4; index += 1) {
        struct curl_slist *grown = curl_slist_append(slot->headers, lines[index]);
        if (grown == NULL) fail("curl_slist_append", "no memory");
        slot->headers = grown;
    }
    check_easy(curl_easy_setopt(easy, CURLOPT_HTTPHEADER, slot->headers), "HTTPHEADER");
    check_easy(curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L), "NOSIGNAL");
    check_easy(curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS), "HTTP_VERSION");
    check_easy(curl_easy_setopt(easy, CURLOPT_CAPATH, NULL), "CAPATH");
    check_easy(curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, 15L), "CONNECTTIMEOUT");
    check_easy(curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, moves_files ? 512L << 10 : 64L << 10), "BUFFERSIZE");
    check_easy(curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, 512L << 10), "UPLOAD_BUFFERSIZE");
}

void slot_open(struct slot *slot, const struct workload *workload) {
    slot->workload = workload;
    slot->descriptor = -1;
    slot->easy = curl_easy_init();
    if (slot->easy == NULL) fail("curl_easy_init", "no handle");
    CURL *easy = slot->easy;
    check_easy(curl_easy_setopt(easy, CURLOPT_URL, workload->url), "URL");
    check_easy(curl_easy_setopt(easy, CURLOPT_PROXY, ""), "PROXY");
    if (workload->authorities != NULL) check_easy(curl_easy_setopt(easy, CURLOPT_CAINFO, workload->authorities), "CAINFO");
    if (workload->task != TASK_COLD) tune(slot);
    if (workload->task == TASK_UPLOAD) {
        slot->form = form_of(easy, workload->file);
        check_easy(curl_easy_setopt(easy, CURLOPT_MIMEPOST, slot->form), "MIMEPOST");
    }
    curl_write_callback sink = workload->task == TASK_DOWNLOAD ? store : keep;
    check_easy(curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, sink), "WRITEFUNCTION");
    check_easy(curl_easy_setopt(easy, CURLOPT_WRITEDATA, slot), "WRITEDATA");
    check_easy(curl_easy_setopt(easy, CURLOPT_PRIVATE, slot), "PRIVATE");
}

void slot_begin(struct slot *slot, long number) {
    if (slot->workload->task != TASK_DOWNLOAD) return;
    char path[4096];
    snprintf(path, sizeof path, "%s.%ld", slot->workload->file, number);
    slot->descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (slot->descriptor < 0) fail(path, strerror(errno));
}

void slot_end(struct slot *slot) {
    long status = 0;
    check_easy(curl_easy_getinfo(slot->easy, CURLINFO_RESPONSE_CODE, &status), "RESPONSE_CODE");
    if (status != 200) fail("status", "not 200");
    if (slot->workload->task != TASK_UPLOAD && slot->length != (size_t)slot->workload->body_bytes) {
        fail("body", "of another size");
    }
    if (slot->descriptor >= 0 && close(slot->descriptor) != 0) fail("close", strerror(errno));
    slot->descriptor = -1;
    free(slot->body);
    slot->body = NULL;
    slot->length = slot->capacity = 0;
}

void slot_close(struct slot *slot) {
    curl_easy_cleanup(slot->easy);
    curl_mime_free(slot->form);
    curl_slist_free_all(slot->headers);
}

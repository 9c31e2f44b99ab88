// One request at a time, and the easy handle that makes it.

#ifndef SLOT_H
#define SLOT_H

#include <curl/curl.h>

enum task {
    // Into memory.
    TASK_FETCH,
    // Into memory, with nothing set that libcurl has a default for.
    TASK_COLD,
    // Into a file of its own.
    TASK_DOWNLOAD,
    // A form with two fields and a file.
    TASK_UPLOAD,
};

struct workload {
    enum task task;
    const char *url;
    long requests;
    long concurrency;
    long warm_up;
    long body_bytes;
    const char *authorities;
    const char *file;
};

struct slot {
    const struct workload *workload;
    CURL *easy;
    struct curl_slist *headers;
    curl_mime *form;
    char *body;
    size_t length;
    size_t capacity;
    int descriptor;
    long long start;
};

// Makes the handle, once.
void slot_open(struct slot *slot, const struct workload *workload);

// Gets it ready for the request of a number; the same handle is used again and again.
void slot_begin(struct slot *slot, long number);

// Checks what came, and lets go of it.
void slot_end(struct slot *slot);

void slot_close(struct slot *slot);

#endif

#include "check.h"

#include <stdio.h>
#include <stdlib.h>

void fail(const char *what, const char *why) {
    fprintf(stderr, "bench-floor: %s: %s\n", what, why);
    exit(1);
}

void check_easy(CURLcode code, const char *what) {
    if (code != CURLE_OK) fail(what, curl_easy_strerror(code));
}

void check_multi(CURLMcode code, const char *what) {
    if (code != CURLM_OK) fail(what, curl_multi_strerror(code));
}

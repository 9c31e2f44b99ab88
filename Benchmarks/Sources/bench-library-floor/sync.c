#include "sync.h"

#include "store.h"
#include "usage.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { at_once = 4, batch_size = 50, articles_at_once = 200, page_size = 100 };

struct body {
    char *bytes;
    size_t length, capacity;
};

struct fetcher {
    CURLM *multi;
    CURL *easy[at_once];
    struct body body[at_once];
    const char *url;
    long requests;
    // The targets that are still to be fetched.
    char *targets[4096];
    int count;
};

static size_t keep(char *bytes, size_t size, size_t count, void *context) {
    struct body *body = context;
    size_t length = size * count;
    if (body->length + length > body->capacity) {
        body->capacity = 2 * (body->length + length);
        body->bytes = realloc(body->bytes, body->capacity);
        if (body->bytes == NULL) return 0;
    }
    memcpy(body->bytes + body->length, bytes, length);
    body->length += length;
    return length;
}

static void fetcher_open(struct fetcher *fetcher, const char *url) {
    memset(fetcher, 0, sizeof *fetcher);
    fetcher->url = url;
    fetcher->multi = curl_multi_init();
    for (int index = 0; index < at_once; index += 1) {
        CURL *easy = curl_easy_init();
        if (easy == NULL) fail("curl_easy_init", "no handle");
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, keep);
        curl_easy_setopt(easy, CURLOPT_WRITEDATA, &fetcher->body[index]);
        curl_easy_setopt(easy, CURLOPT_PRIVATE, &fetcher->body[index]);
        curl_easy_setopt(easy, CURLOPT_PROXY, "");
        fetcher->easy[index] = easy;
    }
}

static void fetcher_close(struct fetcher *fetcher) {
    for (int index = 0; index < at_once; index += 1) {
        curl_easy_cleanup(fetcher->easy[index]);
        free(fetcher->body[index].bytes);
    }
    curl_multi_cleanup(fetcher->multi);
}

static void begin(struct fetcher *fetcher, CURL *easy, struct body *body, const char *target) {
    char url[4096];
    snprintf(url, sizeof url, "%s%s", fetcher->url, target);
    body->length = 0;
    curl_easy_setopt(easy, CURLOPT_URL, url);
    if (curl_multi_add_handle(fetcher->multi, easy) != CURLM_OK) fail(url, "cannot be begun");
    fetcher->requests += 1;
}

// Fetches the targets, four at a time.
static void fetch(struct fetcher *fetcher) {
    int next = 0, under_way = 0, running, left;
    for (; under_way < at_once && next < fetcher->count; under_way += 1, next += 1) {
        begin(fetcher, fetcher->easy[under_way], &fetcher->body[under_way], fetcher->targets[next]);
    }
    while (under_way > 0) {
        if (curl_multi_perform(fetcher->multi, &running) != CURLM_OK) fail("curl_multi_perform", "failed");
        CURLMsg *message;
        int has_ended = 0;
        while ((message = curl_multi_info_read(fetcher->multi, &left)) != NULL) {
            CURL *easy = message->easy_handle;
            struct body *body = NULL;
            long status = 0;
            curl_easy_getinfo(easy, CURLINFO_PRIVATE, &body);
            curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
            if (message->data.result != CURLE_OK || status != 200) fail(fetcher->url, "no answer of status 200");
            curl_multi_remove_handle(fetcher->multi, easy);
            has_ended = 1;
            under_way -= 1;
            if (next < fetcher->count) {
                begin(fetcher, easy, body, fetcher->targets[next]);
                next += 1;
                under_way += 1;
            }
        }
        if (under_way > 0 && !has_ended) curl_multi_poll(fetcher->multi, NULL, 0, 1000, NULL);
    }
    for (int index = 0; index < fetcher->count; index += 1) free(fetcher->targets[index]);
    fetcher->count = 0;
}

static void want(struct fetcher *fetcher, const char *target) {
    if (fetcher->count == 4096) fail("targets", "too many");
    fetcher->targets[fetcher->count++] = strdup(target);
}

// Wants things by their ids, 50 a request.
static void want_all(struct fetcher *fetcher, const char *collection, char (*ids)[25], int count) {
    for (int first = 0; first < count; first += batch_size) {
        char target[2048];
        char *at = target + sprintf(target, "/%s/", collection);
        for (int index = first; index < first + batch_size && index < count; index += 1) {
            at += sprintf(at, index == first ? "%s" : ",%s", ids[index]);
        }
        want(fetcher, target);
    }
}

// MARK: The rows

static void put_issue(struct store *store, struct sync_rows *rows, long number) {
    char id[25], cover[25], child[25], sku[64], title[32];
    snprintf(id, sizeof id, "64b0c0ffee00000000%06ld", number);
    asset_id(2 * sync_articles + number, cover);
    snprintf(sku, sizeof sku, "org.example.tidewater.issue.%ld", number);
    snprintf(title, sizeof title, "Issue %ld", number);
    rows_issue(store, rows, id, sku, title, cover);
    rows_link(store, rows->issue_asset, id, 1, cover);
    for (int index = 0; index < sync_issue_size; index += 1) {
        snprintf(child, sizeof child, "64a0c0ffee00000000%06ld", number * sync_issue_size + index);
        rows_stub(store, rows, id, index + 1, child);
    }
}

static void put_group(struct store *store, struct sync_rows *rows, long first, long count) {
    char id[25];
    store_run(store, store->begin);
    for (long issue = first; issue < first + count; issue += 1) {
        asset_id(2 * sync_articles + issue, id);
        rows_asset(store, rows, id, 2 * sync_articles + issue);
    }
    long begin = first * sync_issue_size, end = (first + count) * sync_issue_size;
    for (long number = 2 * begin; number < 2 * end; number += 1) {
        asset_id(number, id);
        rows_asset(store, rows, id, number);
    }
    for (long number = begin; number < end; number += 1) {
        struct article_text *text = article_text_make(number);
        char assets[library_assets_each][25];
        for (int index = 0; index < library_assets_each; index += 1) {
            asset_id(2 * number + index, assets[index]);
            text->assets[index] = assets[index];
        }
        store_insert(store, text, 1);
        article_text_free(text);
    }
    for (long issue = first; issue < first + count; issue += 1) put_issue(store, rows, issue);
    store_run(store, store->commit);
}

static void put_volumes(struct store *store, struct sync_rows *rows) {
    store_run(store, store->begin);
    for (long number = 0; number < sync_volumes; number += 1) {
        char id[25], title[32], child[25];
        snprintf(id, sizeof id, "64d0c0ffee00000000%06ld", number);
        snprintf(title, sizeof title, "Volume %ld", number);
        rows_volume(store, rows, id, title);
        for (int index = 0; index < 10; index += 1) {
            snprintf(child, sizeof child, "64b0c0ffee00000000%06ld", number * 10 + index);
            rows_link(store, rows->volume_issue, id, index + 1, child);
        }
    }
    store_run(store, store->commit);
}

// MARK: The whole

static void fetch_group(struct fetcher *fetcher, long first, long count) {
    static char ids[2 * (articles_at_once + sync_issue_size) + 64][25];
    int many = 0;
    for (long number = first * sync_issue_size; number < (first + count) * sync_issue_size; number += 1) {
        snprintf(ids[many++], 25, "64a0c0ffee00000000%06ld", number);
    }
    want_all(fetcher, "articles", ids, many);
    fetch(fetcher);
    many = 0;
    for (long issue = first; issue < first + count; issue += 1) asset_id(2 * sync_articles + issue, ids[many++]);
    for (long number = 2 * first * sync_issue_size; number < 2 * (first + count) * sync_issue_size; number += 1) {
        asset_id(number, ids[many++]);
    }
    want_all(fetcher, "media", ids, many);
    fetch(fetcher);
}

long sync_all(const char *file, const char *url) {
    struct fetcher fetcher;
    struct store store;
    struct sync_rows rows;
    store_open(&store, file, ROLE_WRITING);
    rows_open(&store, &rows);
    fetcher_open(&fetcher, url);
    want(&fetcher, "/volumes?limit=20");
    fetch(&fetcher);
    put_volumes(&store, &rows);
    for (long page = 0; page < sync_issues / page_size; page += 1) {
        want(&fetcher, page == 0 ? "/issues/published?limit=100" : "/issues/published?limit=100&page=2");
        fetch(&fetcher);
        for (long first = page * page_size; first < (page + 1) * page_size;) {
            // As many issues as make so many articles.
            long count = (articles_at_once + sync_issue_size - 1) / sync_issue_size;
            if (first + count > (page + 1) * page_size) count = (page + 1) * page_size - first;
            fetch_group(&fetcher, first, count);
            put_group(&store, &rows, first, count);
            first += count;
        }
    }
    fetcher_close(&fetcher);
    store_close(&store);
    return fetcher.requests;
}

void sync_delta(const char *url, long count, long long *latencies) {
    struct fetcher fetcher;
    fetcher_open(&fetcher, url);
    for (long number = 0; number < count; number += 1) {
        long long start = nanoseconds();
        const char *targets[] = {
            "/volumes?limit=20",
            "/issues/published/since/2026-01-15T00:00:00%2B00:00?limit=100",
            "/articles/published/since/2026-01-15T00:00:00%2B00:00?limit=100",
        };
        for (int index = 0; index < 3; index += 1) {
            want(&fetcher, targets[index]);
            fetch(&fetcher);
        }
        latencies[number] = nanoseconds() - start;
    }
    fetcher_close(&fetcher);
}

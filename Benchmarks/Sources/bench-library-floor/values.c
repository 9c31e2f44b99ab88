#include "store.h"

#include <stdlib.h>
#include <string.h>

static const int text_columns[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
enum { text_count = sizeof text_columns / sizeof *text_columns };

// Copies a row, and what another table says of it, into one block.
static struct value *value_of(struct store *store, sqlite3_stmt *row) {
    int has_body = sqlite3_column_count(row) > 19;
    const char *texts[text_count + 1];
    int sizes[text_count + 1];
    int count = text_count + has_body;
    size_t size = 0;
    for (int index = 0; index < count; index += 1) {
        int column = index < text_count ? text_columns[index] : 19;
        texts[index] = (const char *)sqlite3_column_text(row, column);
        sizes[index] = sqlite3_column_bytes(row, column);
        size += (size_t)sizes[index] + 1;
    }
    sqlite3_bind_text(store->children, 1, texts[0], sizes[0], SQLITE_STATIC);
    char assets[8][64];
    int asset_sizes[8], asset_count = 0;
    while (asset_count < 8 && sqlite3_step(store->children) == SQLITE_ROW) {
        int bytes = sqlite3_column_bytes(store->children, 0);
        if (bytes > 63) fail("an asset", "a long id");
        memcpy(assets[asset_count], sqlite3_column_text(store->children, 0), (size_t)bytes + 1);
        asset_sizes[asset_count] = bytes;
        size += (size_t)bytes + 1;
        asset_count += 1;
    }
    sqlite3_reset(store->children);
    struct value *value = malloc(sizeof *value + size);
    if (value == NULL) fail("malloc", "no memory");
    char *at = (char *)(value + 1);
    for (int index = 0; index < count; index += 1) {
        value->texts[index] = texts[index] == NULL ? NULL : at;
        if (texts[index] != NULL) memcpy(at, texts[index], (size_t)sizes[index] + 1);
        at += sizes[index] + 1;
    }
    for (int index = 0; index < asset_count; index += 1) {
        value->assets[index] = at;
        memcpy(at, assets[index], (size_t)asset_sizes[index] + 1);
        at += asset_sizes[index] + 1;
    }
    value->asset_count = asset_count;
    value->is_metadata_text = sqlite3_column_int(row, 14);
    value->is_featured = sqlite3_column_int(row, 15);
    value->is_published = sqlite3_column_int(row, 16);
    value->date = sqlite3_column_double(row, 17);
    value->updated = sqlite3_column_double(row, 18);
    value->size = has_body ? sizes[text_count] : 0;
    return value;
}

void value_free(struct value *value) { free(value); }

struct value *store_by_id(struct store *store, const char *id) {
    sqlite3_bind_text(store->by_id, 1, id, (int)strlen(id), SQLITE_STATIC);
    if (sqlite3_step(store->by_id) != SQLITE_ROW) fail(id, "is not there");
    struct value *value = value_of(store, store->by_id);
    sqlite3_reset(store->by_id);
    return value;
}

int store_page(struct store *store, const char *issue, int page, struct value *values[20]) {
    int count = 0;
    sqlite3_bind_text(store->page, 1, issue, (int)strlen(issue), SQLITE_STATIC);
    sqlite3_bind_int(store->page, 2, page * 20);
    while (sqlite3_step(store->page) == SQLITE_ROW) values[count++] = value_of(store, store->page);
    sqlite3_reset(store->page);
    return count;
}

int store_search(struct store *store, const char *word, struct value *values[20], char *titles[20], char *snippets[20]) {
    long long numbers[20];
    int count = 0;
    store_run(store, store->begin_reading);
    sqlite3_bind_text(store->search, 1, word, (int)strlen(word), SQLITE_STATIC);
    while (sqlite3_step(store->search) == SQLITE_ROW) numbers[count++] = sqlite3_column_int64(store->search, 0);
    sqlite3_reset(store->search);
    for (int index = 0; index < count; index += 1) {
        sqlite3_bind_int64(store->by_number, 1, numbers[index]);
        if (sqlite3_step(store->by_number) != SQLITE_ROW) fail(word, "a hit that is no article");
        values[index] = value_of(store, store->by_number);
        sqlite3_reset(store->by_number);
        sqlite3_bind_text(store->mark, 1, word, (int)strlen(word), SQLITE_STATIC);
        sqlite3_bind_int64(store->mark, 2, numbers[index]);
        if (sqlite3_step(store->mark) != SQLITE_ROW) fail(word, "a hit that is none");
        titles[index] = strdup((const char *)sqlite3_column_text(store->mark, 0));
        snippets[index] = strdup((const char *)sqlite3_column_text(store->mark, 1));
        sqlite3_reset(store->mark);
    }
    store_run(store, store->commit);
    return count;
}

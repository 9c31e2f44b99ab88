#include "store.h"

#include <stdio.h>
#include <string.h>

static const double date = 790000000;

static void bind(sqlite3_stmt *statement, int index, const char *text) {
    sqlite3_bind_text(statement, index, text, (int)strlen(text), SQLITE_STATIC);
}

void rows_open(struct store *store, struct sync_rows *rows) {
    rows->volume = store_prepare(
        store,
        "INSERT INTO volume (id, title, subtitle, summary, isMetadataText, releaseDate, date, isPublished, publisher)"
        " VALUES (?, ?, '', '', 0, '', ?, 1, 'Tidewater Press')");
    rows->issue = store_prepare(
        store,
        "INSERT INTO issue (id, sku, title, summary, coverPhone, isMetadataText, published, date, updated, isPublished,"
        " displayDate) VALUES (?, ?, ?, '', ?, 0, ?, ?, ?, 1, 'January 2026')");
    rows->asset = store_prepare(
        store,
        "INSERT INTO asset (id, caption, source, kind, cdnURL, cdnThumbnailURL, width, height, updated, isMetadataText)"
        " VALUES (?, ?, '', 'image', ?, ?, 1600, 1200, ?, 0)");
    rows->volume_issue = store_prepare(store, "INSERT INTO volume_issue (parent, placement, child) VALUES (?, ?, ?)");
    rows->issue_asset = store_prepare(store, "INSERT INTO issue_asset (parent, placement, child) VALUES (?, ?, ?)");
    rows->stub = store_prepare(
        store, "INSERT INTO issue_article (parent, placement, child, updated) VALUES (?, ?, ?, ?)");
}

void rows_volume(struct store *store, struct sync_rows *rows, const char *id, const char *title) {
    bind(rows->volume, 1, id);
    bind(rows->volume, 2, title);
    sqlite3_bind_double(rows->volume, 3, date);
    store_run(store, rows->volume);
}

void rows_issue(
    struct store *store, struct sync_rows *rows, const char *id, const char *sku, const char *title, const char *cover) {
    bind(rows->issue, 1, id);
    bind(rows->issue, 2, sku);
    bind(rows->issue, 3, title);
    bind(rows->issue, 4, cover);
    for (int index = 5; index < 8; index += 1) sqlite3_bind_double(rows->issue, index, date);
    store_run(store, rows->issue);
}

void rows_asset(struct store *store, struct sync_rows *rows, const char *id, long number) {
    char caption[64], url[96], thumbnail[96];
    snprintf(caption, sizeof caption, "Picture %ld of the Corran", number);
    snprintf(url, sizeof url, "https://cdn.example.org/m/%s.jpg", id);
    snprintf(thumbnail, sizeof thumbnail, "https://cdn.example.org/t/%s.jpg", id);
    bind(rows->asset, 1, id);
    bind(rows->asset, 2, caption);
    bind(rows->asset, 3, url);
    bind(rows->asset, 4, thumbnail);
    sqlite3_bind_double(rows->asset, 5, date);
    store_run(store, rows->asset);
}

void rows_link(struct store *store, sqlite3_stmt *statement, const char *parent, int placement, const char *child) {
    bind(statement, 1, parent);
    sqlite3_bind_int(statement, 2, placement);
    bind(statement, 3, child);
    store_run(store, statement);
}

void rows_stub(struct store *store, struct sync_rows *rows, const char *parent, int placement, const char *child) {
    bind(rows->stub, 1, parent);
    sqlite3_bind_int(rows->stub, 2, placement);
    bind(rows->stub, 3, child);
    sqlite3_bind_double(rows->stub, 4, date);
    store_run(store, rows->stub);
}

#include "store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS \
    "e.id, e.sku, e.title, e.slug, e.summary, e.authorName, e.authorURL, e.authorBio, e.sharingURL, e.section, e.type," \
    " e.commentary, e.keywords, e.metadata, e.isMetadataText, e.isFeatured, e.isPublished, e.date, e.updated"

void fail(const char *what, const char *why) {
    fprintf(stderr, "bench-library-floor: %s: %s\n", what, why);
    exit(1);
}

sqlite3_stmt *store_prepare(struct store *store, const char *text) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v3(store->connection, text, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK) {
        fail(text, sqlite3_errmsg(store->connection));
    }
    store->prepared[store->prepared_count++] = statement;
    return statement;
}

void store_run(struct store *store, sqlite3_stmt *statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) fail(sqlite3_sql(statement), sqlite3_errmsg(store->connection));
    sqlite3_reset(statement);
}

static void prepare_reading(struct store *store) {
    store->begin_reading = store_prepare(store, "BEGIN");
    store->by_id = store_prepare(
        store, "SELECT " COLUMNS ", b.html FROM article e LEFT JOIN article_body b ON b.number = e.number WHERE e.id = ?");
    store->by_number = store_prepare(store, "SELECT " COLUMNS " FROM article e WHERE e.number = ?");
    store->children = store_prepare(store, "SELECT child FROM article_asset WHERE parent = ? ORDER BY placement");
    store->page = store_prepare(
        store,
        "SELECT " COLUMNS " FROM issue_article r CROSS JOIN article e ON e.id = r.child WHERE r.parent = ?"
        " ORDER BY r.placement LIMIT 20 OFFSET ?");
    store->search
        = store_prepare(store, "SELECT rowid FROM article_text WHERE article_text MATCH ? ORDER BY rank LIMIT 20");
    store->mark = store_prepare(
        store,
        "SELECT highlight(article_text, 0, '\xEE\x80\x80', '\xEE\x80\x81'),"
        " snippet(article_text, -1, '\xEE\x80\x80', '\xEE\x80\x81', '\xE2\x80\xA6', 24)"
        " FROM article_text WHERE article_text MATCH ? AND rowid = ?");
}

static void prepare_writing(struct store *store) {
    store->begin = store_prepare(store, "BEGIN IMMEDIATE");
    store->article = store_prepare(
        store,
        "INSERT INTO article (id, sku, title, slug, summary, authorName, authorURL, authorBio, sharingURL, section, type,"
        " commentary, keywords, metadata, isMetadataText, isFeatured, isPublished, date, updated, standsAlone)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, 1)");
    store->body = store_prepare(store, "INSERT INTO article_body (number, html) VALUES (?, ?)");
    store->keyword = store_prepare(store, "INSERT INTO article_keyword (word, owner) VALUES (?, ?)");
    store->asset = store_prepare(store, "INSERT INTO article_asset (parent, placement, child) VALUES (?, ?, ?)");
    store->caption = store_prepare(
        store,
        "SELECT a.caption FROM article_asset r JOIN asset a ON a.id = r.child"
        " WHERE r.parent = ? AND a.caption <> '' ORDER BY r.placement");
    store->index = store_prepare(
        store,
        "INSERT INTO article_text (rowid, title, summary, body, author, keywords, captions)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)");
    store->change = store_prepare(store, "UPDATE article SET title = ? WHERE id = ?");
    store->row_of = store_prepare(store, "SELECT number FROM article WHERE id = ?");
    store->row_out = store_prepare(store, "DELETE FROM article_text WHERE rowid = ?");
}

void store_open(struct store *store, const char *path, enum role role) {
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    memset(store, 0, sizeof *store);
    if (sqlite3_open_v2(path, &store->connection, flags, NULL) != SQLITE_OK) fail(path, "does not open");
    sqlite3_busy_timeout(store->connection, 5000);
    const char *settings = role == ROLE_READING
        ? "PRAGMA cell_size_check=ON;PRAGMA temp_store=MEMORY;PRAGMA cache_size=-8192;PRAGMA query_only=ON"
        : "PRAGMA cell_size_check=ON;PRAGMA temp_store=MEMORY;PRAGMA cache_size=-8192;PRAGMA synchronous=NORMAL;"
          "PRAGMA journal_size_limit=4194304;PRAGMA secure_delete=OFF";
    if (sqlite3_exec(store->connection, settings, NULL, NULL, NULL) != SQLITE_OK) {
        fail(settings, sqlite3_errmsg(store->connection));
    }
    store->commit = store_prepare(store, "COMMIT");
    prepare_reading(store);
    if (role == ROLE_WRITING) prepare_writing(store);
}

void store_close(struct store *store) {
    for (int index = 0; index < store->prepared_count; index += 1) sqlite3_finalize(store->prepared[index]);
    if (sqlite3_close(store->connection) != SQLITE_OK) fail("close", sqlite3_errmsg(store->connection));
}

// MARK: Writing

static void bind(sqlite3_stmt *statement, int index, const char *text) {
    sqlite3_bind_text(statement, index, text, (int)strlen(text), SQLITE_STATIC);
}

static size_t joined(const struct article_text *text, const char *separator, char *output) {
    char *at = output;
    for (int index = 0; index < library_keywords; index += 1) {
        if (index > 0) at = stpcpy(at, separator);
        at = stpcpy(at, text->keywords[index]);
    }
    return (size_t)(at - output);
}

static void put_index(struct store *store, const struct article_text *text, long long number, const char *title) {
    char keywords[256], captions[1024];
    char *at = captions;
    bind(store->caption, 1, text->id);
    while (sqlite3_step(store->caption) == SQLITE_ROW) {
        if (at != captions) *at++ = '\n';
        at = stpcpy(at, (const char *)sqlite3_column_text(store->caption, 0));
    }
    *at = 0;
    sqlite3_reset(store->caption);
    joined(text, ", ", keywords);
    sqlite3_bind_int64(store->index, 1, number);
    bind(store->index, 2, title);
    bind(store->index, 3, text->summary);
    bind(store->index, 4, text->plain);
    bind(store->index, 5, text->author_name);
    bind(store->index, 6, keywords);
    bind(store->index, 7, captions);
    store_run(store, store->index);
}

void store_insert(struct store *store, const struct article_text *text, int is_indexed) {
    const char *texts[] = {
        text->id, text->sku, text->title, text->slug, text->summary, text->author_name, text->author_url,
        text->author_bio, text->sharing_url, text->section, text->type, text->commentary,
    };
    char keywords[256];
    for (int index = 0; index < 12; index += 1) bind(store->article, index + 1, texts[index]);
    sqlite3_bind_text(store->article, 13, keywords, (int)joined(text, "\x1F", keywords), SQLITE_STATIC);
    bind(store->article, 14, text->metadata);
    sqlite3_bind_int(store->article, 15, 0);
    sqlite3_bind_int(store->article, 16, 1);
    sqlite3_bind_double(store->article, 17, text->date);
    sqlite3_bind_double(store->article, 18, text->updated);
    store_run(store, store->article);
    long long number = sqlite3_last_insert_rowid(store->connection);
    sqlite3_bind_int64(store->body, 1, number);
    bind(store->body, 2, text->body);
    store_run(store, store->body);
    for (int index = 0; index < library_keywords; index += 1) {
        bind(store->keyword, 1, text->keywords[index]);
        sqlite3_bind_int64(store->keyword, 2, number);
        store_run(store, store->keyword);
    }
    for (int index = 0; index < library_assets_each; index += 1) {
        bind(store->asset, 1, text->id);
        sqlite3_bind_int(store->asset, 2, index + 1);
        bind(store->asset, 3, text->assets[index]);
        store_run(store, store->asset);
    }
    if (is_indexed) put_index(store, text, number, text->title);
}

void store_change(struct store *store, const struct article_text *text, const char *title) {
    bind(store->row_of, 1, text->id);
    if (sqlite3_step(store->row_of) != SQLITE_ROW) fail(text->id, "is not there");
    long long number = sqlite3_column_int64(store->row_of, 0);
    sqlite3_reset(store->row_of);
    bind(store->change, 1, title);
    bind(store->change, 2, text->id);
    store_run(store, store->change);
    sqlite3_bind_int64(store->row_out, 1, number);
    store_run(store, store->row_out);
    put_index(store, text, number, title);
}

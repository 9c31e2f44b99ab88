#include "store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The mangled name of BenchmarkSide's Article.
char key_prefix[256] = "model\x01" "13BenchmarkSide7ArticleV\x01";

static const char type_name[] = "13BenchmarkSide7ArticleV";

static const char schema[] =
    "PRAGMA page_size=8192;"
    "PRAGMA journal_mode=WAL;"
    "CREATE TABLE entry (id INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB NOT NULL, variant BLOB NOT NULL, type BLOB,"
    " version INTEGER NOT NULL, revision INTEGER NOT NULL, stored REAL NOT NULL, expires REAL, size INTEGER NOT NULL,"
    " pieces INTEGER NOT NULL, used INTEGER NOT NULL, head BLOB NOT NULL);"
    "CREATE UNIQUE INDEX entry_key ON entry (key, variant);"
    "CREATE INDEX entry_used ON entry (used);"
    "CREATE INDEX entry_type ON entry (type) WHERE type IS NOT NULL;"
    "CREATE TABLE body (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);"
    "CREATE TABLE tag (tag BLOB NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY (tag, entry)) WITHOUT ROWID;"
    "CREATE INDEX tag_entry ON tag (entry);"
    "CREATE INDEX entry_coming ON entry (used) WHERE pieces < 0;"
    "CREATE TABLE total (id INTEGER PRIMARY KEY CHECK (id = 1), bytes INTEGER NOT NULL, used INTEGER NOT NULL);"
    "INSERT INTO total VALUES (1, 0, 1);";

void fail(const char *what, const char *why) {
    fprintf(stderr, "bench-cache-floor: %s: %s\n", what, why);
    exit(1);
}

static void execute(struct store *store, const char *text) {
    if (sqlite3_exec(store->connection, text, NULL, NULL, NULL) != SQLITE_OK) {
        fail(text, sqlite3_errmsg(store->connection));
    }
}

static sqlite3_stmt *prepare(struct store *store, const char *text) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v3(store->connection, text, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK) {
        fail(text, sqlite3_errmsg(store->connection));
    }
    return statement;
}

static void run(struct store *store, sqlite3_stmt *statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) fail(sqlite3_sql(statement), sqlite3_errmsg(store->connection));
    sqlite3_reset(statement);
}

static int is_new(struct store *store) {
    sqlite3_stmt *pages = prepare(store, "PRAGMA page_count");
    int count = sqlite3_step(pages) == SQLITE_ROW ? sqlite3_column_int(pages, 0) : -1;
    sqlite3_finalize(pages);
    return count == 0;
}

void store_open(struct store *store, const char *path, enum role role) {
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    if (role == ROLE_WRITING) flags |= SQLITE_OPEN_CREATE;
    memset(store, 0, sizeof *store);
    if (sqlite3_open_v2(path, &store->connection, flags, NULL) != SQLITE_OK) fail(path, "does not open");
    sqlite3_busy_timeout(store->connection, 5000);
    execute(store, "PRAGMA cell_size_check=ON;PRAGMA temp_store=MEMORY;PRAGMA cache_size=-1024");
    if (role == ROLE_READING) {
        execute(store, "PRAGMA query_only=ON");
    } else {
        execute(store, "PRAGMA synchronous=NORMAL;PRAGMA journal_size_limit=4194304;PRAGMA secure_delete=ON");
        if (is_new(store)) execute(store, schema);
        store->begin = prepare(store, "BEGIN IMMEDIATE");
        store->commit = prepare(store, "COMMIT");
        store->used = prepare(store, "SELECT used FROM total");
        store->find = prepare(store, "SELECT id, size FROM entry WHERE key = ? AND variant = ?");
        store->entry = prepare(
            store,
            "INSERT INTO entry (id, key, variant, type, version, revision, stored, expires, size, pieces, used, head)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        store->body = prepare(store, "INSERT INTO body (id, bytes) VALUES (?, ?)");
        store->total = prepare(store, "UPDATE total SET bytes = bytes + ?, used = ?");
    }
    store->read = prepare(
        store,
        "SELECT entry.id, revision, variant, version, stored, expires, size, pieces, head, bytes"
        " FROM entry LEFT JOIN body ON body.id = entry.id << 20 AND pieces = 0 WHERE key = ? AND pieces >= 0");
}

void store_close(struct store *store) {
    sqlite3_stmt *statements[] = {
        store->begin, store->commit, store->used, store->find, store->entry, store->body, store->total, store->read,
    };
    for (size_t index = 0; index < sizeof statements / sizeof *statements; index += 1) sqlite3_finalize(statements[index]);
    if (sqlite3_close(store->connection) != SQLITE_OK) fail("close", sqlite3_errmsg(store->connection));
}

void store_learn_prefix(struct store *store) {
    sqlite3_stmt *keys = prepare(store, "SELECT key FROM entry LIMIT 1");
    if (sqlite3_step(keys) != SQLITE_ROW) fail("the file", "no entry");
    int length = sqlite3_column_bytes(keys, 0);
    const char *key = sqlite3_column_blob(keys, 0);
    while (length > 0 && key[length - 1] != '\x01') length -= 1;
    if (length >= (int)sizeof key_prefix) fail("the file", "a long key");
    memcpy(key_prefix, key, (size_t)length);
    key_prefix[length] = 0;
    sqlite3_finalize(keys);
}

long store_read(struct store *store, long number) {
    char key[512];
    int length = snprintf(key, sizeof key, "%sarticle-%08ld", key_prefix, number);
    sqlite3_bind_blob(store->read, 1, key, length, SQLITE_STATIC);
    if (sqlite3_step(store->read) != SQLITE_ROW) fail(key, "is not there");
    long long sum = 0;
    for (int column = 0; column < 8; column += 1) {
        if (column == 2) continue;
        sum += column == 4 || column == 5 ? (long long)sqlite3_column_double(store->read, column)
                                          : sqlite3_column_int64(store->read, column);
    }
    if (sum == 0 || sqlite3_column_bytes(store->read, 2) != 0) fail(key, "is another");
    long size = sqlite3_column_bytes(store->read, 9);
    char *body = malloc((size_t)size);
    if (body == NULL) fail("malloc", "no memory");
    memcpy(body, sqlite3_column_blob(store->read, 9), (size_t)size);
    // Keeps the compiler from leaving the copy out.
    __asm__ volatile("" : : "r"(body) : "memory");
    free(body);
    sqlite3_reset(store->read);
    return size;
}

static void put(struct store *store, long number, long long used, const char *body, long body_bytes) {
    static unsigned long long revision = 1;
    char key[512];
    int length = snprintf(key, sizeof key, "%sarticle-%08ld", key_prefix, number);
    sqlite3_bind_blob(store->find, 1, key, length, SQLITE_STATIC);
    sqlite3_bind_blob(store->find, 2, "", 0, SQLITE_STATIC);
    run(store, store->find);
    revision = revision * 6364136223846793005ULL + 1442695040888963407ULL;
    sqlite3_stmt *entry = store->entry;
    sqlite3_bind_blob(entry, 2, key, length, SQLITE_STATIC);
    sqlite3_bind_blob(entry, 3, "", 0, SQLITE_STATIC);
    sqlite3_bind_blob(entry, 4, type_name, sizeof type_name - 1, SQLITE_STATIC);
    sqlite3_bind_int64(entry, 5, 0);
    sqlite3_bind_int64(entry, 6, (sqlite3_int64)(revision >> 1));
    sqlite3_bind_double(entry, 7, 721692800.123456);
    sqlite3_bind_int64(entry, 9, body_bytes);
    sqlite3_bind_int64(entry, 10, 0);
    sqlite3_bind_int64(entry, 11, used);
    sqlite3_bind_blob(entry, 12, "", 0, SQLITE_STATIC);
    run(store, entry);
    sqlite3_bind_int64(store->body, 1, sqlite3_last_insert_rowid(store->connection) << 20);
    sqlite3_bind_blob(store->body, 2, body, (int)body_bytes, SQLITE_STATIC);
    run(store, store->body);
}

void store_put(struct store *store, long first, long count, const char *body, long body_bytes) {
    run(store, store->begin);
    if (sqlite3_step(store->used) != SQLITE_ROW) fail("total", "no row");
    long long used = sqlite3_column_int64(store->used, 0);
    sqlite3_reset(store->used);
    for (long index = 0; index < count; index += 1) put(store, first + index, used + 1 + index, body, body_bytes);
    sqlite3_bind_int64(store->total, 1, (sqlite3_int64)count * body_bytes);
    sqlite3_bind_int64(store->total, 2, used + count);
    run(store, store->total);
    run(store, store->commit);
}

void store_check(struct store *store, long entries, long body_bytes) {
    const char *queries[] = {
        "SELECT count(*), sum(length(bytes)), min(length(bytes)) FROM body",
        "SELECT count(*), sum(size), min(size) FROM entry",
        "SELECT count(*), sum(size), max(size) FROM entry",
    };
    for (int index = 0; index < 3; index += 1) {
        sqlite3_stmt *query = prepare(store, queries[index]);
        if (sqlite3_step(query) != SQLITE_ROW) fail(queries[index], "no row");
        if (sqlite3_column_int64(query, 0) != entries || sqlite3_column_int64(query, 1) != entries * body_bytes
            || sqlite3_column_int64(query, 2) != body_bytes) {
            fprintf(stderr, "%lld entries, %lld bytes, %lld each\n", sqlite3_column_int64(query, 0),
                sqlite3_column_int64(query, 1), sqlite3_column_int64(query, 2));
            fail(queries[index], "other entries than were kept");
        }
        sqlite3_finalize(query);
    }
}

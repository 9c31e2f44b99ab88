#include "store.h"

#include <stdio.h>
#include <string.h>

static void expect(struct store *store, const char *text, long long expected) {
    sqlite3_stmt *query = NULL;
    if (sqlite3_prepare_v2(store->connection, text, -1, &query, NULL) != SQLITE_OK || sqlite3_step(query) != SQLITE_ROW) {
        fail(text, sqlite3_errmsg(store->connection));
    }
    if (sqlite3_column_int64(query, 0) != expected) {
        fprintf(stderr, "%lld instead of %lld\n", sqlite3_column_int64(query, 0), expected);
        fail(text, "other rows than were kept");
    }
    sqlite3_finalize(query);
}

// Sees that an article is what it should be, and that what is searched is its plain text.
static void expect_article(struct store *store, long number, int is_indexed) {
    struct article_text *text = article_text_make(number);
    sqlite3_stmt *query = NULL;
    const char *sql
        = "SELECT a.title, b.html, t.title, t.body, a.standsAlone, length(a.authorURL) + length(a.sharingURL)"
          " FROM article a JOIN article_body b ON b.number = a.number LEFT JOIN article_text t ON t.rowid = a.number"
          " WHERE a.id = ?";
    if (sqlite3_prepare_v2(store->connection, sql, -1, &query, NULL) != SQLITE_OK) {
        fail(sql, sqlite3_errmsg(store->connection));
    }
    sqlite3_bind_text(query, 1, text->id, -1, SQLITE_STATIC);
    if (sqlite3_step(query) != SQLITE_ROW) fail(text->id, "is not there");
    const char *expected[] = {
        text->title, text->body, is_indexed ? text->title : NULL, is_indexed ? text->plain : NULL,
    };
    for (int column = 0; column < 4; column += 1) {
        const char *found = (const char *)sqlite3_column_text(query, column);
        if ((found == NULL) != (expected[column] == NULL) || (found != NULL && strcmp(found, expected[column]) != 0)) {
            fprintf(stderr, "%s\ninstead of\n%s\n", found == NULL ? "NULL" : found, expected[column]);
            fail(text->id, "says something else");
        }
    }
    if (sqlite3_column_int(query, 4) != 1) fail(text->id, "does not stand on its own");
    if (sqlite3_column_int(query, 5) != (int)(strlen(text->author_url) + strlen(text->sharing_url))) {
        fail(text->id, "has other addresses");
    }
    sqlite3_finalize(query);
    article_text_free(text);
}

void store_check(struct store *store, long entries, int is_indexed) {
    expect(store, "SELECT count(*) FROM article", entries);
    expect(store, "SELECT count(*) FROM article_body", entries);
    expect(store, "SELECT count(*) FROM article_keyword", entries * library_keywords);
    expect(store, "SELECT count(*) FROM article_asset", entries * library_assets_each);
    expect(store, "SELECT count(*) FROM article_text", is_indexed ? entries : 0);
    for (long turn = 0; turn < 20; turn += 1) {
        expect_article(store, (long)library_pick(turn, (unsigned long)entries), is_indexed);
    }
    expect_article(store, entries - 1, is_indexed);
    if (!is_indexed) return;
    expect(store, "SELECT count(*) > 0 FROM article_text WHERE article_text MATCH 'lantern'", 1);
    if (entries > 1000) return;
    const char *integrity = "INSERT INTO article_text (article_text, rank) VALUES ('integrity-check', 1)";
    if (sqlite3_exec(store->connection, integrity, NULL, NULL, NULL) != SQLITE_OK) {
        fail(integrity, sqlite3_errmsg(store->connection));
    }
}

void store_check_sync(struct store *store) {
    expect(store, "SELECT count(*) FROM volume", 20);
    expect(store, "SELECT count(*) FROM issue", 200);
    expect(store, "SELECT count(*) FROM article a JOIN article_body b ON b.number = a.number", 6000);
    expect(store, "SELECT count(*) FROM article_text WHERE captions LIKE 'Picture % of the Corran%'", 6000);
    expect(store, "SELECT count(*) FROM article_keyword", 18000);
    expect(store, "SELECT count(*) FROM asset WHERE cdnURL LIKE 'https://cdn.example.org/m/%.jpg'", 12200);
    expect(store, "SELECT count(*) FROM volume_issue", 200);
    expect(store, "SELECT count(*) FROM issue_article WHERE updated = 790000000", 6000);
    expect(store, "SELECT count(*) FROM issue_asset", 200);
    expect(store, "SELECT count(*) FROM article_asset r JOIN asset m ON m.id = r.child", 12000);
}

// A library's file as the library made it, with the statements that the tasks need.

#ifndef STORE_H
#define STORE_H

#include "library_text.h"

#include <sqlite3.h>

enum role { ROLE_READING, ROLE_WRITING };

struct store {
    sqlite3 *connection;
    sqlite3_stmt *begin, *begin_reading, *commit, *article, *body, *keyword, *asset, *caption, *index;
    sqlite3_stmt *by_id, *by_number, *children, *page, *search, *mark;
    sqlite3_stmt *change, *row_of, *row_out;
    // All of them, to be ended with the rest.
    sqlite3_stmt *prepared[32];
    int prepared_count;
};

// An article as a value: its numbers, and its texts in a block of its own.
struct value {
    char *texts[15];
    char *assets[8];
    int asset_count;
    int is_metadata_text, is_featured, is_published;
    double date, updated;
    long size;
};

// Opens the file with the settings of the library.
void store_open(struct store *store, const char *path, enum role role);
void store_close(struct store *store);
void store_run(struct store *store, sqlite3_stmt *statement);

// Inserts an article that is not there, and what is found of it if it is to be found.
void store_insert(struct store *store, const struct article_text *text, int is_indexed);
// Has an article say something else.
void store_change(struct store *store, const struct article_text *text, const char *title);
// Reads an article with its text.
struct value *store_by_id(struct store *store, const char *id);
// Reads a page of 20 of an issue, the first being 0; returns how many there are.
int store_page(struct store *store, const char *issue, int page, struct value *values[20]);
// Reads the 20 best hits of a word, with their highlights; returns how many there are.
int store_search(struct store *store, const char *word, struct value *values[20], char *titles[20], char *snippets[20]);
void value_free(struct value *value);

// What a sync writes beside articles.
struct sync_rows {
    sqlite3_stmt *volume, *issue, *asset, *volume_issue, *issue_asset, *stub;
};

sqlite3_stmt *store_prepare(struct store *store, const char *text);
void rows_open(struct store *store, struct sync_rows *rows);
void rows_volume(struct store *store, struct sync_rows *rows, const char *id, const char *title);
void rows_issue(
    struct store *store, struct sync_rows *rows, const char *id, const char *sku, const char *title, const char *cover);
void rows_asset(struct store *store, struct sync_rows *rows, const char *id, long number);
void rows_link(struct store *store, sqlite3_stmt *statement, const char *parent, int placement, const char *child);
void rows_stub(struct store *store, struct sync_rows *rows, const char *parent, int placement, const char *child);

// Sees that the file holds so many articles, whole, and indexed or not.
void store_check(struct store *store, long entries, int is_indexed);

void fail(const char *what, const char *why);
// Sees that the file holds what a sync brings.
void store_check_sync(struct store *store);

#endif

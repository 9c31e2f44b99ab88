// A cache's file in plain C: the schema, the settings and the statements of CacheSchema and CacheFile, prepared once.

#ifndef STORE_H
#define STORE_H

#include <sqlite3.h>

enum role { ROLE_WRITING, ROLE_READING };

struct store {
    sqlite3 *connection;
    sqlite3_stmt *begin, *commit, *used, *find, *entry, *body, *total, *read;
};

_Noreturn void fail(const char *what, const char *why);

// Opens a file; makes it, with its tables, if it is to be written and is not there.
void store_open(struct store *store, const char *path, enum role role);
void store_close(struct store *store);

// What stands before an entry's own key in the file: that of an article, or that of the first entry that is there.
extern char key_prefix[256];
void store_learn_prefix(struct store *store);

// Reads the payload of an entry into memory of its own; returns its size.
long store_read(struct store *store, long number);

// Puts entries, from a number on, in one transaction.
void store_put(struct store *store, long first, long count, const char *body, long body_bytes);

// Sees that there are so many entries of that size, and nothing else.
void store_check(struct store *store, long entries, long body_bytes);

#endif

#include <sqlite3.h>

// sqlite3_config and sqlite3_db_config are variadic, which Swift can't call.

static inline int masthead_sqlite3_config_flag(int option, int value) {
    return sqlite3_config(option, value);
}

static inline int masthead_sqlite3_db_config_flag(sqlite3 *connection, int option, int value) {
    return sqlite3_db_config(connection, option, value, (int *)0);
}

// SQLITE_STATIC and SQLITE_TRANSIENT are cast macros, which Swift does not see: one binding for each.

static inline int masthead_sqlite3_bind_text_copy(sqlite3_stmt *statement, int index, const void *bytes,
                                                  sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int masthead_sqlite3_bind_blob_copy(sqlite3_stmt *statement, int index, const void *bytes,
                                                  sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int masthead_sqlite3_bind_blob_borrowed(sqlite3_stmt *statement, int index, const void *bytes,
                                                      sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_STATIC);
}

// Extended result codes are put together by shifts, which Swift does not see.

static const int masthead_sqlite3_readonly_moved = SQLITE_READONLY_DBMOVED;
static const int masthead_sqlite3_constraint_check = SQLITE_CONSTRAINT_CHECK;
static const int masthead_sqlite3_constraint_foreign_key = SQLITE_CONSTRAINT_FOREIGNKEY;
static const int masthead_sqlite3_constraint_not_null = SQLITE_CONSTRAINT_NOTNULL;
static const int masthead_sqlite3_constraint_primary_key = SQLITE_CONSTRAINT_PRIMARYKEY;
static const int masthead_sqlite3_constraint_row_id = SQLITE_CONSTRAINT_ROWID;
static const int masthead_sqlite3_constraint_unique = SQLITE_CONSTRAINT_UNIQUE;

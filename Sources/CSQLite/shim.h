#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import.
static inline sqlite3_destructor_type podget_sqlite_transient(void) {
    return SQLITE_TRANSIENT;
}

// sqlite3_config is variadic too. It must come before the first connection.
static inline int podget_sqlite_count_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// sqlite3_db_config is variadic, and Swift imports no variadic function.
static inline int podget_sqlite_set_flag(sqlite3 *db, int option, int value) {
    return sqlite3_db_config(db, option, value, (int *)0);
}

// Flushes the database file itself to the disk, through SQLite's own descriptor: closing another one of the same file would end
// the locks of the process.
static inline int podget_sqlite_sync_database(sqlite3 *db) {
    sqlite3_file *file = (sqlite3_file *)0;
    int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK) return code;
    return file && file->pMethods ? file->pMethods->xSync(file, SQLITE_SYNC_NORMAL) : SQLITE_ERROR;
}

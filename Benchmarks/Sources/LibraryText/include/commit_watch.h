// When transactions are committed, as everybody sees it.

#ifndef COMMIT_WATCH_H
#define COMMIT_WATCH_H

// Threads that look without a pause at the number of commits, which stands at byte 8 of the index of a database's
// write-ahead log, whoever commits (https://sqlite.org/walformat.html): once it is another one, all readers find what was
// committed. There is one on each processor, which runs while nothing else does there.
struct commit_watch;

// Begins to look at a database that this process has open; NULL if that cannot be.
struct commit_watch *commit_watch_start(const char *database);
void commit_watch_end(struct commit_watch *watch);

// The moment of the last commit, in nanoseconds: the last one at which somebody looked and it was not there, so never a
// later one than it was.
long long commit_watch_time(struct commit_watch *watch);

// The same of the commit after one that is known, waited for.
long long commit_watch_next(struct commit_watch *watch, long long known);

#endif

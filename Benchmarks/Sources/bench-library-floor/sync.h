// The floor's sync: the same requests as ours, and the same rows.

#ifndef SYNC_H
#define SYNC_H

enum { sync_volumes = 20, sync_issues = 200, sync_issue_size = 30, sync_articles = sync_issues * sync_issue_size };

// Fetches the catalogue, and writes it into an empty library, as many issues at once as our side does. What came is not
// looked at: what parsing it takes is added afterwards. Returns how many requests it took.
long sync_all(const char *file, const char *url);

// Asks so often for what has changed, over one connection; keeps how long each time took.
void sync_delta(const char *url, long count, long long *latencies);

#endif

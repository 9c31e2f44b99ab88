// Threads that read, beside one that writes.

#ifndef BESIDE_H
#define BESIDE_H

// How long each piece of work took, in nanoseconds, and all of it, in seconds.
struct readings {
    long long *latencies;
    long count;
    double seconds;
};

// Saves so many batches of 100 articles, one every 10 ms, while two threads read pages of 20; their readings together.
struct readings read_beside_writer(const char *path, long batches, long entries);

// Changes an article so often, and has a thread that waits for it read the page anew; the times from the commit to the
// page.
struct readings read_after_change(const char *path, long count);

#endif

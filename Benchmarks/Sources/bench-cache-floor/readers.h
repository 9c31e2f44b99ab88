// Two threads that read, beside one that writes.

#ifndef READERS_H
#define READERS_H

// What the readers have measured: how long each reading took, in nanoseconds.
struct readings {
    long long *latencies;
    long count;
};

// Puts so many batches of 100 entries, one every 10 ms, while two threads read; returns their readings together.
struct readings read_beside_writer(const char *path, long batches, long entries, const char *body, long body_bytes);

// The entry to read in a turn, as CacheWorkload has it.
long entry_in_turn(long long turn, long entries);

#endif

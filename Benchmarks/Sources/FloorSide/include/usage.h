// What the kernel knows of this process.

#ifndef USAGE_H
#define USAGE_H

// The monotonic clock.
long long nanoseconds(void);

// User and system time so far, in seconds, and how often a thread was switched away from.
void usage(double *cpu_seconds, long *switches);

// The most memory ever held, in MiB.
double peak_mib(void);

// How many connections are established to a port.
int connections(int port);

#endif

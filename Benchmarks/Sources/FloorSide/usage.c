#include "usage.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

long long nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

void usage(double *cpu_seconds, long *switches) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    *cpu_seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    *switches = usage.ru_nvcsw + usage.ru_nivcsw;
}

double peak_mib(void) {
    char line[256];
    long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    if (file == NULL) return 0;
    while (fgets(line, sizeof line, file) != NULL && sscanf(line, "VmHWM: %ld", &kib) != 1) {}
    fclose(file);
    return kib / 1024.0;
}

int connections(int port) {
    char line[256];
    int count = 0;
    FILE *file = fopen("/proc/self/net/tcp", "r");
    if (file == NULL) return 0;
    while (fgets(line, sizeof line, file) != NULL) {
        unsigned remote = 0, state = 0;
        if (sscanf(line, " %*d: %*x:%*x %*x:%x %x", &remote, &state) == 2 && remote == (unsigned)port && state == 1) {
            count += 1;
        }
    }
    fclose(file);
    return count;
}

// What ends the program when something isn't as it must be.

#ifndef CHECK_H
#define CHECK_H

#include <curl/curl.h>

_Noreturn void fail(const char *what, const char *why);
void check_easy(CURLcode code, const char *what);
void check_multi(CURLMcode code, const char *what);

#endif

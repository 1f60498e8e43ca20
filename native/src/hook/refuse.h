/* Ends a hook that cannot decide. */
#pragma once
#include <stddef.h>

/* By the agents' protocols, every status other than this and 0 lets the tool run. */
enum { REFUSED = 2 };

/* Names the fault, and its cause by `errno`. */
_Noreturn void refuse(const char *what);

/* 0 at the end of the stream. */
size_t read_some(int from, char *bytes, size_t length);

/* From now on, this process ends when it has taken longer than the agents wait. */
void keep_time(void);

/* The only files that may be executed. */
#ifndef HF_GUEST_INIT_PROGRAMS_H
#define HF_GUEST_INIT_PROGRAMS_H
#include <stdbool.h>

struct start;
int list_programs(const struct start *start); /* a ruleset for the command; -1 if any file may be executed */
bool allow_programs(int ruleset);             /* in the command, after no_new_privs */
#endif

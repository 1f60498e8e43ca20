/* Directories that a walk cannot search. */
#ifndef HF_LAUNCH_NAMES_CLOSED_H
#define HF_LAUNCH_NAMES_CLOSED_H
#include "match.h"

int open_searched(const struct walk *walk, int parent, const char *entry); /* -1 and errno if it cannot be listed or entered */
int add_closed(struct walk *walk, int parent, const char *entry);          /* as a hit. 0 or an errno */
#endif

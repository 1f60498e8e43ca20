/* Finds protected names below the roots of a plan. */
#ifndef HF_LAUNCH_NAMES_SCAN_H
#define HF_LAUNCH_NAMES_SCAN_H
#include "../plan/plan.h"
#include "findings.h"

/* Finds every protected name, and every socket with a listener, below an open root directory. Returns 0 or an errno. */
int scan_root(const struct plan *plan, unsigned root, int root_fd, struct findings *found);
int scan_below(const struct plan *plan, unsigned root, int root_fd, const char *path, struct findings *found); /* the same */
#endif

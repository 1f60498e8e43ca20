/* Finds protected names below the roots of a plan. */
#ifndef HF_LAUNCH_NAMES_SCAN_H
#define HF_LAUNCH_NAMES_SCAN_H
#include <stdbool.h>
#include <stdint.h>
#include "../plan/list.h"
#include "../plan/plan.h"
#include "listing.h"

/* A protected or hidden file with more than one name; `names` were found. */
struct linked {
  uint64_t device, inode, links, names;
  enum effect effect;
};
/* `after`: once the box has ended, names alone matter. */
struct findings {
  bool after;
  struct list hits;   /* of struct hit */
  struct list linked; /* of struct linked */
  struct listing listing; /* for all roots; freed by anyone who has them walked */
};
/* Finds every protected name, and every socket that listens, below an open root directory. Returns 0 or an errno. */
int scan_root(const struct plan *plan, unsigned root, int root_fd, struct findings *found);
int scan_below(const struct plan *plan, unsigned root, int root_fd, const char *path, struct findings *found); /* the same */
bool path_behind(int parent, const char *entry, char path[4096]); /* where a link leads; false where it leads nowhere */
#endif

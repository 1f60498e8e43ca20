/* Finds protected names below the roots of a plan. */
#ifndef HF_LAUNCH_NAMES_SCAN_H
#define HF_LAUNCH_NAMES_SCAN_H
#include <stdbool.h>
#include <stdint.h>
#include "../plan/list.h"
#include "../plan/plan.h"
#include "listing.h"

/* A protected or hidden file with more than one name, of which `names` were found. */
struct linked {
  uint64_t device, inode, links, names;
  enum effect effect;
};
/* `after`: after the box has ended, only names matter. */
struct findings {
  bool after;
  size_t judged; /* bytes that were read to find secrets */
  struct list hits;   /* of struct hit */
  struct list linked; /* of struct linked */
  struct listing listing; /* for all roots; freed by the caller that walks them */
};
/* Finds every protected name, and every socket with a listener, below an open root directory. Returns 0 or an errno. */
int scan_root(const struct plan *plan, unsigned root, int root_fd, struct findings *found);
int scan_below(const struct plan *plan, unsigned root, int root_fd, const char *path, struct findings *found); /* the same */
bool path_behind(int parent, const char *entry, char path[4096]); /* the target of a link; false if it has none */
#endif

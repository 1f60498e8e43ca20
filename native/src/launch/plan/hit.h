/* A protected name that is there. The scan finds them, and outer writes them for a box that was built ahead. */
#ifndef HF_LAUNCH_PLAN_HIT_H
#define HF_LAUNCH_PLAN_HIT_H
#include <stdbool.h>
#include <stdint.h>
#include "plan.h"

/* A file that is made gets the number of one that was removed, but is born later (attack: a hook in place of the old one, with its
 * number). `born` in nanoseconds; 0 where the file system keeps no births: there the number alone says it. */
struct identity {
  uint64_t device, inode, born;
};
struct hit {
  unsigned root;
  enum effect effect;
  bool symlink;
  bool unpinned; /* found by its kind, not by its name: the directories above may move */
  struct identity is;
  char *path; /* relative to the root */
  char *text; /* of a symlink: a new one may be the old one by all else where births are not kept */
  struct identity target; /* of a symlink that leads somewhere */
};
#endif

/* A protected name that exists. The scan finds hits, and outer sends them to a box that was built ahead. */
#ifndef HF_LAUNCH_PLAN_HIT_H
#define HF_LAUNCH_PLAN_HIT_H
#include <stdbool.h>
#include <stdint.h>
#include "plan.h"

/* A new file may get the inode number of a removed one, but its birth is later (attack: a hook that replaces the old
 * one and has its number). `born` in nanoseconds; 0 if the file system records no births. In that case, only the number
 * is compared. */
struct identity {
  uint64_t device, inode, born;
};
struct hit {
  unsigned root;
  enum effect effect;
  bool symlink;
  bool unpinned; /* found by its kind, not by its name: the directories above may be moved */
  bool closed;   /* a directory that nobody could search */
  struct identity is;
  char *path; /* relative to the root */
  char *text; /* of a symlink: if births are not recorded, a new link may equal the old one in everything else */
  struct identity target; /* of a symlink that has a target */
};
#endif

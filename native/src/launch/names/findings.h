/* The finds of a walk. */
#ifndef HF_LAUNCH_NAMES_FINDINGS_H
#define HF_LAUNCH_NAMES_FINDINGS_H
#include <stdbool.h>
#include <stdint.h>
#include "../plan/list.h"
#include "../plan/plan.h"
#include "listing.h"
#include "seen.h"

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
  const struct list *before; /* of struct hit: those of the walk at the start; a walk afterwards opens directories that the box has closed */
  const struct seen *known; /* of an earlier walk: unchanged ones are not read. NULL: all are read */
  struct seen *seen;        /* gets the directories of this walk, or NULL */
  struct listing listing; /* for all roots; freed by the caller that walks them */
};
#endif

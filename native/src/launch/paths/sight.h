/* The file at a name. */
#ifndef HF_LAUNCH_PATHS_SIGHT_H
#define HF_LAUNCH_PATHS_SIGHT_H
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "../plan/hit.h"

struct sight {
  struct identity is;
  uint32_t links;
  mode_t mode;
};
bool look_at(int parent, const char *entry, int flags, struct sight *sight); /* false and errno; the flags of fstatat */
int compare_identities(const struct identity *x, const struct identity *y);
#endif

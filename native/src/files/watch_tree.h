/* One watch. It has its own inotify instance, because two watches of one directory in the same instance would be one. */
#ifndef HF_FILES_WATCH_TREE_H
#define HF_FILES_WATCH_TREE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PATH_ROOM 4096
#define MAX_WATCHED (1u << 16)

struct watched {
  int wd;
  char *path; /* relative to the root */
};
struct watch {
  int fd; /* -1: free */
  uint32_t generation, number;
  bool tree, gone;
  int root; /* the root's watch descriptor */
  char *path;
  struct watched *dirs; /* sorted by wd */
  size_t count, room;
};
enum announce { ANNOUNCE_NOTHING, ANNOUNCE_CREATED };
int watch_add(struct watch *watch, const char *relative); /* 0, also if it was removed or may not be read */
int watch_below(struct watch *watch, const char *relative, enum announce announce);
void watch_forget_below(struct watch *watch, const char *relative);
void watch_forget(struct watch *watch, int wd);
const char *watch_path(const struct watch *watch, int wd); /* NULL if it is not known */
#endif

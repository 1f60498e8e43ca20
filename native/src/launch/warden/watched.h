/* Directories of the host in which a program could replace a covered path. */
#ifndef HF_LAUNCH_WARDEN_WATCHED_H
#define HF_LAUNCH_WARDEN_WATCHED_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "../plan/hit.h"
#include "../plan/list.h"
#include "../plan/plan.h"

/* A covered path: a hit, or a mount of the plan that hides or covers a path. */
struct subject {
  const struct hit *hit; /* beside a target: the directories above are pinned */
  const char *target;    /* NULL if it is a hit alone */
};
/* An entry of a directory: the subject's own, or one on the way to it. */
struct entry {
  struct subject subject;
  char *name;
  bool on_the_way;
};
/* A directory, and its name (FNV-1a). It is compared as bytes, and has no padding. */
struct below {
  struct identity is;
  uint64_t name;
};
_Static_assert(sizeof(struct below) == 4 * sizeof(uint64_t), "without padding");
/* Position of the directory below a root: "", or a path with a leading slash. */
struct lies {
  unsigned root;
  char *path;
  struct list below; /* of struct below: its directories when it was read last, sorted */
};
struct directory {
  struct list entries; /* of struct entry */
  struct list lies;    /* of struct lies: one directory may be in several roots */
  uint64_t device, inode;
  int64_t changed; /* in nanoseconds, or 0: unknown */
  int fd;          /* -1: only inotify watches it */
  bool recorded;   /* whether the directories in it are known */
  bool closed;     /* it cannot be listened to, so its time is compared until the end */
};
struct watched {
  const struct plan *plan;
  const int *root_fds;
  int inotify, host; /* -1: no more watches are possible */
  int told;                /* readable after a change of a compared directory */
  bool is_told;            /* whether that holds for all of them */
  bool listens;            /* whether inotify watches */
  bool compares;           /* whether some directories are compared all the same */
  struct list directories; /* of struct directory */
  struct list numbers;     /* of uint32_t: one more than the number of the directory, by the number of the watch */
};
struct directory *directory_at(const struct watched *watched, size_t number);
void open_watched(struct watched *watched, const struct plan *plan, const int *root_fds);
void listen_from_now(struct watched *watched); /* afterwards, each directory has to be read once more */
void forget_told(const struct watched *watched);
bool has_changed(struct directory *directory);
uint32_t directory_of(const struct watched *watched, int watch); /* its number, or UINT32_MAX */
void watch_root(struct watched *watched, unsigned root);
void watch_subject(struct watched *watched, struct subject subject);
#endif

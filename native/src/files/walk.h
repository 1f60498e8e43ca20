/* Walks trees by descriptors, without following links. */
#ifndef HF_FILES_WALK_H
#define HF_FILES_WALK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct k_dirent {
  uint64_t inode;
  int64_t next;
  uint16_t size;
  uint8_t type;
  char name[];
};
/* A directory that can be reopened from the one below it. */
struct place {
  int fd; /* -1 while many levels are below it, or if it has no descriptor */
  dev_t device;
  ino_t inode;
};
struct level {
  struct place here, other; /* the walked directory, and its copy */
  bool made;                /* `other` is new */
  char name[256];
  off_t position;      /* after the entry that was returned last */
  char *chunk;         /* of entries; NULL if they must be read again */
  unsigned at, used;   /* in the chunk */
  size_t path_length;  /* of this directory */
};
struct walk {
  struct level *levels;
  unsigned depth, room, steps;
  char path[4096];     /* of the entry that was returned last, relative to the root of the walk, as far as it fits */
  size_t path_length;  /* WALK_PATH_CUT when it does not fit */
  bool entries_vanish; /* the caller removes entries, so a directory that is read again is read from its start */
};
struct entry {
  const char *name;
  unsigned char type; /* DT_* */
};
#define WALK_PATH_CUT (sizeof(((struct walk *)0)->path) - 1)
#define WALK_NO_OTHER (-1)
/* Both take over the descriptors, even if they fail: -1 and errno. The name of the root is empty. */
int walk_begin(struct walk *walk, int fd, int other);
int walk_enter(struct walk *walk, int fd, int other); /* the entry that was returned last */
int walk_next(struct walk *walk, struct entry *entry); /* 1, 0 at the end of this directory, -1 and errno */
int walk_leave(struct walk *walk); /* to the directory above: 0, or -1 and errno if it is no longer the same */
struct level *walk_level(const struct walk *walk);
int open_directory_at(int directory, const char *name, int flags);
void walk_end(struct walk *walk);
bool failed_in(int error, const char *call, const char *root, const struct walk *walk);
#endif

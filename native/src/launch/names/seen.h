/* The directories that a walk saw. A later walk reads only those that have changed since. */
#ifndef HF_LAUNCH_NAMES_SEEN_H
#define HF_LAUNCH_NAMES_SEEN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "../plan/list.h"
#include "names.h"

#define UNSEEN UINT32_MAX

/* `states`: the names that matter in it. Those behind the first `inherited` are there because it is a git directory. */
struct seen_directory {
  uint64_t device, inode;
  int64_t changed; /* in nanoseconds, or 0: it has to be read again in any case */
  uint32_t end;    /* the number of the first directory that is not below this one */
  uint16_t inherited, count;
  uint32_t matters; /* whether an entry of it meant something to the walk at the start */
  uint32_t known;   /* whether that walk recognised it */
  struct state states[]; /* and behind them the name */
};
struct seen {
  int64_t began; /* in nanoseconds */
  struct list directories; /* of struct seen_directory *: each before those below it */
  size_t fresh;            /* how many were read now, and can be recognised from now on */
  struct list roots;       /* of uint32_t: the number of each root's directory, or UNSEEN */
};
_Static_assert(sizeof(struct seen_directory) == offsetof(struct seen_directory, states), "as it is kept in a file");
enum sameness { SAME, CHANGED, OTHER };

bool begin_seeing(struct seen *seen); /* false: directories cannot be recognised later */
struct inheritance {
  const struct states *states;
  unsigned count; /* of those from above */
};
uint32_t see_again(struct seen *seen, const struct seen_directory *directory); /* one that was recognised, and is not read */
uint32_t see(struct seen *seen, int fd, const char *name, struct inheritance names); /* the number of a directory that will be read now */
void end_seeing(struct seen *seen, uint32_t number, int error);                      /* after it and those below it were read */
void read_again(struct seen *seen, uint32_t number);                                 /* more than its entries matters to the sweep */
void note_meaning(struct seen *seen, uint32_t number);                               /* an entry of it means something */

bool dates_changes(int fd, uint64_t device);       /* whether a directory's time tells every change of an entry */
bool may_recognise(const struct seen *seen); /* whether the clock that dates changes has gone forward since */
const struct seen_directory *seen_at(const struct seen *seen, uint32_t number);
uint32_t find_seen(const struct seen *seen, uint32_t from, uint32_t to, const char *name); /* or UNSEEN */
size_t size_of_seen(const struct seen_directory *directory);
const char *seen_name(const struct seen_directory *directory);
enum sameness recognise(const struct seen_directory *directory, int root, const char *path);
#endif

/* Directories that a walk cannot search: without the right to list or to enter them, too deep, or with too long a path. A box may take
 * these rights from its own directories, so the walk afterwards gives them back. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "closed.h"
#include "../plan/hit.h"
#include "../plan/list.h"

static int try_open(int parent, const char *entry) {
  int fd = openat(parent, entry, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 || faccessat(fd, ".", X_OK, AT_EACCESS) == 0) return fd;
  int error = errno;
  close(fd);
  errno = error;
  return -1;
}

/* Then it has been covered, and the box could not change its rights. */
static bool was_closed(const struct walk *walk) {
  for (size_t i = 0; i < walk->found->before->count; i++) {
    const struct hit *hit = &LIST_AT(*walk->found->before, struct hit, i);
    if (hit->closed && hit->root == walk->root && strcmp(hit->path, walk->path) == 0) return true;
  }
  return false;
}

/* Only a directory of this user, because the box could have changed no other. */
static bool open_up(int parent, const char *entry) {
  char path[32];
  struct stat st;
  int place = openat(parent, entry, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (place < 0) return false;
  snprintf(path, sizeof path, "/proc/self/fd/%d", place);
  bool opened = fstat(place, &st) == 0 && st.st_uid == geteuid() && chmod(path, (st.st_mode & 07777) | S_IRWXU) == 0;
  close(place);
  return opened;
}

int open_searched(const struct walk *walk, int parent, const char *entry) {
  int fd = try_open(parent, entry);
  if (fd >= 0 || errno != EACCES || !walk->found->before || was_closed(walk) || !open_up(parent, entry)) return fd;
  return try_open(parent, entry);
}

/* Attack: a directory that may be entered, but not listed, with an `.env` in it. It is hidden as a whole. Of one that nobody enters, only
 * the rights must not change. */
int add_closed(struct walk *walk, int parent, const char *entry) {
  const size_t count = walk->found->hits.count;
  struct stat st;
  bool may_enter = errno == EACCES && faccessat(parent, entry, X_OK, AT_EACCESS) == 0 && fstatat(parent, entry, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
  int error = add_hit(walk, parent, entry, may_enter ? EFFECT_HIDDEN : EFFECT_READ_ONLY);
  if (walk->found->hits.count > count) LIST_AT(walk->found->hits, struct hit, count).closed = true;
  return error;
}

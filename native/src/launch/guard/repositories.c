/* Repositories that begin in this box, in a directory that was empty: `git clone`, `worktree add` and `submodule add`
 * bring workflows and editor settings with them, and nobody outside has opened such a directory yet. The sweep at the
 * end judges these files. */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "repositories.h"
#include "../../statx.h"
#include "place.h"

#define MOST_REPOSITORIES 64

static struct { char *path; dev_t device; ino_t inode; } repositories[MOST_REPOSITORIES];
static unsigned count;
static struct timespec begun;

/* File systems use the clock of the last tick for their times. */
void remember_begin(void) {
  clock_gettime(CLOCK_REALTIME_COARSE, &begun);
}

static bool is_before_begin(struct k_timestamp time) {
  return time.seconds < begun.tv_sec || (time.seconds == begun.tv_sec && time.nanoseconds < (uint32_t)begun.tv_nsec);
}

/* Attack: the box empties a directory and fills it again. The directory existed before, and its entries have changed
 * since. */
static bool was_emptied(int directory) {
  struct k_statx st;
  if (syscall(SYS_statx, directory, "", AT_EMPTY_PATH, K_STATX_BASIC | K_STATX_BORN, &st)) return true;
  return st.mask & K_STATX_BORN && is_before_begin(st.born) && !is_before_begin(st.changed);
}

static bool is_empty(int directory) {
  int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *entries = fd < 0 ? NULL : fdopendir(fd);
  if (!entries) return false;
  unsigned found = 0;
  while (found < 3 && readdir(entries)) found++;
  closedir(entries);
  return found == 2; /* itself and its parent */
}

void note_repository(const struct place *place) {
  struct stat st;
  if (count == MOST_REPOSITORIES || !is_empty(place->directory) || was_emptied(place->directory) || fstat(place->directory, &st)) return;
  const char *end = strrchr(place->path, '/');
  repositories[count].path = strndup(place->path, (size_t)(end - place->path));
  repositories[count].device = st.st_dev;
  repositories[count].inode = st.st_ino;
  if (repositories[count].path) count++;
}

/* Attack: the box moves another directory to the path. */
bool is_in_new_repository(const char *path) {
  struct stat st;
  for (unsigned i = 0; i < count; i++) {
    size_t length = strlen(repositories[i].path);
    if (strncmp(path, repositories[i].path, length) != 0 || path[length] != '/') continue;
    if (lstat(repositories[i].path, &st) == 0 && st.st_dev == repositories[i].device && st.st_ino == repositories[i].inode) return true;
  }
  return false;
}

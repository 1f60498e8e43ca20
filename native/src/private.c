/* The private directories of a box that has no mounts: on the host, for the user alone, gone with the box. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "kernel.h"
#include "launch.h"

#define LONGEST_NUMBER 32

static size_t made; /* steps whose directory is ours to remove */

void make_private_directories(const struct plan *plan) {
  for (; made < plan->mounts.count; made++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, made);
    if (step->kind == M_TMPFS && mkdir(step->target, 0700)) fail("make private directory", step->target, errno);
  }
}

/* Never through a symlink: the box may have let other users in, who exchange what they have made here (attack: root's mode for a file of the system). */
static bool open_up(int directory, const char *entry) {
  char link[64];
  int fd = openat(directory, entry, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return false;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  bool is_open = chmod(link, 0700) == 0;
  close(fd);
  return is_open;
}

/* Out of a directory below, so that a deep tree needs no deep walk. */
static bool lift(int top, int below, const char *entry) {
  static unsigned long number;
  char name[LONGEST_NUMBER];
  long failed;
  if (!open_up(below, entry)) return false;
  do {
    snprintf(name, sizeof name, ".%lu", number++);
    failed = syscall(SYS_renameat2, below, entry, top, name, 1u /* RENAME_NOREPLACE */);
  } while (failed && errno == EEXIST);
  return !failed;
}

static DIR *list_of(int directory) {
  int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return fd < 0 ? NULL : fdopendir(fd);
}

static bool is_dots(const char *name) {
  return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

static int open_entry(int directory, const char *entry) {
  return !open_up(directory, entry) ? -1 : openat(directory, entry, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* How many entries have gone from here. */
static size_t empty_once(int top, int directory) {
  DIR *list = list_of(directory);
  size_t gone = 0;
  for (struct dirent *entry; list && (entry = readdir(list));) {
    if (is_dots(entry->d_name)) continue;
    if (unlinkat(directory, entry->d_name, 0) == 0 || (errno == EISDIR && unlinkat(directory, entry->d_name, AT_REMOVEDIR) == 0)) {
      gone++;
    } else if (directory != top) {
      gone += lift(top, directory, entry->d_name);
    } else {
      int below = open_entry(top, entry->d_name);
      if (below >= 0) gone += empty_once(top, below);
      if (below >= 0) close(below);
    }
  }
  if (list) closedir(list);
  return gone;
}

static void remove_tree(const char *path) {
  int top = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (top < 0) return;
  fchmod(top, 0700);
  while (empty_once(top, top)) {}
  close(top);
  rmdir(path);
}

/* After everything in the box has ended: nobody moves anything meanwhile. */
void remove_private_directories(const struct plan *plan) {
  while (made > 0) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, --made);
    if (step->kind == M_TMPFS) remove_tree(step->target);
  }
}

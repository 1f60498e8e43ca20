/* The private directories of a box without mounts. They are on the host, belong to the user alone, and are removed with
 * the box. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "private.h"
#include "../plan/list.h"
#include "../plan/plan.h"
#include "../report/fail.h"

#define LONGEST_NUMBER 32
/* Seconds. By then any launcher that made a directory has locked it. */
#define SWEEP_AFTER 60

static size_t made; /* steps whose directory this process has to remove */

/* Held by this process and the keeper, and by no process in the box. The kernel releases the lock when both have ended,
 * for any reason. */
static void lock_directory(const char *path) {
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB)) fail("lock private directory", path, errno);
}

void make_private_directories(const struct plan *plan) {
  for (; made < plan->mounts.count; made++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, made);
    if (step->kind != M_TMPFS) continue;
    if (mkdir(step->target, 0700)) fail("make private directory", step->target, errno);
    lock_directory(step->target);
  }
}

/* Never opens through a symlink: the box may have let other users in, and they may replace files here (attack: root's
 * mode for a system file). */
static bool open_up(int directory, const char *entry) {
  char link[64];
  int fd = openat(directory, entry, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return false;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  bool is_open = chmod(link, 0700) == 0;
  close(fd);
  return is_open;
}

/* Moves an entry out of a directory below, so that a deep tree needs no deep walk. */
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

/* Number of entries that this call removed. */
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

/* Runs after everything in the box has ended, so nothing moves meanwhile. */
void remove_private_directories(const struct plan *plan) {
  while (made > 0) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, --made);
    if (step->kind == M_TMPFS) remove_tree(step->target);
  }
}

/* `holdfast-UID-SESSION.BOX`, for this user. */
static bool is_private_name(const char *name) {
  static char prefix[64];
  static size_t length;
  if (!length) length = (size_t)snprintf(prefix, sizeof prefix, "holdfast-%u-", geteuid());
  return strncmp(name, prefix, length) == 0 && strchr(name + length, '.') && name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-.")] == 0;
}

/* Old enough, owned by the user, and not locked. */
static bool is_left(int directory, const char *name) {
  struct stat st;
  int fd = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  bool left = fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() && time(NULL) - st.st_mtime > SWEEP_AFTER && flock(fd, LOCK_EX | LOCK_NB) == 0;
  if (fd >= 0) close(fd);
  return left;
}

static void sweep_beside(const char *path) {
  char other[4096];
  const char *name = strrchr(path, '/') + 1;
  int length = (int)(name - path);
  if (!is_private_name(name) || snprintf(other, sizeof other, "%.*s", length, path) != length) return;
  DIR *list = opendir(other);
  for (struct dirent *entry; list && (entry = readdir(list));) {
    if (!is_private_name(entry->d_name) || !is_left(dirfd(list), entry->d_name)) continue;
    if (snprintf(other, sizeof other, "%.*s%s", length, path, entry->d_name) < (int)sizeof other) remove_tree(other);
  }
  if (list) closedir(list);
}

/* Removes the directories of boxes whose launcher and keeper were killed together. */
void sweep_private_directories(const struct plan *plan) {
  for (size_t i = 0; i < plan->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    if (step->kind == M_TMPFS) sweep_beside(step->target);
  }
}

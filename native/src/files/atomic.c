/* Writes a new file next to the old one, and then replaces the old one in one step or not at all. If the file system
 * allows it, the new file has no name until then, so that nothing is left behind even if this process is killed. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "atomic.h"
#include "data.h"
#include "open.h"

#define RENAME_NO_REPLACE 1u

struct replacement {
  int fd, directory;
  bool exclusive, old_exists;
  char temporary[32]; /* empty: it has no name */
  char name[256];
};

/* The existing file, opened for writing, so that the kernel refuses every forbidden write. */
static int open_old(int directory, const char *name, int flags) {
  int access = flags & O_TRUNC ? O_WRONLY : O_RDWR;
  int fd = open_checked(directory, name, access | O_NOFOLLOW, 0);
  /* A running program cannot be written to, but another file may replace it. */
  return fd < 0 && errno == ETXTBSY ? open_checked(directory, name, O_RDONLY | O_NOFOLLOW, 0) : fd;
}

static bool can_be_linked(void) {
  static int known; /* 1 yes, 2 no */
  if (!known) known = access("/proc/self/fd/1", F_OK) ? 2 : 1;
  return known == 1;
}

static int open_new(struct replacement *to, mode_t mode) {
  int fd = can_be_linked() ? openat(to->directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode) : -1;
  if (fd >= 0) return fd;
  strcpy(to->temporary, ".holdfast-");
  random_name(to->temporary + strlen(to->temporary), 16);
  return openat(to->directory, to->temporary, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC, mode);
}

/* Set-id bits are removed, as the kernel does when a file is written. */
static int take_after(int fd, int old, const struct stat *st, int flags) {
  struct stat own;
  if (fstat(fd, &own)) return -1;
  if ((own.st_uid != st->st_uid || own.st_gid != st->st_gid) && fchown(fd, st->st_uid, st->st_gid)) return -1;
  if (copy_attributes(old, fd) || fchmod(fd, st->st_mode & 01777)) return -1;
  return flags & O_TRUNC ? 0 : copy_content(old, fd);
}

static enum replacing begin_with(struct replacement *to, int old, int flags, mode_t mode) {
  struct stat st;
  if (old >= 0 && fstat(old, &st)) return REPLACE_FAILED;
  if (old >= 0 && !S_ISREG(st.st_mode)) return REPLACE_IN_PLACE;
  if (old >= 0 && to->exclusive) return errno = EEXIST, REPLACE_FAILED;
  to->old_exists = old >= 0;
  to->fd = open_new(to, old >= 0 ? 0600 : mode);
  if (to->fd < 0) return to->temporary[0] = 0, REPLACE_FAILED;
  if (old >= 0 && take_after(to->fd, old, &st, flags)) return REPLACE_FAILED;
  return flags & O_APPEND && lseek(to->fd, 0, SEEK_END) < 0 ? REPLACE_FAILED : REPLACE_READY;
}

static enum replacing begin_in(struct replacement *to, const char *name, int flags, mode_t mode) {
  to->exclusive = flags & O_CREAT && flags & O_EXCL;
  int old = open_old(to->directory, name, flags);
  if (old < 0 && (errno == EISDIR || errno == ENXIO)) return REPLACE_IN_PLACE; /* it names the fault */
  if (old < 0 && (errno != ENOENT || !(flags & O_CREAT))) return REPLACE_FAILED;
  if (strchr(name, '/')) return errno = old < 0 ? EISDIR : ENOTDIR, REPLACE_FAILED;
  strncpy(to->name, name, sizeof to->name - 1); /* the kernel has checked that it fits */
  enum replacing outcome = begin_with(to, old, flags, mode);
  int error = errno;
  if (old >= 0) close(old);
  errno = error;
  return outcome;
}

/* One attempt. A symlink at the end is refused with ELOOP. */
static enum replacing attempt(const char *path, int flags, mode_t mode, struct replacement **replacement) {
  struct replacement *to = calloc(1, sizeof *to);
  if (!to) return errno = ENOMEM, REPLACE_FAILED;
  const char *name;
  to->fd = -1;
  to->directory = open_parent(path, &name, false);
  enum replacing outcome = to->directory == -1 ? REPLACE_FAILED : begin_in(to, name, flags, mode);
  if (outcome == REPLACE_READY) return *replacement = to, outcome;
  int error = errno;
  replace_drop(to);
  errno = error;
  return outcome;
}

enum replacing replace_begin(const char *path, int flags, mode_t mode, struct replacement **replacement) {
  enum replacing outcome = attempt(path, flags, mode, replacement);
  if (outcome != REPLACE_FAILED || errno != ELOOP || flags & O_NOFOLLOW) return outcome;
  /* Replaces the target of the link, not the link itself. */
  char target[PATH_MAX];
  return realpath(path, target) ? attempt(target, flags, mode, replacement) : REPLACE_FAILED;
}

int replace_fd(const struct replacement *replacement) {
  return replacement->fd;
}

static int link_to(const struct replacement *replacement, const char *name) {
  char own[32];
  snprintf(own, sizeof own, "/proc/self/fd/%d", replacement->fd);
  return linkat(AT_FDCWD, own, replacement->directory, name, AT_SYMLINK_FOLLOW);
}

/* Only for a file without a name. A new file that someone else created meanwhile is replaced too, unless the caller
 * forbids it. */
static int give_name(struct replacement *replacement) {
  if (!replacement->old_exists) {
    if (!link_to(replacement, replacement->name)) return 0;
    if (errno != EEXIST || replacement->exclusive) return -1;
  }
  char name[32] = ".holdfast-";
  random_name(name + strlen(name), 16);
  if (link_to(replacement, name)) return -1;
  strcpy(replacement->temporary, name);
  return 0;
}

static int take_place(struct replacement *replacement) {
  if (!replacement->temporary[0] && give_name(replacement)) return -1;
  if (!replacement->temporary[0]) return 0;
  unsigned flags = replacement->exclusive ? RENAME_NO_REPLACE : 0;
  if (syscall(SYS_renameat2, replacement->directory, replacement->temporary, replacement->directory, replacement->name, flags)) return -1;
  replacement->temporary[0] = 0;
  return 0;
}

int replace_commit(struct replacement *replacement) {
  int result = take_place(replacement), error = errno;
  replace_drop(replacement);
  errno = error;
  return result;
}

void replace_drop(struct replacement *replacement) {
  if (replacement->temporary[0]) unlinkat(replacement->directory, replacement->temporary, 0);
  if (replacement->fd >= 0) close(replacement->fd);
  if (replacement->directory >= 0) close(replacement->directory);
  free(replacement);
}

/* Copies files, symlinks, and nodes that have only a name, but not directories. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>
#include "copy_file.h"
#include "data.h"
#include "links.h"
#include "open.h"
#include "protocol.h"

/* The box's filter refuses set-id bits. A copy by another user would lose them too. */
int set_mode(int fd, mode_t mode) {
  if (!fchmod(fd, mode & 07777)) return 0;
  return errno == EPERM && mode & 06000 ? fchmod(fd, mode & 01777) : -1;
}

/* Something already exists at the target. Returns true if the caller should try to create it again. With `keep`, errno
 * is 0. */
static bool gives_way(const struct copying *how, const struct site *site) {
  if (errno != EEXIST || how->existing == EXISTING_REFUSE) return false;
  if (how->existing == EXISTING_KEEP) return errno = 0, false;
  return !unlinkat(site->to, site->to_name, 0);
}

static void keep_times(const struct copying *how, const struct site *site, const struct stat *st) {
  struct timespec times[2] = {st->st_atim, st->st_mtim};
  if (how->preserve == PRESERVE_ALL) utimensat(site->to, site->to_name, times, AT_SYMLINK_NOFOLLOW);
}

static const char *copy_symlink(const struct copying *how, const struct site *site, const struct stat *st) {
  char text[PATH_MAX];
  ssize_t length = readlinkat(site->from, site->from_name, text, sizeof text - 1);
  if (length < 0) return "readlink";
  text[length] = 0;
  while (symlinkat(text, site->to, site->to_name))
    if (!gives_way(how, site)) return errno ? "symlink" : NULL;
  keep_times(how, site, st);
  return NULL;
}

static const char *copy_node(const struct copying *how, const struct site *site, const struct stat *st) {
  /* Opening it to set its mode could wake a process that waits at its other end. */
  mode_t usual = umask(0);
  int made;
  while ((made = mknodat(site->to, site->to_name, st->st_mode & ~06000u, st->st_rdev)) && gives_way(how, site)) {}
  umask(usual);
  if (made) return errno ? "mknod" : NULL;
  keep_times(how, site, st);
  return NULL;
}

static const char *link_again(const struct copying *how, const struct site *site, const char *other) {
  while (linkat(how->root, other, site->to, site->to_name, 0))
    if (!gives_way(how, site)) return errno ? "link" : NULL;
  return NULL;
}

/* An existing file is overwritten in place, so that its other names and links to it stay. */
static int open_target(const struct copying *how, const struct site *site, mode_t mode, bool *made) {
  *made = true;
  int fd = open_checked(site->to, site->to_name, O_CREAT | O_EXCL | O_WRONLY, mode & 0777);
  if (fd >= 0 || errno != EEXIST || how->existing == EXISTING_REFUSE) return fd;
  if (how->existing == EXISTING_KEEP) return errno = 0, -1;
  *made = false;
  fd = open_checked(site->to, site->to_name, how->in_tree ? O_WRONLY | O_NOFOLLOW : O_WRONLY | O_CREAT, mode & 0777);
  if (fd >= 0 || errno != ELOOP || !how->in_tree || unlinkat(site->to, site->to_name, 0)) return fd;
  *made = true;
  return open_checked(site->to, site->to_name, O_CREAT | O_EXCL | O_WRONLY, mode & 0777);
}

static int fill(const struct copying *how, int from, int to, const struct stat *st) {
  struct timespec times[2] = {st->st_atim, st->st_mtim};
  struct stat target;
  if (fstat(to, &target)) return -1;
  /* A file that is copied onto itself must not be emptied first. */
  if (target.st_dev == st->st_dev && target.st_ino == st->st_ino) return 0;
  if (target.st_size > 0 && ftruncate(to, 0)) return -1;
  if (copy_content(from, to)) return -1;
  if (how->preserve == PRESERVE_ALL && copy_attributes(from, to)) return -1;
  if (S_ISREG(target.st_mode) && set_mode(to, st->st_mode)) return -1;
  return how->preserve == PRESERVE_ALL ? futimens(to, times) : 0;
}

static const char *copy_regular(const struct copying *how, const struct site *site, int from) {
  struct stat st;
  bool made;
  if (fstat(from, &st)) return "copyfile";
  int to = open_target(how, site, st.st_mode, &made);
  if (to < 0) return errno ? "copyfile" : NULL;
  int result = fill(how, from, to, &st), error = errno;
  close(to);
  if (result && made) unlinkat(site->to, site->to_name, 0);
  errno = error;
  return result ? "copyfile" : NULL;
}

static const char *copy_opened(const struct copying *how, const struct site *site) {
  int from = open_checked(site->from, site->from_name, how->symlink == SYMLINK_FOLLOW ? O_RDONLY : O_RDONLY | O_NOFOLLOW, 0);
  if (from < 0) return "copyfile";
  const char *wrong = copy_regular(how, site, from);
  int error = errno;
  close(from);
  errno = error;
  return wrong;
}

const char *copy_entry(struct copying *how, const struct site *site, const struct stat *st, const char *path) {
  if (S_ISLNK(st->st_mode)) return copy_symlink(how, site, st);
  if (!S_ISREG(st->st_mode)) return copy_node(how, site, st);
  bool linked = how->in_tree && st->st_nlink > 1 && path;
  const char *other = linked ? links_find(how->links, st) : NULL;
  if (other && !link_again(how, site, other)) return NULL;
  const char *wrong = copy_opened(how, site);
  if (!wrong && linked && !other) links_add(&how->links, st, path);
  return wrong;
}

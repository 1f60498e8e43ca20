/* Opens the path of a request. Never waits, and never lets a path lead to this process itself. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>
#include "open.h"
#include "malformed.h"

#define PROCFS 0x9fa0

/* Descriptors 0 and 1, if they are pipes: through /proc/self/fd/0 or /dev/stdin a request could read or forge frames.
 * Sockets cannot be opened through a path. */
static struct stat channels[2];
static bool has_pipe;

void note_channels(void) {
  for (int fd = 0; fd < 2; fd++)
    if (!fstat(fd, &channels[fd]) && S_ISFIFO(channels[fd].st_mode)) has_pipe = true;
}

static bool is_channel(const struct stat *st) {
  if (!S_ISFIFO(st->st_mode)) return false;
  for (int i = 0; i < 2; i++)
    if (channels[i].st_dev == st->st_dev && channels[i].st_ino == st->st_ino) return true;
  return false;
}

/* Through /proc/self/mem this process could be made to write into its own memory. Such files look empty, and are on a
 * file system without a device. */
static bool is_process(int fd, const struct stat *st) {
  struct statfs fs;
  return S_ISREG(st->st_mode) && st->st_size == 0 && major(st->st_dev) == 0 && !fstatfs(fd, &fs) && fs.f_type == PROCFS;
}

static int refuse(int fd, int error) {
  close(fd);
  errno = error;
  return -1;
}

int open_checked(int directory, const char *path, int flags, mode_t mode) {
  int fd;
  /* Without O_NONBLOCK, opening a FIFO waits for its other end. On regular files the flag has no effect. */
  do fd = openat(directory, path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, mode);
  while (fd < 0 && errno == EINTR);
  bool writes = (flags & O_ACCMODE) != O_RDONLY;
  if (fd < 0 || (!writes && !has_pipe)) return fd;
  struct stat st;
  if (fstat(fd, &st)) return refuse(fd, errno);
  if (is_channel(&st)) return refuse(fd, ELOOP);
  if (writes && is_process(fd, &st)) return refuse(fd, EACCES);
  return fd;
}

static int open_directory(int directory, const char *path) {
  return openat(directory, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Returns the descriptor of `name`, which is created unless another process was quicker. Closes `parent`. */
static int step(int parent, const char *name, mode_t mode) {
  bool made = !mkdirat(parent, name, mode), there = made || errno == EEXIST;
  int next = there ? open_directory(parent, name) : -1;
  int error = there && !made && errno == ENOENT ? ENOTDIR : errno; /* a symlink without a target; the same error as in Node */
  if (parent >= 0) close(parent);
  errno = error;
  return next;
}

/* Returns where the existing part of a path ends: before its first missing component. */
static char *existing_end(char *path, char *end, int *fd) {
  for (;;) {
    while (end > path && end[-1] != '/') end--; /* the component */
    while (end > path && end[-1] == '/') end--; /* and its slashes */
    if (end == path) {
      *fd = *path == '/' ? open_directory(AT_FDCWD, "/") : AT_FDCWD;
      return path;
    }
    char cut = *end;
    *end = 0;
    *fd = open_directory(AT_FDCWD, path);
    *end = cut;
    if (*fd >= 0 || errno != ENOENT) return end;
  }
}

/* `path` ends without a slash, and at least its last component does not exist. */
static int make_missing(char *path, size_t length, mode_t mode) {
  int fd;
  char *at = existing_end(path, path + length, &fd);
  while (*at && (fd >= 0 || fd == AT_FDCWD)) {
    while (*at == '/') at++;
    char *end = strchrnul(at, '/'), cut = *end;
    *end = 0;
    if (*at) fd = step(fd, at, mode);
    *end = cut;
    at = end;
  }
  return fd;
}

static int open_parent_mode(const char *path, const char **name, const mode_t *make) {
  size_t length = strlen(path);
  while (length > 0 && path[length - 1] == '/') length--;
  while (length > 0 && path[length - 1] != '/') length--;
  *name = path + length;
  if (length == 0) return AT_FDCWD;
  char prefix[4096];
  if (length >= sizeof prefix) return errno = ENAMETOOLONG, -1;
  memcpy(prefix, path, length);
  while (length > 1 && prefix[length - 1] == '/') length--;
  prefix[length] = 0;
  int fd = open_directory(AT_FDCWD, prefix);
  if (fd >= 0 || errno != ENOENT || !make) return fd;
  return make_missing(prefix, length, *make);
}

int open_parent(const char *path, const char **name, bool make) {
  static const mode_t usual = 0777;
  return open_parent_mode(path, name, make ? &usual : NULL);
}

/* Finds the obstacle. As in Node, a symlink without a target is ENOENT. */
static int is_directory(int parent, const char *name) {
  struct stat st;
  if (fstatat(parent, name, &st, 0)) return -1;
  return S_ISDIR(st.st_mode) ? 0 : (errno = EEXIST, -1);
}

int make_directories(const char *path, mode_t mode) {
  if (!mkdirat(AT_FDCWD, path, mode)) return 0;
  if (errno == EEXIST) return is_directory(AT_FDCWD, path);
  if (errno != ENOENT || !*path) return -1;
  const char *name;
  int parent = open_parent_mode(path, &name, &mode);
  if (parent == -1) return -1;
  int made = mkdirat(parent, name, mode);
  if (made && errno == EEXIST) made = is_directory(parent, name);
  int error = errno;
  if (parent >= 0) close(parent);
  errno = error;
  return made;
}

void random_name(char *to, unsigned length) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  unsigned char bytes[32];
  if (getrandom(bytes, length, 0) != (ssize_t)length) malformed("random bytes are not available");
  for (unsigned i = 0; i < length; i++) to[i] = letters[bytes[i] % (sizeof letters - 1)];
}

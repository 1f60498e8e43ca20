/* The kernel walks paths with openat2, so no path is checked first and used later. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "path.h"
#include "../../kernel.h"
#include "../report/fail.h"

static int open_how(int root, const char *path, int flags, uint64_t resolve) {
  struct k_open_how how = {.flags = (uint64_t)(flags | O_CLOEXEC), .resolve = resolve | K_RESOLVE_NO_MAGICLINKS};
  int fd;
  do fd = (int)syscall(SYS_openat2, root, path[1] ? path + 1 : ".", &how, sizeof how);
  while (fd < 0 && errno == EAGAIN);
  return fd;
}

int open_beneath(int root, const char *path, int flags) {
  return open_how(root, path, flags, K_RESOLVE_NO_SYMLINKS | K_RESOLVE_BENEATH);
}

int open_following(int root, const char *path, int flags) {
  return open_how(root, path, flags, K_RESOLVE_IN_ROOT);
}

static int make_leaf(int parent, const char *name, enum file_type type, uint32_t mode) {
  if (type == T_DIRECTORY) {
    if (mkdirat(parent, name, mode) && errno != EEXIST) return -1;
  } else {
    int file = openat(parent, name, O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0 && errno != EEXIST) return -1;
    if (file >= 0) close(file);
  }
  return openat(parent, name, O_PATH | O_CLOEXEC | O_NOFOLLOW);
}

/* File systems that this box created itself. Nothing is ever created in any other one, so no stray files appear on the
 * host. */
static dev_t own_devices[64];
static unsigned own_count;

void remember_own(int tree) {
  struct stat st;
  if (fstat(tree, &st) || own_count == sizeof own_devices / sizeof *own_devices) fail("remember private file system", "", errno ? errno : ENFILE);
  own_devices[own_count++] = st.st_dev;
}

static bool is_own(int fd) {
  struct stat st;
  if (fstat(fd, &st)) return false;
  for (unsigned i = 0; i < own_count; i++)
    if (own_devices[i] == st.st_dev) return true;
  return false;
}

int make_place(int root, const char *path, enum file_type type, uint32_t mode) {
  int existing = open_beneath(root, path, O_PATH);
  if (existing >= 0 || errno != ENOENT) return existing;
  int parent = dup(root);
  char name[256];
  const char *c = path + 1;
  for (;;) {
    const char *end = strchrnul(c, '/');
    if ((size_t)(end - c) >= sizeof name) return errno = ENAMETOOLONG, -1;
    memcpy(name, c, (size_t)(end - c));
    name[end - c] = 0;
    int next = openat(parent, name, O_PATH | O_CLOEXEC | O_NOFOLLOW);
    if (next < 0 && errno == ENOENT) {
      if (!is_own(parent)) return errno = ENOENT, -1;
      next = *end ? make_leaf(parent, name, T_DIRECTORY, 0755) : make_leaf(parent, name, type, mode);
    }
    int error = errno;
    close(parent);
    if (next < 0 || !*end) return errno = error, next;
    parent = next;
    c = end + 1;
  }
}

void write_all(int fd, struct bytes bytes, const char *stage) {
  while (bytes.length) {
    ssize_t put = write(fd, bytes.at, bytes.length);
    if (put <= 0) fail(stage, "", errno);
    bytes = (struct bytes){bytes.at + put, bytes.length - (size_t)put};
  }
}

void write_bytes(const char *path, struct bytes bytes, const char *stage) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) fail(stage, path, errno);
  if (write(fd, bytes.at, bytes.length) != (ssize_t)bytes.length) fail(stage, path, errno);
  close(fd);
}

void write_file(const char *path, const char *text, const char *stage) {
  write_bytes(path, (struct bytes){(const uint8_t *)text, strlen(text)}, stage);
}

/* The host judges a path in the box, so the path has to lead to the same file there. It must not pass through file
 * systems that are the guest's own (/proc, /dev). */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "init_program.h"
#include "../kernel.h"
#include "script.h"

#define MOST_INTERPRETERS 5

/* Returns a descriptor, or a negative errno. */
static int open_shared(int base, const char *path) {
  struct k_open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = K_RESOLVE_NO_XDEV | K_RESOLVE_NO_MAGICLINKS};
  int fd = (int)syscall(SYS_openat2, base, path, &how, sizeof how);
  if (fd >= 0) return fd;
  return errno == EXDEV || errno == ELOOP ? -EACCES : -errno;
}

static bool is_same(int one, int other) {
  struct stat first, second;
  return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

static bool is_number(const char *text) {
  return *text && strspn(text, "0123456789") == strlen(text);
}

/* The link of /proc for a process's own program (`/proc/self/exe`) or an open descriptor. No other link of /proc is
 * followed. */
static bool own_link(const struct execution *execution, char link[64]) {
  static const char *const descriptors[] = {"/proc/self/fd/", "/proc/thread-self/fd/", "/dev/fd/"};
  int pid = (int)execution->pid;
  if (strcmp(execution->path, "/proc/self/exe") == 0 || strcmp(execution->path, "/proc/thread-self/exe") == 0) return snprintf(link, 64, "/proc/%d/exe", pid) > 0;
  if (*execution->path == 0 && execution->flags & AT_EMPTY_PATH) return snprintf(link, 64, "/proc/%d/fd/%d", pid, execution->directory) > 0;
  for (size_t i = 0; i < sizeof descriptors / sizeof *descriptors; i++) {
    size_t length = strlen(descriptors[i]);
    const char *number = execution->path + length;
    if (strncmp(execution->path, descriptors[i], length) == 0 && is_number(number) && strlen(number) < 10) return snprintf(link, 64, "/proc/%d/fd/%s", pid, number) > 0;
  }
  return false;
}

/* The file to which a link of /proc leads, if it still has the name that the link shows. */
static int open_linked(int root, const char *link, char named[NAMED_ROOM]) {
  int there = open(link, O_PATH | O_CLOEXEC);
  if (there < 0) return -errno;
  ssize_t length = readlink(link, named, NAMED_ROOM - 1);
  int fd = -EACCES;
  if (length > 0 && named[0] == '/') {
    named[length] = 0;
    fd = open_shared(root, named);
  }
  if (fd >= 0 && !is_same(there, fd)) {
    close(fd);
    fd = -EACCES;
  }
  close(there);
  return fd;
}

/* A path that starts at a directory of the caller. */
static int open_relative(int root, const struct execution *execution, char named[NAMED_ROOM]) {
  char link[64];
  if (execution->directory == AT_FDCWD) snprintf(link, sizeof link, "/proc/%d/cwd", (int)execution->pid);
  else snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)execution->pid, execution->directory);
  int base = open_linked(root, link, named);
  if (base < 0) return base;
  size_t used = strlen(named);
  int fits = snprintf(named + used, NAMED_ROOM - used, "/%s", execution->path) < (int)(NAMED_ROOM - used);
  int fd = fits ? open_shared(base, execution->path) : -ENAMETOOLONG;
  close(base);
  return fd;
}

static int open_program(int root, const struct execution *execution, char named[NAMED_ROOM]) {
  char link[64];
  if (own_link(execution, link)) return open_linked(root, link, named);
  if (*execution->path != '/') return *execution->path ? open_relative(root, execution, named) : -ENOENT;
  if (strlen(execution->path) >= NAMED_ROOM) return -ENAMETOOLONG;
  strcpy(named, execution->path);
  return open_shared(root, named);
}

/* Returns 0, or an errno. The interpreter's path is then in `path`, which is empty without an interpreter. */
static int read_script(int fd, char path[SCRIPT_START]) {
  char link[64], start[SCRIPT_START];
  struct stat st;
  if (fstat(fd, &st) || !S_ISREG(st.st_mode)) return EACCES;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  int readable = open(link, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (readable < 0) return errno;
  ssize_t length = read(readable, start, sizeof start);
  close(readable);
  path[0] = 0;
  if (length < 0) return errno;
  interpreter_of(start, (size_t)length, path);
  return 0;
}

/* Attack: `#!/dev/shm/x`, a link in the guest to a refused program. A path that starts at the working directory is
 * refused too. */
static int check_interpreters(int root, int fd) {
  char path[SCRIPT_START];
  for (int depth = 0; depth <= MOST_INTERPRETERS; depth++) {
    int error = read_script(fd, path);
    close(fd);
    if (error || !*path) return error;
    fd = *path == '/' ? open_shared(root, path) : -EACCES;
    if (fd < 0) return -fd;
  }
  close(fd);
  return ELOOP;
}

int find_program(const struct execution *execution, char named[NAMED_ROOM]) {
  int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (root < 0) return errno;
  int fd = open_program(root, execution, named);
  int error = fd < 0 ? -fd : check_interpreters(root, fd);
  close(root);
  return error;
}

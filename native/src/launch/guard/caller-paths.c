/* Paths as a stopped caller sees them. A caller may change them while they are read, which the sweep detects. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>
#include "caller-paths.h"
#include "../../kernel.h"

#define MOST_LINKS 10
#define PROC_MAGIC 0x9fa0

static int proc = -1;
/* The box's root as seen by gVisor's gofer, which supplies all names of a nested kernel. */
static const char *below = "";

#define SHORTEST_READ 256
#define SMALLEST_PAGE 4096

/* The page after it may not exist. The bytes before that are read anyway. */
static unsigned add_part(struct iovec *parts, uint64_t address, size_t length) {
  size_t first = SMALLEST_PAGE - (address & (SMALLEST_PAGE - 1));
  if (first > length) first = length;
  parts[0] = (struct iovec){(void *)(uintptr_t)address, first};
  parts[1] = (struct iovec){(void *)(uintptr_t)(address + first), length - first};
  return first < length ? 2 : 1;
}

static ssize_t read_memory(uint32_t pid, uint64_t address, void *bytes, size_t length) {
  struct iovec local = {bytes, length}, remote[2];
  return process_vm_readv((pid_t)pid, &local, 1, remote, add_part(remote, address, length), 0);
}

bool read_exactly(uint32_t pid, uint64_t address, void *bytes, size_t length) {
  struct iovec local = {bytes, length}, remote = {(void *)(uintptr_t)address, length};
  return length == 0 || process_vm_readv((pid_t)pid, &local, 1, &remote, 1, 0) == (ssize_t)length;
}

bool open_guard_paths(pid_t command, bool nested) {
  struct statfs st;
  static const uint32_t mark = 0x686f6c64;
  uint32_t seen = 0;
  if (nested) below = "/root";
  proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
  /* The command has not begun: it is still a copy of this process. */
  return proc >= 0 && fstatfs(proc, &st) == 0 && st.f_type == PROC_MAGIC && read_memory((uint32_t)command, (uintptr_t)&mark, &seen, sizeof seen) == sizeof seen && seen == mark;
}

/* `got` bytes of it have been read, or the call failed with `error`. */
static enum found take_path(struct target *target, ssize_t got, int error) {
  char *end = got > 0 ? memchr(target->path, 0, (size_t)got) : NULL;
  if (got > 0 && !end) {
    got = read_memory(target->pid, target->address, target->path, LONGEST_PATH);
    error = errno;
    end = got > 0 ? memchr(target->path, 0, (size_t)got) : NULL;
  }
  if (got < 0 && error != EFAULT && error != ESRCH) return FOUND_UNSURE;
  if (!end) return FOUND_NOTHING;
  while (end > target->path + 1 && end[-1] == '/') *--end = 0;
  return target->path[0] ? FOUND : FOUND_NOTHING;
}

enum found read_target(struct target *target) {
  ssize_t got = read_memory(target->pid, target->address, target->path, SHORTEST_READ);
  return take_path(target, got, errno);
}

enum found read_targets(struct target *one, struct target *other) {
  struct iovec local[2] = {{one->path, SHORTEST_READ}, {other->path, SHORTEST_READ}}, remote[4];
  unsigned parts = add_part(remote, one->address, SHORTEST_READ);
  parts += add_part(remote + parts, other->address, SHORTEST_READ);
  /* A partial read may be enough, but it is not clear to which path the bytes belong. */
  if (process_vm_readv((pid_t)one->pid, local, 2, remote, parts, 0) == 2 * SHORTEST_READ) {
    enum found found = take_path(one, SHORTEST_READ, 0);
    return found == FOUND ? take_path(other, SHORTEST_READ, 0) : found;
  }
  enum found found = read_target(one);
  return found == FOUND ? read_target(other) : found;
}

/* Attack: a thread that has its own working directory or descriptors, while /proc/self is the whole process. 0 if it is
 * gone. */
static uint32_t leader_of(uint32_t pid) {
  char path[32], text[512];
  snprintf(path, sizeof path, "%u/status", pid);
  int file = openat(proc, path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  text[length > 0 ? length : 0] = 0;
  const char *line = strstr(text, "\nTgid:");
  return line ? (uint32_t)strtoul(line + strlen("\nTgid:"), NULL, 10) : 0;
}

pid_t process_of(uint32_t thread) {
  uint32_t leader = leader_of(thread);
  return (pid_t)(leader ? leader : thread);
}

/* The part of a path after the caller's own directory below /proc, or NULL. For this process, that directory would be
 * its own. */
static const char *after_self(const struct target *target, uint32_t *self) {
  static const char *const selves[] = {"/proc/self/", "/dev/fd/", "/proc/thread-self/"};
  for (unsigned i = 0; i < 3; i++) {
    size_t length = strlen(selves[i]);
    if (strncmp(target->path, selves[i], length) != 0) continue;
    *self = i < 2 ? leader_of(target->pid) : target->pid;
    return target->path + length - (i == 1 ? strlen("fd/") : 0); /* /dev/fd is a link to /proc/self/fd */
  }
  return NULL;
}

/* The start of a path that does not begin in the caller's own directory below /proc. */
static int open_base(const struct target *target) {
  char base[32];
  if (target->path[0] == '/') return open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (target->directory == AT_FDCWD) snprintf(base, sizeof base, "%u/cwd", target->pid);
  else snprintf(base, sizeof base, "%u/fd/%u", target->pid, (uint32_t)target->directory);
  return openat(proc, base, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Follows no magic links, because those of /proc lead to a different place for each process. */
static int open_plainly(int base, const char *path, int flags) {
  struct k_open_how how = {.flags = (uint64_t)(flags | O_CLOEXEC), .resolve = K_RESOLVE_NO_MAGICLINKS};
  return (int)syscall(SYS_openat2, base, path[0] ? path : ".", &how, sizeof how);
}

/* Attack: a limit or a spelling with which this process finds nothing, but the kernel does. */
static enum found found_by(int error) {
  return error == ENOENT || error == ENOTDIR || error == EACCES || error == ESRCH ? FOUND_NOTHING : FOUND_UNSURE;
}

bool path_of_place(struct place *place) {
  char link[32];
  snprintf(link, sizeof link, "self/fd/%d", place->directory);
  ssize_t length = readlinkat(proc, link, place->path, LONGEST_PATH);
  if (length <= 0 || length >= LONGEST_PATH) return false;
  place->path[length] = 0;
  size_t above = strlen(below);
  if (strncmp(place->path, below, above) == 0 && place->path[above] == '/') memmove(place->path, place->path + above, (size_t)length - above + 1);
  return true;
}

bool program_of(uint32_t pid, char *path, size_t size) {
  char link[32];
  snprintf(link, sizeof link, "%u/exe", pid);
  ssize_t length = readlinkat(proc, link, path, size - 1);
  path[length > 0 ? length : 0] = 0;
  return length > 0;
}

static bool describe(struct place *place, const char *last) {
  if (!path_of_place(place)) return false;
  size_t length = strlen(place->path);
  snprintf(place->path + length, sizeof place->path - length, "%s%s", length > 1 ? "/" : "", last);
  return true;
}

/* `fd/7/name` and `cwd/name` begin at a directory that the caller has open. Returns the rest of the path, or NULL. */
static const char *after_own_directory(const char *self) {
  const char *end = strncmp(self, "cwd/", 4) == 0 ? self + 3 : strncmp(self, "fd/", 3) == 0 ? self + 3 + strspn(self + 3, "0123456789") : self;
  return *end == '/' && end > self + 2 && end[-1] != '/' ? end + strspn(end, "/") : NULL;
}

/* The directory in which a path begins. `path` gets the rest. Attack: a descriptor below /proc is not a name, and may
 * lead anywhere. */
static int open_beginning(const struct target *target, char *path, size_t size) {
  uint32_t pid = 0;
  const char *self = after_self(target, &pid), *rest = self ? after_own_directory(self) : NULL;
  if (!self) return snprintf(path, size, "%s", target->path), open_base(target);
  snprintf(path, size, "%u/%.*s", pid, rest ? (int)(rest - self) : (int)strlen(self), self);
  if (!rest) return fcntl(proc, F_DUPFD_CLOEXEC, 3);
  int base = openat(proc, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  snprintf(path, size, "%s", rest);
  return base;
}

enum found open_target(const struct target *target, int flags, int *fd) {
  char path[LONGEST_PATH + 64];
  int base = open_beginning(target, path, sizeof path), error = errno;
  if (base < 0) return found_by(error);
  *fd = open_plainly(base, path, flags);
  error = errno;
  close(base);
  errno = error;
  return *fd >= 0 ? FOUND : found_by(error);
}

enum found stat_target(const struct target *target, struct stat *st, int flags) {
  int fd;
  enum found found = open_target(target, O_PATH | flags, &fd);
  if (found != FOUND) return found;
  if (fstat(fd, st)) found = FOUND_UNSURE;
  close(fd);
  return found;
}

/* The target of `path` from `base`, which is closed. Follows a final link on request, because a new file is created at
 * the link's target. */
enum found find_place(const struct target *target, bool follow, struct place *place) {
  char path[LONGEST_PATH + 64], text[LONGEST_PATH];
  int base = open_beginning(target, path, sizeof path);
  for (int links = 0; links < MOST_LINKS && base >= 0; links++) {
    char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
    memmove(text, last, strlen(last) + 1);
    *last = 0;
    place->directory = open_plainly(base, path, O_PATH | O_DIRECTORY);
    int error = errno;
    close(base);
    if (place->directory < 0) return found_by(error);
    ssize_t length = follow ? readlinkat(place->directory, text, path, LONGEST_PATH - 1) : -1;
    if (length <= 0) {
      if (describe(place, text)) return FOUND;
      close(place->directory);
      return FOUND_UNSURE;
    }
    path[length] = 0;
    base = path[0] == '/' ? open("/", O_PATH | O_DIRECTORY | O_CLOEXEC) : fcntl(place->directory, F_DUPFD_CLOEXEC, 3);
    close(place->directory);
  }
  if (base >= 0) close(base);
  return FOUND_UNSURE;
}

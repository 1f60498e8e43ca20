/* Paths as a stopped caller sees them. It may lie by changing them under our hands: what that can gain is caught by the sweep. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <unistd.h>
#include "kernel.h"
#include "launch.h"

#define MOST_LINKS 10
#define PROC_MAGIC 0x9fa0

static int proc = -1;
/* Where the gofer of gVisor, from which all names of a nested kernel come, has the root of the box. */
static const char *below = "";

static ssize_t read_memory(uint32_t pid, uint64_t address, void *bytes, size_t length) {
  /* A page that is not there may follow: what lies before it is read all the same. */
  size_t page = (size_t)sysconf(_SC_PAGESIZE), first = page - (address & (page - 1));
  if (first > length) first = length;
  struct iovec local = {bytes, length}, remote[2] = {{(void *)(uintptr_t)address, first}, {(void *)(uintptr_t)(address + first), length - first}};
  return process_vm_readv((pid_t)pid, &local, 1, remote, first < length ? 2 : 1, 0);
}

bool open_guard_paths(pid_t command, bool nested) {
  struct statfs st;
  static const uint32_t mark = 0x686f6c64;
  uint32_t seen = 0;
  if (nested) below = "/root";
  proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
  /* The command has not begun: it is a copy of this process still. */
  return proc >= 0 && fstatfs(proc, &st) == 0 && st.f_type == PROC_MAGIC && read_memory((uint32_t)command, (uintptr_t)&mark, &seen, sizeof seen) == sizeof seen && seen == mark;
}

enum found read_target(struct target *target) {
  size_t size = 256;
  ssize_t got = read_memory(target->pid, target->address, target->path, size);
  if (got > 0 && !memchr(target->path, 0, (size_t)got)) got = read_memory(target->pid, target->address, target->path, size = LONGEST_PATH);
  if (got < 0 && errno != EFAULT && errno != ESRCH) return FOUND_UNSURE;
  if (got <= 0 || !memchr(target->path, 0, (size_t)got)) return FOUND_NOTHING;
  for (size_t length = strlen(target->path); length > 1 && target->path[length - 1] == '/'; length--) target->path[length - 1] = 0;
  return target->path[0] ? FOUND : FOUND_NOTHING;
}

/* A process knows itself as /proc/self, which would be this one here. */
static const char *after_self(const char *path) {
  static const char *const selves[] = {"/proc/self/", "/proc/thread-self/"};
  for (unsigned i = 0; i < 2; i++)
    if (strncmp(path, selves[i], strlen(selves[i])) == 0) return path + strlen(selves[i]);
  return NULL;
}

struct name {
  int base;
  char path[LONGEST_PATH + 64];
};

static struct name base_of(const struct target *target) {
  struct name base = {.base = proc};
  if (target->directory == AT_FDCWD) snprintf(base.path, sizeof base.path, "%u/cwd", target->pid);
  else snprintf(base.path, sizeof base.path, "%u/fd/%d", target->pid, target->directory);
  return base;
}

/* A name that leads this process where the path would lead the caller. */
static struct name name_of(const struct target *target) {
  const char *self = after_self(target->path);
  if (target->path[0] == '/' && !self) {
    struct name name = {.base = AT_FDCWD};
    strcpy(name.path, target->path);
    return name;
  }
  struct name name = base_of(target);
  if (self) snprintf(name.path, sizeof name.path, "%u/%s", target->pid, self);
  else snprintf(name.path + strlen(name.path), sizeof name.path - strlen(name.path), "/%s", target->path);
  return name;
}

int stat_target(const struct target *target, struct stat *st, int flags) {
  struct name name = name_of(target);
  return fstatat(name.base, name.path, st, flags);
}

int open_target(const struct target *target, int flags) {
  struct name name = name_of(target);
  return openat(name.base, name.path, flags | O_CLOEXEC | O_NONBLOCK);
}

static int open_base(const struct target *target) {
  struct name base = base_of(target);
  if (after_self(target->path)) return fcntl(proc, F_DUPFD_CLOEXEC, 3);
  return target->path[0] == '/' ? open("/", O_PATH | O_DIRECTORY | O_CLOEXEC) : openat(base.base, base.path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* No magic links: those of /proc lead everyone elsewhere. */
static int open_directory(int base, const char *path) {
  struct k_open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC, .resolve = K_RESOLVE_NO_MAGICLINKS};
  return (int)syscall(SYS_openat2, base, path, &how, sizeof how);
}

static bool describe(struct place *place, const char *last) {
  char link[32];
  snprintf(link, sizeof link, "self/fd/%d", place->directory);
  ssize_t length = readlinkat(proc, link, place->path, LONGEST_PATH);
  if (length <= 0 || length >= LONGEST_PATH) return false;
  place->path[length] = 0;
  size_t above = strlen(below);
  if (strncmp(place->path, below, above) == 0 && place->path[above] == '/') memmove(place->path, place->path + above, (size_t)(length -= (ssize_t)above) + 1);
  snprintf(place->path + length, sizeof place->path - (size_t)length, "%s%s", length > 1 ? "/" : "", last);
  return true;
}

/* Where `path` leads from `base`, which is closed. Follows a link at its end when told so: a new file appears where it points to. */
enum found find_place(const struct target *target, bool follow, struct place *place) {
  char path[LONGEST_PATH + 64], text[LONGEST_PATH];
  const char *self = after_self(target->path);
  int base = open_base(target);
  if (self) snprintf(path, sizeof path, "%u/%s", target->pid, self);
  else strcpy(path, target->path);
  for (int links = 0; links < MOST_LINKS && base >= 0; links++) {
    char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
    memmove(text, last, strlen(last) + 1);
    *last = 0;
    place->directory = open_directory(base, path[0] ? path : ".");
    int error = errno;
    close(base);
    if (place->directory < 0) return error == ELOOP || error == EXDEV || error == EAGAIN ? FOUND_UNSURE : FOUND_NOTHING;
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

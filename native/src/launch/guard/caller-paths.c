/* Paths as a stopped caller sees them. It may lie by changing them under our hands: what that can gain is caught by the sweep. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
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
/* Where the gofer of gVisor, from which all names of a nested kernel come, has the root of the box. */
static const char *below = "";

#define SHORTEST_READ 256
#define SMALLEST_PAGE 4096

/* A page that is not there may follow: what lies before it is read all the same. */
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
  /* The command has not begun: it is a copy of this process still. */
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
  /* Less than all of it may be enough, but which bytes are whose is not clear then. */
  if (process_vm_readv((pid_t)one->pid, local, 2, remote, parts, 0) == 2 * SHORTEST_READ) {
    enum found found = take_path(one, SHORTEST_READ, 0);
    return found == FOUND ? take_path(other, SHORTEST_READ, 0) : found;
  }
  enum found found = read_target(one);
  return found == FOUND ? read_target(other) : found;
}

pid_t process_of(uint32_t thread) {
  char path[40], line[64];
  int process = (int)thread;
  snprintf(path, sizeof path, "/proc/%u/status", thread);
  FILE *status = fopen(path, "re");
  while (status && fgets(line, sizeof line, status) && sscanf(line, "Tgid: %d", &process) != 1) {}
  if (status) fclose(status);
  return process;
}

/* A process knows itself as /proc/self, which would be this one here. */
static const char *after_self(const char *path) {
  static const char *const selves[] = {"/proc/self/", "/proc/thread-self/"};
  for (unsigned i = 0; i < 2; i++)
    if (strncmp(path, selves[i], strlen(selves[i])) == 0) return path + strlen(selves[i]);
  if (strncmp(path, "/dev/fd/", strlen("/dev/fd/")) == 0) return path + strlen("/dev/"); /* a link to /proc/self/fd */
  return NULL;
}

/* A path and the directory where it begins. Written by hand: the formatting of a C library takes longer than the call it is for. */
struct name {
  int base;
  char *end, path[LONGEST_PATH + 64];
};

static void put_text(struct name *name, const char *text) {
  name->end = stpcpy(name->end, text);
}

static void put_number(struct name *name, uint32_t number) {
  char digits[10], *first = digits + sizeof digits;
  do *--first = (char)('0' + number % 10);
  while (number /= 10);
  while (first < digits + sizeof digits) *name->end++ = *first++;
  *name->end = 0;
}

static void begin_name(struct name *name, int base) {
  name->base = base;
  name->end = name->path;
}

static void name_base(const struct target *target, struct name *name) {
  begin_name(name, proc);
  put_number(name, target->pid);
  put_text(name, target->directory == AT_FDCWD ? "/cwd" : "/fd/");
  if (target->directory != AT_FDCWD) put_number(name, (uint32_t)target->directory);
}

/* A name that leads this process where the path would lead the caller. */
static void name_target(const struct target *target, struct name *name) {
  const char *self = after_self(target->path);
  if (self) {
    begin_name(name, proc);
    put_number(name, target->pid);
  } else if (target->path[0] == '/') {
    begin_name(name, AT_FDCWD);
    return put_text(name, target->path);
  } else {
    name_base(target, name);
  }
  put_text(name, "/");
  put_text(name, self ? self : target->path);
}

int stat_target(const struct target *target, struct stat *st, int flags) {
  struct name name;
  name_target(target, &name);
  return fstatat(name.base, name.path, st, flags);
}

int open_target(const struct target *target, int flags) {
  struct name name;
  name_target(target, &name);
  return openat(name.base, name.path, flags | O_CLOEXEC | O_NONBLOCK);
}

static int open_base(const struct target *target) {
  struct name base;
  name_base(target, &base);
  if (after_self(target->path)) return fcntl(proc, F_DUPFD_CLOEXEC, 3);
  return target->path[0] == '/' ? open("/", O_PATH | O_DIRECTORY | O_CLOEXEC) : openat(base.base, base.path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* No magic links: those of /proc lead everyone elsewhere. */
static int open_directory(int base, const char *path) {
  struct k_open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC, .resolve = K_RESOLVE_NO_MAGICLINKS};
  return (int)syscall(SYS_openat2, base, path, &how, sizeof how);
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

static bool describe(struct place *place, const char *last) {
  if (!path_of_place(place)) return false;
  size_t length = strlen(place->path);
  snprintf(place->path + length, sizeof place->path - length, "%s%s", length > 1 ? "/" : "", last);
  return true;
}

/* `fd/7/name` and `cwd/name` begin at a directory that the caller has open: what is behind that, or NULL. */
static const char *after_own_directory(const char *self) {
  const char *end = strncmp(self, "cwd/", 4) == 0 ? self + 3 : strncmp(self, "fd/", 3) == 0 ? self + 3 + strspn(self + 3, "0123456789") : self;
  return *end == '/' && end > self + 2 && end[-1] != '/' ? end + strspn(end, "/") : NULL;
}

/* The directory where a path begins; `path` gets the rest. Attack: a descriptor below /proc is no name, and may lead anywhere. */
static int open_beginning(const struct target *target, char *path, size_t size) {
  const char *self = after_self(target->path), *rest = self ? after_own_directory(self) : NULL;
  if (rest) snprintf(path, size, "%u/%.*s", target->pid, (int)(rest - self), self);
  int base = rest ? openat(proc, path, O_PATH | O_DIRECTORY | O_CLOEXEC) : open_base(target);
  if (!rest && self) snprintf(path, size, "%u/%s", target->pid, self);
  else snprintf(path, size, "%s", rest ? rest : target->path);
  return base;
}

/* Where `path` leads from `base`, which is closed. Follows a link at its end when told so: a new file appears where it points to. */
enum found find_place(const struct target *target, bool follow, struct place *place) {
  char path[LONGEST_PATH + 64], text[LONGEST_PATH];
  int base = open_beginning(target, path, sizeof path);
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

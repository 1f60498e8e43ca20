/* Keeps the directories of a walk for the next launcher, in the user's state directory. No box can write there, and no
 * other user: the directory and the file have to belong to this user. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "remembered.h"
#include "../../fnv.h"

/* Fewer are read as fast as they are recalled. */
#define FEWEST 64
#define LARGEST (256u << 20)

/* Behind it the numbers of the roots, then the directories, each at a multiple of eight. */
struct head {
  char magic[8];
  uint64_t sum; /* of everything behind it */
  uint64_t stamp;
  int64_t began;
  uint32_t roots, directories;
};
static const char magic[8] = "HFSEEN1";

static uint64_t add_number(uint64_t sum, uint64_t number) {
  return add_bytes(sum, &number, sizeof number);
}

static uint64_t add_texts(uint64_t sum, const struct list *texts) {
  sum = add_number(sum, texts->count);
  for (size_t i = 0; i < texts->count; i++) sum = add_bytes(sum, LIST_AT(*texts, const char *, i), strlen(LIST_AT(*texts, const char *, i)) + 1);
  return sum;
}

static uint64_t add_name(uint64_t sum, const struct protected_name *name) {
  sum = add_number(sum, (uint64_t)name->effect | (uint64_t)name->outside_packages << 8 | (uint64_t)name->suspect << 9 | (uint64_t)name->components << 16 | (uint64_t)name->excepts << 32);
  for (unsigned i = 0; i < name->components; i++) sum = add_bytes(sum, name->component[i], strlen(name->component[i]) + 1);
  for (unsigned i = 0; i < name->excepts; i++) sum = add_bytes(sum, name->except[i], strlen(name->except[i]) + 1);
  return sum;
}

/* Another launcher may read the same names in another way. */
static bool add_program(uint64_t *sum) {
  struct stat st;
  if (stat("/proc/self/exe", &st)) return false;
  const uint64_t facts[] = {st.st_dev, st.st_ino, (uint64_t)st.st_size, (uint64_t)st.st_mtim.tv_sec, (uint64_t)st.st_mtim.tv_nsec};
  *sum = add_bytes(*sum, facts, sizeof facts);
  return true;
}

/* Whether a directory can be listed depends on them, and is not asked again. */
static bool add_rights(uint64_t *sum) {
  struct { uint32_t version; int pid; } header = {0x20080522 /* _LINUX_CAPABILITY_VERSION_3 */, 0};
  struct { uint32_t effective, permitted, inheritable; } sets[2] = {0};
  int count = getgroups(0, NULL);
  gid_t *groups = count < 0 ? NULL : calloc((size_t)count + 1, sizeof *groups);
  bool known = groups && getgroups(count, groups) == count && syscall(SYS_capget, &header, sets) == 0;
  if (known) *sum = add_bytes(add_number(*sum, sets[0].effective | (uint64_t)sets[1].effective << 32), groups, (size_t)count * sizeof *groups);
  *sum = add_number(add_number(*sum, geteuid()), getegid());
  free(groups);
  return known;
}

/* Everything besides the directories that decides the meaning of an entry (FNV-1a). 0 if it is not known. */
static uint64_t stamp_of(const struct plan *plan) {
  uint64_t sum = FNV_BASE;
  if (!add_program(&sum) || !add_rights(&sum)) return 0;
  const struct list *const texts[] = {&plan->roots, &plan->shown_roots, &plan->git_roots, &plan->guarded, &plan->withholding};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) sum = add_texts(sum, texts[i]);
  for (size_t i = 0; i < plan->names.count; i++) sum = add_name(sum, &LIST_AT(plan->names, struct protected_name, i));
  return sum | 1;
}

/* Most of the file, so eight bytes at a time. */
static uint64_t sum_of(const uint8_t *bytes, size_t length) {
  uint64_t sum = FNV_BASE, word;
  for (size_t at = 0; at + 8 <= length; at += 8) {
    memcpy(&word, bytes + at, 8);
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    sum ^= sum >> 29;
  }
  return sum;
}

static size_t padded(size_t size) {
  return (size + 7) & ~(size_t)7;
}

static bool is_own(int fd) {
  struct stat st;
  return fstat(fd, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & 022) == 0;
}

/* The directory of the file; -1 if another user could put something in its place. */
static int open_own_directory(const char *path) {
  char directory[PATH_MAX];
  const char *slash = strrchr(path, '/');
  if (!slash || slash == path || slash - path >= (long)sizeof directory) return -1;
  memcpy(directory, path, (size_t)(slash - path));
  directory[slash - path] = 0;
  int fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 || is_own(fd)) return fd;
  close(fd);
  return -1;
}

static bool are_states(const struct plan *plan, const struct seen_directory *directory) {
  for (unsigned i = 0; i < directory->count; i++) {
    const struct state state = directory->states[i];
    if (state.index >= plan->names.count || state.progress >= LIST_AT(plan->names, struct protected_name, state.index).components) return false;
  }
  return true;
}

/* The size of a directory's record, or 0 if it is malformed. A checksum precedes it: bytes go bad by accident here. */
static size_t checked_size(const struct plan *plan, const struct head *head, uint32_t number, const uint8_t *at, size_t left) {
  const struct seen_directory *directory = (const void *)at;
  if (left < sizeof *directory || directory->count > MAX_STATES || directory->inherited > directory->count) return 0;
  const size_t name = sizeof *directory + directory->count * sizeof(struct state);
  if (left <= name || directory->end <= number || directory->end > head->directories || !are_states(plan, directory)) return 0;
  const uint8_t *end = memchr(at + name, 0, left - name);
  return end && end - (at + name) <= NAME_MAX && !memchr(at + name, '/', (size_t)(end - (at + name))) ? padded((size_t)(end - at) + 1) : 0;
}

static bool decode(const struct plan *plan, const uint8_t *bytes, size_t size, struct seen *seen) {
  const struct head *head = (const void *)bytes;
  if (size < sizeof *head || memcmp(head->magic, magic, sizeof magic) != 0 || head->stamp == 0 || head->stamp != stamp_of(plan) || head->roots != plan->roots.count) return false;
  if (head->sum != sum_of(bytes + sizeof head->magic + sizeof head->sum, size - sizeof head->magic - sizeof head->sum)) return false;
  size_t at = sizeof *head + padded(head->roots * sizeof(uint32_t));
  if (at > size) return false;
  for (uint32_t i = 0; i < head->roots; i++) {
    uint32_t number = ((const uint32_t *)(head + 1))[i];
    if (number != UNSEEN && number >= head->directories) return false;
    *(uint32_t *)list_push(&seen->roots, sizeof number) = number;
  }
  for (uint32_t i = 0; i < head->directories; i++) {
    size_t length = at < size ? checked_size(plan, head, i, bytes + at, size - at) : 0;
    if (length == 0 || length > size - at) return false;
    *(const void **)list_push(&seen->directories, sizeof(void *)) = bytes + at;
    at += length;
  }
  seen->began = head->began;
  return at == size;
}

static uint8_t *read_own(int directory, const char *name, size_t *size) {
  int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  struct stat st;
  uint8_t *bytes = NULL;
  if (fd >= 0 && is_own(fd) && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 && st.st_size <= LARGEST) bytes = malloc(*size = (size_t)st.st_size);
  if (bytes && read(fd, bytes, *size) != (ssize_t)*size) {
    free(bytes);
    bytes = NULL;
  }
  if (fd >= 0) close(fd);
  return bytes;
}

const struct seen *recall_seen(const struct plan *plan) {
  static struct seen seen;
  size_t size = 0;
  int directory = plan->seen ? open_own_directory(plan->seen) : -1;
  const uint8_t *bytes = directory < 0 ? NULL : read_own(directory, strrchr(plan->seen, '/') + 1, &size);
  if (directory >= 0) close(directory);
  return bytes && decode(plan, bytes, size, &seen) && may_recognise(&seen) ? &seen : NULL;
}

/* Directories that have to be read again, and those in which something matters, are never recognised. */
static size_t encode(const struct plan *plan, const struct seen *seen, uint8_t *bytes) {
  const struct head head = {.stamp = stamp_of(plan), .began = seen->began, .roots = (uint32_t)seen->roots.count, .directories = (uint32_t)seen->directories.count};
  size_t at = sizeof head + padded(seen->roots.count * sizeof(uint32_t));
  if (bytes && seen->roots.count) memcpy(bytes + sizeof head, seen->roots.items, seen->roots.count * sizeof(uint32_t));
  for (uint32_t i = 0; i < seen->directories.count; i++) {
    const struct seen_directory *directory = seen_at(seen, i);
    const size_t size = size_of_seen(directory);
    if (bytes) {
      struct seen_directory *copy = (void *)(bytes + at);
      memcpy(copy, directory, size);
      if (copy->matters) copy->changed = 0;
    }
    at += padded(size);
  }
  if (!bytes) return at;
  struct head *whole = (void *)bytes;
  *whole = head;
  memcpy(whole->magic, magic, sizeof magic);
  whole->sum = sum_of(bytes + sizeof head.magic + sizeof head.sum, at - sizeof head.magic - sizeof head.sum);
  return at;
}

static bool write_own(int directory, const char *name, const uint8_t *bytes, size_t size) {
  int fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return false;
  size_t done = 0;
  for (ssize_t some; done < size && (some = write(fd, bytes + done, size - done)) > 0;) done += (size_t)some;
  close(fd);
  return done == size;
}

void remember_seen(const struct plan *plan, const struct seen *seen) {
  const size_t size = seen->fresh < FEWEST || !plan->seen ? 0 : encode(plan, seen, NULL);
  uint8_t *bytes = size > 0 && size <= LARGEST ? calloc(1, size) : NULL;
  int directory = bytes ? open_own_directory(plan->seen) : -1;
  char fresh[NAME_MAX + 1];
  const char *name = directory < 0 ? NULL : strrchr(plan->seen, '/') + 1;
  if (name && snprintf(fresh, sizeof fresh, "%s.%d", name, getpid()) < (int)sizeof fresh) {
    encode(plan, seen, bytes);
    if (!write_own(directory, fresh, bytes, size) || renameat(directory, fresh, directory, name)) unlinkat(directory, fresh, 0);
  }
  if (directory >= 0) close(directory);
  free(bytes);
}

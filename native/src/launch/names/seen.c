/* Remembers directories by inode and by the time of their last change. The kernel dates each change of an entry with
 * its own clock, and no system call sets that time. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>
#include "seen.h"
#include "../../kernel.h"
#include "../../statx.h"
#include "../report/fail.h"

#define SECOND 1000000000

static int64_t kernel_clock(void) {
  struct timespec now;
  return clock_gettime(CLOCK_REALTIME_COARSE, &now) ? 0 : (int64_t)now.tv_sec * SECOND + now.tv_nsec;
}

bool begin_seeing(struct seen *seen) {
  seen->began = kernel_clock();
  return seen->began > 0;
}

bool may_recognise(const struct seen *seen) {
  return kernel_clock() >= seen->began;
}

/* These date every change of an entry. Others, such as an overlay or a network, may show the time of another file. */
bool dates_changes(int fd, uint64_t device) {
  static uint64_t known;
  static bool dates;
  struct statfs system;
  if (known == device) return dates;
  if (fstatfs(fd, &system)) return false;
  known = device;
  return dates = system.f_type == K_EXT4 || system.f_type == K_XFS || system.f_type == K_BTRFS || system.f_type == K_TMPFS;
}

/* A change within one tick of the clock has the time of the change before it. Only older times tell them apart. Whole
 * seconds are the times of a file system without fractions. The names in an encrypted directory change with its key. */
static int64_t dated(const struct seen *seen, int fd, const struct k_statx *st) {
  int64_t changed = st->changed.seconds * SECOND + st->changed.nanoseconds;
  bool distinct = st->changed.nanoseconds != 0 && changed < seen->began - SECOND && !(st->attributes & K_STATX_ENCRYPTED);
  return distinct && dates_changes(fd, makedev(st->device_major, st->device_minor)) ? changed : 0;
}

static uint32_t add(struct seen *seen, struct seen_directory *directory) {
  *(struct seen_directory **)list_push(&seen->directories, sizeof directory) = directory;
  return (uint32_t)seen->directories.count - 1;
}

uint32_t see(struct seen *seen, int fd, const char *name, struct inheritance inheritance) {
  const struct states *states = inheritance.states;
  const size_t names = states->count * sizeof(struct state), length = strlen(name) + 1;
  struct seen_directory *directory = malloc(sizeof *directory + names + length);
  struct k_statx st;
  if (!directory) fail("memory", "", 12);
  *directory = (struct seen_directory){.inherited = (uint16_t)inheritance.count, .count = (uint16_t)states->count};
  if (syscall(SYS_statx, fd, "", AT_EMPTY_PATH, K_STATX_BASIC, &st) == 0) {
    directory->device = makedev(st.device_major, st.device_minor);
    directory->inode = st.inode;
    directory->changed = dated(seen, fd, &st);
  }
  memcpy(directory->states, states->item, names);
  memcpy((char *)directory->states + names, name, length);
  return add(seen, directory);
}

static struct seen_directory *at(const struct seen *seen, uint32_t number) {
  return LIST_AT(seen->directories, struct seen_directory *, number);
}

uint32_t see_again(struct seen *seen, const struct seen_directory *directory) {
  const size_t size = size_of_seen(directory);
  struct seen_directory *copy = malloc(size);
  if (!copy) fail("memory", "", 12);
  memcpy(copy, directory, size);
  copy->known = 1;
  return add(seen, copy);
}

void end_seeing(struct seen *seen, uint32_t number, int error) {
  struct seen_directory *directory = at(seen, number);
  directory->end = (uint32_t)seen->directories.count;
  if (error) directory->changed = 0;
  if (directory->changed != 0 && !directory->matters && !directory->known) seen->fresh++;
}

void read_again(struct seen *seen, uint32_t number) {
  at(seen, number)->changed = 0;
}

void note_meaning(struct seen *seen, uint32_t number) {
  at(seen, number)->matters = 1;
}

const struct seen_directory *seen_at(const struct seen *seen, uint32_t number) {
  return at(seen, number);
}

size_t size_of_seen(const struct seen_directory *directory) {
  return sizeof *directory + directory->count * sizeof(struct state) + strlen(seen_name(directory)) + 1;
}

uint32_t find_seen(const struct seen *seen, uint32_t from, uint32_t to, const char *name) {
  for (uint32_t number = from; number < to; number = at(seen, number)->end)
    if (strcmp(seen_name(at(seen, number)), name) == 0) return number;
  return UNSEEN;
}

const char *seen_name(const struct seen_directory *directory) {
  return (const char *)(directory->states + directory->count);
}

enum sameness recognise(const struct seen_directory *directory, int root, const char *path) {
  struct k_statx st;
  if (syscall(SYS_statx, root, path, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, K_STATX_BASIC, &st)) return OTHER;
  if (makedev(st.device_major, st.device_minor) != directory->device || st.inode != directory->inode) return OTHER;
  return directory->changed != 0 && st.changed.seconds * SECOND + st.changed.nanoseconds == directory->changed ? SAME : CHANGED;
}

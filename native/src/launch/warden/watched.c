/* The kernel reports changes of names, not of mounts. So this watches the host's directories on the way to a covered
 * path: a mount disappears with the file below it, and a new file with that name causes an event. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>
#include "watched.h"
#include "../names/match.h"
#include "../paths/path.h"
#include "../plan/hit.h"
#include "../report/fail.h"

void open_watched(struct watched *watched, const struct plan *plan, const int *root_fds) {
  *watched = (struct watched){.plan = plan, .root_fds = root_fds, .inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK)};
  watched->host = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* If the user has no watches left, nothing is watched. The checks at intervals find the same changes. */
static void give_up(struct watched *watched) {
  if (watched->inotify >= 0) close(watched->inotify);
  watched->inotify = -1;
}

/* The number of the watch, or -1. A missing or unreadable path cannot be replaced unnoticed, because of the watches
 * above it. */
static int watch_place(struct watched *watched, int base, const char *path) {
  int place = watched->inotify < 0 ? -1 : open_beneath(base, path, O_PATH | O_DIRECTORY);
  if (place < 0) return -1;
  int number = fchdir(place) ? -1 : inotify_add_watch(watched->inotify, ".", IN_CREATE | IN_MOVED_TO | IN_ONLYDIR);
  bool exhausted = number < 0 && (errno == ENOSPC || errno == ENOMEM);
  close(place);
  if (exhausted) give_up(watched);
  while (number >= 0 && watched->directories.count <= (size_t)number) list_push(&watched->directories, sizeof(struct directory));
  return number;
}

static char *copy(const char *text, size_t length) {
  char *copied = strndup(text, length);
  if (!copied) fail("memory", "", ENOMEM);
  return copied;
}

static struct directory *directory_at(struct watched *watched, int number) {
  return &LIST_AT(watched->directories, struct directory, number);
}

static bool is_same(struct subject a, struct subject b) {
  return a.hit == b.hit && a.target == b.target;
}

static void note_entry(struct directory *directory, struct entry entry, size_t length) {
  for (size_t i = 0; i < directory->entries.count; i++) {
    const struct entry *known = &LIST_AT(directory->entries, struct entry, i);
    if (is_same(known->subject, entry.subject) && strncmp(known->name, entry.name, length) == 0 && known->name[length] == 0) return;
  }
  entry.name = copy(entry.name, length);
  *(struct entry *)list_push(&directory->entries, sizeof entry) = entry;
}

static void note_place(struct directory *directory, unsigned root, const char *path, size_t length) {
  for (size_t i = 0; i < directory->lies.count; i++) {
    const struct lies *known = &LIST_AT(directory->lies, struct lies, i);
    if (known->root == root && strncmp(known->path, path, length) == 0 && known->path[length] == 0) return;
  }
  *(struct lies *)list_push(&directory->lies, sizeof(struct lies)) = (struct lies){root, copy(path, length)};
}

/* All directories from a root on. `path` begins with a slash. */
static void watch_way(struct watched *watched, unsigned root, struct subject subject, const char *path) {
  char prefix[8300];
  for (const char *slash = path; slash; slash = strchr(slash + 1, '/')) {
    const char *end = strchrnul(slash + 1, '/');
    size_t length = (size_t)(slash - path);
    if (length >= sizeof prefix) return;
    memcpy(prefix, path, length);
    prefix[length] = 0;
    int number = watch_place(watched, watched->root_fds[root], length ? prefix : "/");
    if (number < 0) return;
    note_entry(directory_at(watched, number), (struct entry){subject, (char *)slash + 1, *end != 0}, (size_t)(end - slash - 1));
    note_place(directory_at(watched, number), root, path, length);
  }
}

/* Only the directory of a path of the host. Directories above it belong to the system, or are watched for other paths
 * in a root. */
static void watch_last(struct watched *watched, struct subject subject, const char *path) {
  const char *slash = strrchr(path, '/');
  char *parent = copy(path, (size_t)(slash - path));
  int number = watch_place(watched, watched->host, parent[0] ? parent : "/");
  free(parent);
  if (number >= 0) note_entry(directory_at(watched, number), (struct entry){subject, (char *)slash + 1, false}, strlen(slash + 1));
}

void watch_root(struct watched *watched, unsigned root) {
  int number = watch_place(watched, watched->root_fds[root], "/");
  if (number >= 0) note_place(directory_at(watched, number), root, "", 0);
}

static void watch_target(struct watched *watched, struct subject subject) {
  for (unsigned i = 0; i < watched->plan->roots.count; i++) {
    const char *root = LIST_AT(watched->plan->roots, const char *, i);
    size_t length = root[1] ? strlen(root) : 0;
    if (strncmp(subject.target, root, length) == 0 && subject.target[length] == '/')
      return watch_way(watched, i, subject, subject.target + length);
  }
  watch_last(watched, subject, subject.target);
}

void watch_subject(struct watched *watched, struct subject subject) {
  char path[8300], behind[4096];
  const struct hit *hit = subject.hit;
  if (!hit) return watch_target(watched, subject);
  if (snprintf(path, sizeof path, "/%s", hit->path) >= (int)sizeof path) return;
  watch_way(watched, hit->root, subject, path);
  if (hit->symlink && path_behind(watched->root_fds[hit->root], hit->path, behind)) watch_last(watched, subject, behind);
}

/* The kernel reports changes of names, not of mounts. So this watches the host's directories on the way to a covered
 * path: a mount disappears with the file below it, and a new file with that name changes the directory.
 *
 * A descriptor of inotify that has watched anything takes up to 20 ms to close, and the end of a command would wait for
 * that. Dnotify has no such wait. Its signal does not name the directory, so the directories' times are compared. That
 * is slow for many or busy directories, and for those inotify watches. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>
#include "watched.h"
#include "../../statx.h"
#include "../names/match.h"
#include "../names/seen.h"
#include "../paths/path.h"
#include "../plan/hit.h"
#include "../report/fail.h"

/* More cost too much to compare. */
#define MOST_COMPARED 64
/* Nanoseconds. Two changes within one tick of the clock may have the same time, and the longest tick takes 10 ms. */
#define LONGEST_TICK 20000000
#define SECOND 1000000000

/* The descriptor comes first, because it counts as the user's, and a box may have used up its own. */
void open_watched(struct watched *watched, const struct plan *plan, const int *root_fds) {
  sigset_t told;
  sigemptyset(&told);
  sigaddset(&told, SIGIO);
  *watched = (struct watched){.plan = plan, .root_fds = root_fds, .inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK)};
  watched->told = signalfd(-1, &told, SFD_CLOEXEC | SFD_NONBLOCK);
  watched->is_told = watched->told >= 0;
  watched->host = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

struct directory *directory_at(const struct watched *watched, size_t number) {
  return &LIST_AT(watched->directories, struct directory, number);
}

/* If the user has no watches left, times are compared until the end. */
static void give_up(struct watched *watched) {
  if (watched->inotify >= 0) close(watched->inotify);
  watched->inotify = -1;
  watched->listens = false;
}

uint32_t directory_of(const struct watched *watched, int watch) {
  return watch < 0 || (size_t)watch >= watched->numbers.count ? UINT32_MAX : LIST_AT(watched->numbers, uint32_t, watch) - 1;
}

static int add_directory(struct watched *watched, struct directory directory) {
  *(struct directory *)list_push(&watched->directories, sizeof directory) = directory;
  return (int)watched->directories.count - 1;
}

/* The number of the watch, or -1. */
static int add_watch(struct watched *watched, int place) {
  int watch = fchdir(place) ? -1 : inotify_add_watch(watched->inotify, ".", IN_CREATE | IN_MOVED_TO | IN_ONLYDIR);
  if (watch < 0 && (errno == ENOSPC || errno == ENOMEM)) give_up(watched);
  while (watch >= 0 && watched->numbers.count <= (size_t)watch) list_push(&watched->numbers, sizeof(uint32_t));
  return watch;
}

/* Attack: a box takes the right to list a directory from its owner, and nothing tells of new names in it. Its time tells. */
static int compare_closed(struct watched *watched, int place) {
  struct k_statx st;
  if (errno != EACCES || syscall(SYS_statx, place, "", AT_EMPTY_PATH, K_STATX_BASIC, &st)) return -1;
  const struct directory closed = {.device = makedev(st.device_major, st.device_minor), .inode = st.inode, .fd = fcntl(place, F_DUPFD_CLOEXEC, 0), .closed = true};
  if (closed.fd < 0) return -1;
  watched->compares = true;
  for (size_t i = 0; i < watched->directories.count; i++) {
    const struct directory *known = directory_at(watched, i);
    if (known->closed && known->inode == closed.inode && known->device == closed.device) return close(closed.fd), (int)i;
  }
  return add_directory(watched, closed);
}

/* The number of the directory, or -1. */
static int listen_to(struct watched *watched, int place) {
  int watch = add_watch(watched, place);
  if (watch < 0) return compare_closed(watched, place);
  uint32_t *number = &LIST_AT(watched->numbers, uint32_t, watch);
  if (*number == 0) *number = (uint32_t)add_directory(watched, (struct directory){.fd = -1}) + 1;
  return (int)*number - 1;
}

void listen_from_now(struct watched *watched) {
  watched->listens = watched->inotify >= 0;
  for (size_t i = 0; watched->listens && i < watched->directories.count; i++) {
    struct directory *directory = directory_at(watched, i);
    int watch = add_watch(watched, directory->fd);
    if (watch >= 0) LIST_AT(watched->numbers, uint32_t, watch) = (uint32_t)i + 1;
    else if (watched->listens) watched->compares = directory->closed = true;
  }
}

static int compare_from_now(struct watched *watched, int place) {
  struct k_statx st;
  if (syscall(SYS_statx, place, "", AT_EMPTY_PATH, K_STATX_BASIC, &st)) return -1;
  uint64_t device = makedev(st.device_major, st.device_minor);
  for (size_t i = 0; i < watched->directories.count; i++)
    if (directory_at(watched, i)->inode == st.inode && directory_at(watched, i)->device == device) return (int)i;
  int fd = openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0 && errno == EACCES) watched->is_told = false;
  if (fd < 0) return compare_closed(watched, place);
  if (fcntl(fd, F_NOTIFY, DN_CREATE | DN_RENAME | DN_MULTISHOT)) watched->is_told = false;
  return add_directory(watched, (struct directory){.device = device, .inode = st.inode, .fd = fd});
}

void forget_told(const struct watched *watched) {
  struct signalfd_siginfo told;
  while (read(watched->told, &told, sizeof told) > 0) {}
}

bool has_changed(struct directory *directory) {
  struct k_statx st;
  struct timespec now;
  if (directory->fd < 0) return false;
  if (clock_gettime(CLOCK_REALTIME, &now) || syscall(SYS_statx, directory->fd, "", AT_EMPTY_PATH, K_STATX_BASIC, &st)) return true;
  int64_t changed = st.changed.seconds * SECOND + st.changed.nanoseconds;
  bool same = directory->changed != 0 && changed == directory->changed;
  bool distinct = st.changed.nanoseconds != 0 && changed < now.tv_sec * SECOND + now.tv_nsec - LONGEST_TICK;
  directory->changed = distinct && dates_changes(directory->fd, directory->device) ? changed : 0;
  return !same;
}

/* The number of the directory, or -1. A path that is missing or cannot be entered cannot be replaced unnoticed, because the
 * directories above it are watched. */
static int watch_place(struct watched *watched, int base, const char *path) {
  int place = open_beneath(base, path, O_PATH | O_DIRECTORY);
  if (place < 0) return -1;
  if (watched->directories.count == MOST_COMPARED && !watched->listens) listen_from_now(watched);
  int number = watched->listens ? -1 : compare_from_now(watched, place);
  if (number < 0 && !watched->listens) listen_from_now(watched); /* which needs no descriptor for each */
  if (watched->listens) number = listen_to(watched, place);
  close(place);
  return number;
}

static char *copy(const char *text, size_t length) {
  char *copied = strndup(text, length);
  if (!copied) fail("memory", "", ENOMEM);
  return copied;
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
  *(struct lies *)list_push(&directory->lies, sizeof(struct lies)) = (struct lies){.root = root, .path = copy(path, length)};
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
    note_entry(directory_at(watched, (size_t)number), (struct entry){subject, (char *)slash + 1, *end != 0}, (size_t)(end - slash - 1));
    note_place(directory_at(watched, (size_t)number), root, path, length);
  }
}

/* Only the directory of a path of the host. Directories above it belong to the system, or are watched for other paths
 * in a root. */
static void watch_last(struct watched *watched, struct subject subject, const char *path) {
  const char *slash = strrchr(path, '/');
  char *parent = copy(path, (size_t)(slash - path));
  int number = watch_place(watched, watched->host, parent[0] ? parent : "/");
  free(parent);
  if (number >= 0) note_entry(directory_at(watched, (size_t)number), (struct entry){subject, (char *)slash + 1, false}, strlen(slash + 1));
}

void watch_root(struct watched *watched, unsigned root) {
  int number = watch_place(watched, watched->root_fds[root], "/");
  if (number >= 0) note_place(directory_at(watched, (size_t)number), root, "", 0);
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
  if (subject.target) return watch_target(watched, subject);
  if (snprintf(path, sizeof path, "/%s", hit->path) >= (int)sizeof path) return;
  watch_way(watched, hit->root, subject, path);
  if (hit->symlink && path_behind(watched->root_fds[hit->root], hit->path, behind)) watch_last(watched, subject, behind);
}

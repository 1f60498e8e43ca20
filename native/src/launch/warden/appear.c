#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "appear.h"
#include "../../fnv.h"
#include "../names/names.h"
#include "../names/scan.h"
#include "../paths/path.h"
#include "../paths/sight.h"
#include "../plan/hit.h"
#include "../report/fail.h"

/* Names that a box may create itself are not judged, because they may be its own. Any other hidden name comes from
 * outside, because no process in the box can create it. */
static bool is_judged(const struct plan *plan, unsigned root) {
  return looks_at_new_names(plan) || is_shown_root(plan, root) || is_staged_root(plan, root);
}

static void cover_new(struct warden *warden, unsigned root, const char *path) {
  if (is_released(warden->plan, root, path)) return;
  struct hit *hit = calloc(1, sizeof *hit);
  if (!hit || !(hit->path = strdup(path))) fail("memory", "", ENOMEM);
  hit->root = root;
  hit->effect = EFFECT_HIDDEN;
  hit->unpinned = true;
  cover(warden, (struct subject){hit, NULL}, true);
  add_subject(warden, (struct subject){hit, NULL});
}

static bool is_hidden_name(const struct warden *warden, const struct lies *lies, const char *name) {
  char absolute[8300];
  const char *root = LIST_AT(warden->plan->roots, const char *, lies->root);
  struct states states = {0}, below;
  enum zone zone = ZONE_ORDINARY;
  if (snprintf(absolute, sizeof absolute, "%s%s", root[1] ? root : "", lies->path) >= (int)sizeof absolute) return false;
  if (enter_names(warden->plan, absolute, &states, &zone)) return false;
  return advance_names(&(struct step){warden->plan, name, zone, STEP_ANYWHERE, NULL, NULL}, &states, &below, NULL) == EFFECT_HIDDEN;
}

static void cover_below(struct warden *warden, unsigned root, const char *path) {
  struct findings found = {.after = true};
  scan_below(warden->plan, root, warden->warded.root_fds[root], path, &found);
  free_listing(&found.listing);
  for (size_t i = 0; i < found.hits.count; i++) {
    const struct hit *hit = &LIST_AT(found.hits, struct hit, i);
    cover_new(warden, root, hit->path);
    free(hit->path);
    free(hit->text);
  }
  free(found.hits.items);
}

static void meet_new(struct warden *warden, struct lies lies, const struct inotify_event *event) {
  char path[8300];
  if (!is_judged(warden->plan, lies.root) || snprintf(path, sizeof path, "%s/%s", lies.path, event->name) >= (int)sizeof path) return;
  if (is_hidden_name(warden, &lies, event->name)) cover_new(warden, lies.root, path + 1);
  else if ((event->mask & (IN_ISDIR | IN_MOVED_TO)) == (IN_ISDIR | IN_MOVED_TO)) cover_below(warden, lies.root, path);
}

/* Covers the subjects behind an entry. True if it is a subject's own name. Lists may grow meanwhile, so no pointers into
 * them are kept. */
static bool meet_known(struct warden *warden, size_t number, const char *name) {
  bool known = false;
  for (size_t i = 0; i < directory_at(&warden->watched, number)->entries.count; i++) {
    struct entry entry = LIST_AT(directory_at(&warden->watched, number)->entries, struct entry, i);
    if (name && strcmp(entry.name, name) != 0) continue;
    cover(warden, entry.subject, false);
    if (entry.on_the_way) watch_subject(&warden->watched, entry.subject);
    else known = true;
  }
  return known;
}

void meet(struct warden *warden, size_t number, const struct inotify_event *event) {
  bool known = meet_known(warden, number, event->name);
  for (size_t i = 0; !known && i < directory_at(&warden->watched, number)->lies.count; i++)
    meet_new(warden, LIST_AT(directory_at(&warden->watched, number)->lies, struct lies, i), event);
}

static bool is_known(const struct directory *directory, const char *name) {
  for (size_t i = 0; i < directory->entries.count; i++) {
    const struct entry *entry = &LIST_AT(directory->entries, struct entry, i);
    if (!entry->on_the_way && strcmp(entry->name, name) == 0) return true;
  }
  return false;
}

struct reading {
  int parent;
  struct list *below; /* of struct below, as in lies */
};

static int by_bytes(const void *one, const void *other) {
  return memcmp(one, other, sizeof(struct below));
}

/* A directory that is renamed is a new one: its new name may hide an entry of it, as with `.aws/credentials`. */
static bool is_new_directory(const struct list *before, struct reading reading, const struct dirent *entry) {
  struct sight sight;
  if (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN) return false;
  if (!look_at(reading.parent, entry->d_name, AT_SYMLINK_NOFOLLOW, &sight) || !S_ISDIR(sight.mode)) return false;
  const struct below below = {sight.is, add_bytes(FNV_BASE, entry->d_name, strlen(entry->d_name))};
  *(struct below *)list_push(reading.below, sizeof below) = below;
  return before->count == 0 || !bsearch(&below, before->items, before->count, sizeof below, by_bytes);
}

/* A directory that came since the last time may have been moved there, with everything below it. */
static void meet_entry(struct warden *warden, size_t number, struct lies lies, const struct dirent *entry, struct reading reading) {
  char path[8300];
  if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) return;
  const bool is_new = is_new_directory(&lies.below, reading, entry);
  if (!directory_at(&warden->watched, number)->recorded) return;
  if (snprintf(path, sizeof path, "%s/%s", lies.path, entry->d_name) >= (int)sizeof path) return;
  if (is_known(directory_at(&warden->watched, number), entry->d_name)) return;
  if (is_hidden_name(warden, &lies, entry->d_name)) return cover_new(warden, lies.root, path + 1);
  if (!is_new) return;
  meet_known(warden, number, entry->d_name); /* it may have come since the caller met them */
  cover_below(warden, lies.root, path);
}

/* Nobody could list it before the box began, and it is covered as a whole. */
static bool is_covered(const struct warden *warden, const struct lies *lies) {
  for (size_t i = 0; lies->path[0] && i < warden->warded.hits->count; i++) {
    const struct hit *hit = &LIST_AT(*warden->warded.hits, const struct hit, i);
    const size_t length = strlen(hit->path);
    const char *path = lies->path + 1;
    if (hit->closed && hit->root == lies->root && strncmp(path, hit->path, length) == 0 && (path[length] == 0 || path[length] == '/')) return true;
  }
  return false;
}

/* Attack: a box takes the right to list a directory. A descriptor from before still lists it. Without one, new names in it would show, so the
 * box ends. */
static int open_listing(const struct warden *warden, const struct directory *directory, const struct lies *lies) {
  int fd = open_beneath(warden->warded.root_fds[lies->root], lies->path[0] ? lies->path : "/", O_RDONLY | O_DIRECTORY);
  if (fd >= 0 || errno != EACCES || !is_judged(warden->plan, lies->root) || is_covered(warden, lies)) return fd;
  fd = directory->closed || directory->fd < 0 ? -1 : fcntl(directory->fd, F_DUPFD_CLOEXEC, 0);
  if (fd < 0 && !is_shown_root(warden->plan, lies->root)) fail("watch covered files", lies->path, EACCES);
  if (fd >= 0) lseek(fd, 0, SEEK_SET);
  return fd;
}

/* The names in a directory, after it was recorded. */
static void meet_present(struct warden *warden, size_t number, size_t place) {
  const struct lies lies = LIST_AT(directory_at(&warden->watched, number)->lies, struct lies, place);
  struct list below = {0};
  int fd = open_listing(warden, directory_at(&warden->watched, number), &lies);
  DIR *entries = fd < 0 || !is_judged(warden->plan, lies.root) ? NULL : fdopendir(fd);
  if (!entries && fd >= 0) close(fd);
  for (const struct dirent *entry; entries && (entry = readdir(entries)); warden->read++) meet_entry(warden, number, lies, entry, (struct reading){fd, &below});
  if (entries) closedir(entries);
  if (below.count > 0) qsort(below.items, below.count, sizeof(struct below), by_bytes);
  free(lies.below.items);
  LIST_AT(directory_at(&warden->watched, number)->lies, struct lies, place).below = below;
}

static void record(struct warden *warden, size_t number) {
  for (size_t i = 0; i < directory_at(&warden->watched, number)->lies.count; i++) meet_present(warden, number, i);
  directory_at(&warden->watched, number)->recorded = true;
}

void record_all(struct warden *warden) {
  for (size_t number = 0; number < warden->watched.directories.count; number++) record(warden, number);
}

static void look_at_present(struct warden *warden, size_t number) {
  if (!directory_at(&warden->watched, number)->recorded) record(warden, number);
  for (size_t i = 0; i < directory_at(&warden->watched, number)->lies.count; i++) meet_present(warden, number, i);
}

void read_directory(struct warden *warden, size_t number) {
  meet_known(warden, number, NULL);
  look_at_present(warden, number);
}

/* The times come first, so that they do not count a later change as seen (attack: a file that is replaced while this
 * process waits for a processor). */
void read_all(struct warden *warden) {
  const size_t count = warden->watched.directories.count;
  for (size_t number = 0; number < count; number++) has_changed(directory_at(&warden->watched, number));
  cover_all(warden);
  for (size_t number = 0; number < count; number++) read_directory(warden, number);
}

void look_at_all(struct warden *warden) {
  cover_all(warden);
  for (size_t number = 0; number < warden->watched.directories.count; number++) look_at_present(warden, number);
}

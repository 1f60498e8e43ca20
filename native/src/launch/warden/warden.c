/* The warden: a process of the host that may mount in the box. The kernel removes a mount when a program outside
 * removes the file below it or renames over it, and does not notify the box. The warden is notified of the new name,
 * and covers it again. It reads only directories, and follows links only in the box's own root. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "warden.h"
#include "../guard/guard.h"
#include "../names/names.h"
#include "../names/scan.h"
#include "../paths/path.h"
#include "../plan/hit.h"
#include "../report/fail.h"
#include "../report/report.h"
#include "../root/builder.h"
#include "../root/protect.h"
#include "watched.h"

#define K_NS_GET_USERNS 0xb701
#define MOST_REPORTS 256
/* Milliseconds between two checks if the user has no inotify watches left. One more for each group of subjects, because
 * each subject takes some microseconds. */
#define SHORTEST_PAUSE 4
#define SUBJECTS_PER_PAUSE 5

struct warden {
  const struct plan *plan;
  struct warded warded;
  struct watched watched;
  struct builder builder;
  struct list subjects; /* of struct subject */
  unsigned reports;
};

/* u8 effect, u8 whether it is new, path. */
static void tell(struct warden *warden, struct subject subject, bool is_new) {
  uint8_t payload[2 + 8300];
  const struct hit *hit = subject.hit;
  const char *root = hit ? LIST_AT(warden->plan->roots, const char *, hit->root) : "";
  payload[0] = hit ? (uint8_t)hit->effect : EFFECT_HIDDEN;
  payload[1] = is_new;
  int length = snprintf((char *)payload + 2, 8300, "%s%s%s", root[0] && root[1] ? root : "", hit ? "/" : "", hit ? hit->path : subject.target);
  if (length > 0 && length < 8300 && warden->reports++ < MOST_REPORTS) report_soon(R_COVERED, payload, (size_t)length + 2);
}

static void cover(struct warden *warden, struct subject subject, bool is_new) {
  bool was_bare = subject.hit ? protect_again(&warden->builder, warden->plan, subject.hit) : mask_bare(&warden->builder, subject.target);
  if (was_bare) tell(warden, subject, is_new);
}

static void cover_all(struct warden *warden) {
  for (size_t i = 0; i < warden->subjects.count; i++) cover(warden, LIST_AT(warden->subjects, struct subject, i), false);
}

static void add_subject(struct warden *warden, struct subject subject) {
  *(struct subject *)list_push(&warden->subjects, sizeof subject) = subject;
  watch_subject(&warden->watched, subject);
}

/* It is in private memory, and not a separate mount. */
static bool is_in_memory(const struct plan *plan, const char *path) {
  for (size_t i = 0; i < plan->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    size_t length = strlen(step->target);
    if (step->kind == M_TMPFS && is_withholding(plan, step->target) && strncmp(path, step->target, length) == 0 && path[length] == '/') return true;
  }
  return false;
}

/* The plan's hidden paths, and its covers over files whose present content is not approved. */
static bool covers_a_path(const struct plan *plan, const struct mount_step *step) {
  if (step->kind == M_MASK) return true;
  if ((step->kind != M_FILE && step->kind != M_TMPFS) || !is_withholding(plan, step->target)) return false;
  return step->kind == M_TMPFS || !is_in_memory(plan, step->target);
}

/* Paths come first. If the approved file is gone, a hit with the same name would be read-only, and would no longer
 * count as bare. */
static void watch_all(struct warden *warden) {
  const struct plan *plan = warden->plan;
  open_watched(&warden->watched, plan, warden->warded.root_fds);
  for (unsigned root = 0; root < plan->roots.count; root++) watch_root(&warden->watched, root);
  for (size_t i = 0; i < plan->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    if (covers_a_path(plan, step)) add_subject(warden, (struct subject){NULL, step->target});
  }
  for (size_t i = 0; i < warden->warded.hits->count; i++) add_subject(warden, (struct subject){&LIST_AT(*warden->warded.hits, const struct hit, i), NULL});
}

/* Enters as the host's root if possible, with all rights over files. Otherwise enters as the owner of the box's user
 * namespace. */
static void enter_mounts(int mounts) {
  if (setns(mounts, CLONE_NEWNS) == 0) return;
  int users = ioctl(mounts, K_NS_GET_USERNS);
  if (users < 0 || setns(users, CLONE_NEWUSER) || setns(mounts, CLONE_NEWNS)) fail("watch covered files", "", errno);
  close(users);
}

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
  bool packages = false;
  if (snprintf(absolute, sizeof absolute, "%s%s", root[1] ? root : "", lies->path) >= (int)sizeof absolute) return false;
  if (enter_names(warden->plan, absolute, &states, &packages)) return false;
  return advance_names(&(struct step){warden->plan, name, packages, STEP_ANYWHERE, NULL, NULL}, &states, &below, NULL) == EFFECT_HIDDEN;
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

/* Lists may grow meanwhile, so no pointers into them are kept. */
static void meet(struct warden *warden, const struct inotify_event *event) {
  const struct list *directories = &warden->watched.directories;
  bool known = false;
  for (size_t i = 0; i < LIST_AT(*directories, struct directory, event->wd).entries.count; i++) {
    struct entry entry = LIST_AT(LIST_AT(*directories, struct directory, event->wd).entries, struct entry, i);
    if (strcmp(entry.name, event->name) != 0) continue;
    cover(warden, entry.subject, false);
    if (entry.on_the_way) watch_subject(&warden->watched, entry.subject);
    else known = true;
  }
  for (size_t i = 0; !known && i < LIST_AT(*directories, struct directory, event->wd).lies.count; i++)
    meet_new(warden, LIST_AT(LIST_AT(*directories, struct directory, event->wd).lies, struct lies, i), event);
}

static bool is_known(const struct directory *directory, const char *name) {
  for (size_t i = 0; i < directory->entries.count; i++) {
    const struct entry *entry = &LIST_AT(directory->entries, struct entry, i);
    if (!entry->on_the_way && strcmp(entry->name, name) == 0) return true;
  }
  return false;
}

/* Names that appeared after the launcher had searched, and before the watch began. */
static void meet_present(struct warden *warden, size_t number, struct lies lies) {
  char path[8300];
  int fd = open_beneath(warden->warded.root_fds[lies.root], lies.path[0] ? lies.path : "/", O_RDONLY | O_DIRECTORY);
  DIR *entries = fd < 0 || !is_judged(warden->plan, lies.root) ? NULL : fdopendir(fd);
  if (!entries && fd >= 0) close(fd);
  for (const struct dirent *entry; entries && (entry = readdir(entries));) {
    if (is_known(&LIST_AT(warden->watched.directories, struct directory, number), entry->d_name) || !is_hidden_name(warden, &lies, entry->d_name)) continue;
    if (snprintf(path, sizeof path, "%s/%s", lies.path, entry->d_name) < (int)sizeof path) cover_new(warden, lies.root, path + 1);
  }
  if (entries) closedir(entries);
}

static void look_at_watched(struct warden *warden) {
  for (size_t number = 0; number < warden->watched.directories.count; number++)
    for (size_t i = 0; i < LIST_AT(warden->watched.directories, struct directory, number).lies.count; i++)
      meet_present(warden, number, LIST_AT(LIST_AT(warden->watched.directories, struct directory, number).lies, struct lies, i));
}

static void hear(struct warden *warden) {
  _Alignas(struct inotify_event) char events[8192];
  ssize_t length;
  while ((length = read(warden->watched.inotify, events, sizeof events)) > 0)
    for (ssize_t at = 0; at < length;) {
      const struct inotify_event *event = (const void *)(events + at);
      at += (ssize_t)sizeof *event + event->len;
      if (event->mask & IN_Q_OVERFLOW) cover_all(warden), look_at_watched(warden);
      else if (event->len && (size_t)event->wd < warden->watched.directories.count) meet(warden, event);
    }
}

static int look_around(struct warden *warden) {
  cover_all(warden);
  return SHORTEST_PAUSE + (int)(warden->subjects.count / SUBJECTS_PER_PAUSE);
}

_Noreturn void run_warden(const struct plan *plan, struct warded warded) {
  struct warden warden = {.plan = plan, .warded = warded};
  watch_all(&warden);
  enter_mounts(warded.mounts);
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* after the last change of rights, because another change would undo this */
  ask_for_short_turns();
  warden.builder = (struct builder){.root = warded.root, .host = -1, .scaffold = -1, .masks = warded.masks};
  cover_all(&warden);
  look_at_watched(&warden);
  struct pollfd fds[2] = {{warded.outer, POLLIN, 0}, {warden.watched.inotify, POLLIN, 0}};
  while (!fds[0].revents) {
    fds[1].fd = warden.watched.inotify;
    int pause = warden.watched.inotify < 0 ? look_around(&warden) : -1;
    if (poll(fds, 2, pause) < 0 && errno != EINTR) fail("watch covered files", "", errno);
    if (fds[1].revents) hear(&warden);
  }
  _exit(0);
}

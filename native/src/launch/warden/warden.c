/* The warden: a process of the host that may mount in the box. The kernel removes a mount when a program outside
 * removes the file below it or renames over it, and does not notify the box. The warden is notified of the new name,
 * and covers it again. It reads only directories, and follows links only in the box's own root. */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "warden.h"
#include "../guard/guard.h"
#include "../names/names.h"
#include "../plan/hit.h"
#include "../plan/plan.h"
#include "../report/fail.h"
#include "appear.h"

#define K_NS_GET_USERNS 0xb701
/* Milliseconds between two checks of the directories' times, if the kernel has no dnotify. */
#define SHORTEST_PAUSE 3
/* If the user has no inotify watches left, one more for each group of subjects: each takes some microseconds. */
#define SUBJECTS_PER_PAUSE 5
/* After so many of these checks inotify watches. */
#define MOST_CHECKS 150
/* Or when so many entries have been read (attack: a box fills its directories, and each reading takes longer). The end
 * of such a command may be 20 ms late. */
#define MOST_READ 10000
#define READING 100 /* a directory, in entries */
/* With more hits, comparing costs milliseconds for each change. */
#define MOST_COMPARED 128

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

/* The mount that covers the path of a hit, or NULL. If an approved file is replaced, only this mount covers the new one.
 * As a hit it would be read-only, and the mount would count that as covered (attack: a file that is replaced between two
 * looks). */
static const char *target_of(const struct plan *plan, const struct hit *hit) {
  const char *root = LIST_AT(plan->roots, const char *, hit->root);
  const size_t length = root[1] ? strlen(root) : 0;
  for (size_t i = 0; i < plan->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    if (strncmp(step->target, root, length) == 0 && step->target[length] == '/' && strcmp(step->target + length + 1, hit->path) == 0 && covers_a_path(plan, step)) return step->target;
  }
  return NULL;
}

static void watch_all(struct warden *warden) {
  const struct plan *plan = warden->plan;
  open_watched(&warden->watched, plan, warden->warded.root_fds);
  if (warden->warded.hits->count > MOST_COMPARED) listen_from_now(&warden->watched);
  warden->listened = warden->watched.listens;
  for (unsigned root = 0; root < plan->roots.count; root++) watch_root(&warden->watched, root);
  for (size_t i = 0; i < plan->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    if (covers_a_path(plan, step)) add_subject(warden, (struct subject){NULL, step->target});
  }
  for (size_t i = 0; i < warden->warded.hits->count; i++) {
    const struct hit *hit = &LIST_AT(*warden->warded.hits, const struct hit, i);
    add_subject(warden, (struct subject){hit, target_of(plan, hit)});
  }
}

/* Enters as the host's root if possible, with all rights over files. Otherwise enters as the owner of the box's user
 * namespace. */
static void enter_mounts(int mounts) {
  if (setns(mounts, CLONE_NEWNS) == 0) return;
  int users = ioctl(mounts, K_NS_GET_USERNS);
  if (users < 0 || setns(users, CLONE_NEWUSER) || setns(mounts, CLONE_NEWNS)) fail("watch covered files", "", errno);
  close(users);
}

static void hear(struct warden *warden) {
  _Alignas(struct inotify_event) char events[8192];
  ssize_t length;
  while ((length = read(warden->watched.inotify, events, sizeof events)) > 0)
    for (ssize_t at = 0; at < length;) {
      const struct inotify_event *event = (const void *)(events + at);
      at += (ssize_t)sizeof *event + event->len;
      uint32_t number = directory_of(&warden->watched, event->wd);
      if (event->mask & IN_Q_OVERFLOW) look_at_all(warden);
      else if (event->len && number != UINT32_MAX) meet(warden, number, event);
    }
}

static void compare(struct warden *warden) {
  struct watched *watched = &warden->watched;
  forget_told(watched);
  if (watched->inotify < 0) cover_all(warden);
  for (size_t number = 0; number < watched->directories.count; number++) {
    if (!has_changed(directory_at(watched, number))) continue;
    read_directory(warden, number);
    warden->read += READING;
  }
  if (!watched->is_told) warden->checks++;
  if (warden->checks > MOST_CHECKS || warden->read > MOST_READ) listen_from_now(watched);
}

static void compare_closed(struct warden *warden) {
  for (size_t number = 0; number < warden->watched.directories.count; number++) {
    struct directory *directory = directory_at(&warden->watched, number);
    if (directory->closed && has_changed(directory)) read_directory(warden, number);
  }
}

/* Milliseconds until the next check, or -1 if there is an event first. What changes before the first watch is found by
 * reading all directories once more. */
static int check(struct warden *warden) {
  const struct watched *watched = &warden->watched;
  if (!watched->listens) compare(warden);
  else if (watched->compares) compare_closed(warden);
  if (watched->listens && !warden->listened) read_all(warden);
  warden->listened = watched->listens;
  if (watched->inotify < 0) return SHORTEST_PAUSE + (int)(warden->subjects.count / SUBJECTS_PER_PAUSE);
  return watched->compares || !(watched->listens || watched->is_told) ? SHORTEST_PAUSE : -1;
}

_Noreturn void run_warden(const struct plan *plan, struct warded warded) {
  struct warden warden = {.plan = plan, .warded = warded};
  watch_all(&warden);
  record_all(&warden);
  enter_mounts(warded.mounts);
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* after the last change of rights, because another change would undo this */
  ask_for_short_turns();
  warden.builder = (struct builder){.root = warded.root, .host = -1, .scaffold = -1, .masks = warded.masks};
  if (warden.listened) look_at_all(&warden);
  else read_all(&warden);
  warden.listened = warden.watched.listens;
  warden.read = 0;
  struct pollfd fds[2] = {{warded.outer, POLLIN, 0}, {-1, POLLIN, 0}};
  while (!fds[0].revents) {
    int pause = check(&warden);
    fds[1].fd = warden.watched.listens ? warden.watched.inotify : warden.watched.told;
    if (poll(fds, 2, pause) < 0 && errno != EINTR) fail("watch covered files", "", errno);
    if (warden.watched.listens && fds[1].revents) hear(&warden);
  }
  _exit(0);
}

/* A watch tells of every program of the host that opens the file, or a file of the directory. So a box watches its roots and its own
 * files, and nothing that it shares with the host for reading alone. This process adds the watch, at the inode that was judged. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "watches.h"
#include "../../kernel.h"
#include "../plan/plan.h"
#include "caller-paths.h"
#include "caller-sockets.h"

static bool covers(const char *directory, const char *path) {
  size_t length = directory[1] ? strlen(directory) : 0;
  return strncmp(path, directory, length) == 0 && (path[length] == '/' || !path[length]);
}

/* Directories that are granted for reading are roots, too. */
static bool is_of_host_alone(const struct plan *plan, const char *path) {
  const struct mount_step *cover = NULL;
  for (size_t i = 0; i < plan->roots.count; i++)
    if (covers(LIST_AT(plan->roots, const char *, i), path)) return false;
  for (size_t i = 0; i < plan->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    if (step->kind == M_SYMLINK || !covers(step->target, path)) continue;
    if (!cover || strlen(step->target) >= strlen(cover->target)) cover = step;
  }
  return cover && cover->kind == M_BIND && !(cover->flags & BIND_WRITABLE);
}

static int watch_at(const struct plan *plan, int copy, int fd, uint32_t mask) {
  char path[40];
  struct place there = {.directory = fd};
  if (!path_of_place(&there) || is_of_host_alone(plan, there.path)) return -EACCES;
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  int number = inotify_add_watch(copy, path, mask & ~(uint32_t)IN_DONT_FOLLOW);
  return number < 0 ? -errno : number;
}

static int add_watch(const struct plan *plan, const struct k_notification *call) {
  static struct target target;
  uint32_t mask = (uint32_t)call->argument[2];
  int fd;
  target = (struct target){.pid = call->pid, .directory = AT_FDCWD, .address = call->argument[1]};
  if (read_target(&target) != FOUND) return -ENOENT;
  if (open_target(&target, O_PATH | (mask & IN_DONT_FOLLOW ? O_NOFOLLOW : 0), &fd) != FOUND) return -errno;
  int copy = take_descriptor(call->pid, (int)call->argument[0]);
  int result = copy < 0 ? copy : watch_at(plan, copy, fd, mask);
  if (copy >= 0) close(copy);
  close(fd);
  return result;
}

void serve_watch(int listener, const struct plan *plan, const struct k_notification *call) {
  int result = add_watch(plan, call);
  struct k_notify_answer answer = {.id = call->id, .value = result < 0 ? 0 : result, .error = result < 0 ? result : 0};
  ioctl(listener, K_NOTIFY_ANSWER, &answer);
}

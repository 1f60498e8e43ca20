/* Control groups that the plan names: outer creates and fills them, init enters them, and outer removes them. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "cgroup.h"
#include "../plan/list.h"
#include "../plan/plan.h"
#include "../report/fail.h"

/* Returns 0 or an errno. `path` becomes the path of the file. */
static int put(const struct cgroup_step *step, const char *name, const char *value, char path[4200]) {
  snprintf(path, 4200, "%s/%s", step->directory, name);
  int fd = open(path, O_WRONLY | O_CLOEXEC), error = fd < 0 ? errno : 0;
  if (!error && write(fd, value, strlen(value)) != (ssize_t)strlen(value)) error = errno;
  if (fd >= 0) close(fd);
  return error;
}

static bool has_tasks(const struct cgroup_step *step) {
  char path[4200];
  snprintf(path, sizeof path, "%s/tasks", step->directory);
  return access(path, W_OK) == 0;
}

/* Number of completed steps. A group that existed before belongs to someone else, and stays. */
static size_t done;

void make_cgroups(const struct plan *plan, pid_t pid) {
  char number[16], path[4200];
  snprintf(number, sizeof number, "%d", pid);
  for (; done < plan->cgroups.count; done++) {
    const struct cgroup_step *step = &LIST_AT(plan->cgroups, struct cgroup_step, done);
    if (!step->name && mkdir(step->directory, 0755)) fail("make control group", step->directory, errno);
    if (!step->name) continue;
    int error = put(step, step->name, step->value, path);
    if (error) fail("set control group", path, error);
  }
  for (size_t i = 0; i < plan->cgroups.count; i++) {
    const struct cgroup_step *step = &LIST_AT(plan->cgroups, struct cgroup_step, i);
    int error = step->name || has_tasks(step) ? 0 : put(step, "cgroup.procs", number, path);
    if (error) fail("set control group", path, error);
  }
}

/* For version 1. A thread that moves itself takes no lock over all threads. Moving another process waits 7 ms for RCU. */
void enter_cgroups(const struct plan *plan) {
  for (size_t i = 0; i < plan->cgroups.count; i++) {
    const struct cgroup_step *step = &LIST_AT(plan->cgroups, struct cgroup_step, i);
    char path[4200];
    int error = step->name || !has_tasks(step) ? 0 : put(step, "tasks", "0", path);
    if (error) fail("set control group", path, error);
  }
}

/* The kernel may keep a group for a moment after its last process was reaped. */
void leave_cgroups(const struct plan *plan) {
  for (size_t i = done; i-- > 0;) {
    const struct cgroup_step *step = &LIST_AT(plan->cgroups, struct cgroup_step, i);
    if (step->name) continue;
    for (int tries = 0; rmdir(step->directory) && errno == EBUSY && tries < 500; tries++)
      nanosleep(&(struct timespec){0, 2000000}, NULL);
  }
}

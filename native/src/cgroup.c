/* Control groups named by the Plan: made and filled by outer, entered by init, removed by outer. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "launch.h"

static void write_in(const struct cgroup_step *step, const char *name, const char *value) {
  char path[4200];
  snprintf(path, sizeof path, "%s/%s", step->directory, name);
  write_file(path, value, "set control group");
}

static bool has_tasks(const struct cgroup_step *step) {
  char path[4200];
  snprintf(path, sizeof path, "%s/tasks", step->directory);
  return access(path, W_OK) == 0;
}

void make_cgroups(const struct plan *plan, pid_t pid) {
  char number[16];
  snprintf(number, sizeof number, "%d", pid);
  for (size_t i = 0; i < plan->cgroups.count; i++) {
    const struct cgroup_step *step = &LIST_AT(plan->cgroups, struct cgroup_step, i);
    if (step->name) write_in(step, step->name, step->value);
    else if (mkdir(step->directory, 0755)) fail("make control group", step->directory, errno);
  }
  for (size_t i = 0; i < plan->cgroups.count; i++) {
    const struct cgroup_step *step = &LIST_AT(plan->cgroups, struct cgroup_step, i);
    if (!step->name && !has_tasks(step)) write_in(step, "cgroup.procs", number);
  }
}

/* Version 1. A thread that moves itself takes no lock over all threads; moving another process waits 7 ms for RCU. */
void enter_cgroups(const struct plan *plan) {
  for (size_t i = 0; i < plan->cgroups.count; i++) {
    const struct cgroup_step *step = &LIST_AT(plan->cgroups, struct cgroup_step, i);
    if (!step->name && has_tasks(step)) write_in(step, "tasks", "0");
  }
}

/* The kernel may hold a group for a moment after its last process is reaped. */
void leave_cgroups(const struct plan *plan) {
  for (size_t i = plan->cgroups.count; i-- > 0;) {
    const struct cgroup_step *step = &LIST_AT(plan->cgroups, struct cgroup_step, i);
    if (step->name) continue;
    for (int tries = 0; rmdir(step->directory) && errno == EBUSY && tries < 500; tries++)
      nanosleep(&(struct timespec){0, 2000000}, NULL);
  }
}

/* Limits that the kernel counts for each process, or for all processes of a user. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "limits.h"
#include "../plan/plan.h"
#include "../report/fail.h"

static void limit(int resource, uint64_t value) {
  if (value == UINT64_MAX) return;
  struct rlimit current;
  if (getrlimit(resource, &current)) fail("read limit", "", errno);
  if (value > current.rlim_max) value = current.rlim_max;
  struct rlimit next = {value, value};
  if (setrlimit(resource, &next)) fail("set limit", "", errno);
}

/* Number of tasks of this user. For each process of the user, the `task` directory belongs to the user, and its link
 * count is two more than the number of threads. */
static uint64_t own_tasks(void) {
  DIR *list = opendir("/proc");
  if (!list) fail("count processes", "/proc", errno);
  uint64_t count = 0;
  char path[32];
  struct stat st;
  for (struct dirent *entry; (entry = readdir(list));) {
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9' || snprintf(path, sizeof path, "%.20s/task", entry->d_name) >= (int)sizeof path) continue;
    if (fstatat(dirfd(list), path, &st, 0) == 0 && st.st_uid == getuid() && st.st_nlink > 2) count += st.st_nlink - 2;
  }
  closedir(list);
  return count;
}

/* Without a user namespace, all tasks of the user count, and those of root are not counted at all. So the limit is
 * raised by the number of tasks that are not the box's. */
uint64_t other_tasks(const struct plan *plan) {
  return !plan->plain || plan->limit[L_PROCESSES] == UINT64_MAX || getuid() == 0 ? 0 : own_tasks();
}

/* In a user namespace the kernel (5.14) counts only the namespace's own processes. */
void limit_processes(const struct plan *plan, uint64_t others) {
  uint64_t processes = plan->limit[L_PROCESSES];
  limit(RLIMIT_NPROC, processes == UINT64_MAX ? processes : processes + others);
}

/* Attack: queued signals count for all processes of the user, and one without room for its own gets no timer. */
static void halve_queued_signals(void) {
  struct rlimit current;
  if (getrlimit(RLIMIT_SIGPENDING, &current)) fail("read limit", "", errno);
  limit(RLIMIT_SIGPENDING, current.rlim_max == RLIM_INFINITY ? UINT64_MAX : current.rlim_max / 2);
}

void apply_limits(const struct plan *plan) {
  halve_queued_signals();
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_DATA, plan->limit[L_DATA]);
  limit(RLIMIT_CPU, plan->limit[L_CPU_SECONDS]);
  limit(RLIMIT_FSIZE, plan->limit[L_FILE_SIZE]);
  limit(RLIMIT_NOFILE, plan->limit[L_OPEN_FILES]);
}

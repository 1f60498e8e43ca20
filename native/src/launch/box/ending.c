/* Ends all of a box, whichever process ends it. */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include "ending.h"
#include "../plan/plan.h"
#include "cgroup.h"
#include "descendants.h"
#include "private.h"

/* Also used if this is the only process of the launcher that is left. */
void end_plain(const struct plan *plan) {
  end_descendants();
  remove_private_directories(plan);
}

void end_rest(const struct plan *plan, enum ending ending) {
  switch (ending) {
    case ENDS_WITH_INIT: return;
    case ENDS_BY_SIGNAL: kill(-1, SIGKILL); return;
    case ENDS_BY_REAPING: return end_plain(plan);
  }
}

void undo_box(const struct plan *plan, pid_t first) {
  kill(first, SIGKILL);
  while (waitpid(first, NULL, 0) < 0 && errno == EINTR) {}
  leave_cgroups(plan);
}

void undo_plain(const struct plan *plan, pid_t first) {
  end_plain(plan);
  leave_cgroups(plan);
}

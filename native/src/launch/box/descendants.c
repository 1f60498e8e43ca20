/* Ends every descendant of this process, if no PID namespace does it. This process is their sub-reaper. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "descendants.h"
#include "../../kernel.h"
#include "../confine/filter.h"
#include "../report/fail.h"

static bool sees_all; /* `kill(-1)` reaches descendants of this process, and no others */

static int open_children(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
  return open(path, O_RDONLY | O_CLOEXEC);
}

/* Orphans become children of this process, however they were started (attack: a daemon with two forks and a new
 * session). */
void adopt_orphans(void) {
  int fd = open_children();
  if (fd < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1)) fail("adopt orphans", "", errno);
  close(fd);
}

/* Enters a Landlock domain whose members can signal only each other, before the command is forked. The kernel sends a
 * signal to the whole domain at once, so no process can fork ahead of it. The command gets a domain below this one,
 * from which it can signal neither this process nor anything outside. */
void enter_signal_domain(int abi) {
  if (abi < 6) return;
  struct k_landlock_ruleset_attr attr = {.scoped = K_LL_SCOPE_SIGNAL};
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
  no_new_privileges();
  if (ruleset < 0 || syscall(SYS_landlock_restrict_self, ruleset, 0)) fail("enter signal domain", "", errno);
  close(ruleset);
  sees_all = true;
}

void kill_children(void) {
  char text[4096];
  int fd = open_children();
  ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
  if (fd >= 0) close(fd);
  text[length > 0 ? length : 0] = 0;
  char *at = text, *end;
  for (long pid; (pid = strtol(at, &end, 10)) > 0 && *end == ' '; at = end) kill((pid_t)pid, SIGKILL);
}

/* Orphans of killed processes arrive one level at a time. So this waits only after it has reaped all ended processes:
 * by then every child has got the signal, and later children arrive when one of those ends. */
void end_descendants(void) {
  pid_t gone;
  do {
    if (sees_all) kill(-1, SIGKILL);
    else kill_children();
    gone = waitpid(-1, NULL, WNOHANG);
    if (gone == 0) gone = waitpid(-1, NULL, 0);
  } while (gone > 0 || errno == EINTR);
}

/* A box without namespaces: the root is the host's, Landlock and seccomp hold the command, and a sub-reaper its processes. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include "kernel.h"
#include "launch.h"

static _Noreturn void run_keeper_of_house(struct plan *plan, int status, struct handover hand) {
  report_to(status);
  close(CONTROL_FD);
  if (hand.source >= 0) close(hand.source);
  /* A stopped process hears of no end: that of outer continues it. */
  prctl(PR_SET_PDEATHSIG, SIGCONT);
  char go;
  if (recv(status, &go, 1, 0) != 1) _exit(EXIT_HOLDFAST);
  adopt_orphans();
  enter_cgroups(plan);
  enter_signal_domain(landlock_abi());
  if (plan->warm && !waits_confined(plan)) await_command(plan, status);
  start_command(plan, status, hand, ENDS_BY_REAPING);
}

struct box start_plain(struct plan *plan, struct handover hand) {
  int ends[2];
  adopt_orphans();
  undo_on_failure(plan, 0);
  make_private_directories(plan);
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) fail("socketpair", "", errno);
  pid_t init = fork();
  if (init < 0) fail("fork", "", errno);
  if (init == 0) {
    undo_on_failure(NULL, 0);
    close(ends[0]);
    run_keeper_of_house(plan, ends[1], hand);
  }
  close(ends[1]);
  make_cgroups(plan, init);
  if (send(ends[0], "g", 1, MSG_NOSIGNAL) != 1) fail("release init", "", errno);
  return (struct box){init, ends[0]};
}

/* Also where this is the only process of the launcher that is left. */
void end_plain(const struct plan *plan) {
  end_descendants();
  remove_private_directories(plan);
}

static const struct mount_step *source_at(const struct plan *plan, const char *path) {
  for (size_t i = 0; i < plan->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    if (step->kind == M_BIND && strcmp(step->source, path) == 0) return step;
  }
  return NULL;
}

/* No symlink on the way, and the inode that was planned: another box may move what lies in a writable root. */
int open_granted(const struct plan *plan, const char *path) {
  static int host = -1;
  if (host < 0) host = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  const struct mount_step *step = source_at(plan, path);
  return step ? open_source(host, step) : open_beneath(host, path, O_PATH);
}

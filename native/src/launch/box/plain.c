/* A box without namespaces: its root is the host's, Landlock and seccomp confine the command, and a sub-reaper keeps
 * its processes. */
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "plain.h"
#include "../confine/landlock.h"
#include "../plan/plan.h"
#include "../report/control.h"
#include "../report/fail.h"
#include "../report/report.h"
#include "cgroup.h"
#include "descendants.h"
#include "ending.h"
#include "house.h"
#include "private.h"
#include "warm.h"

static _Noreturn void run_keeper_of_house(struct plan *plan, int status, struct handover hand) {
  report_to(status);
  close(CONTROL_FD);
  if (hand.source >= 0) close(hand.source);
  /* A stopped process does not notice that a parent ends, so the end of outer continues it. */
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
  undo_on_failure((struct undo){undo_plain, plan, 0});
  make_private_directories(plan);
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) fail("socketpair", "", errno);
  pid_t init = fork();
  if (init < 0) fail("fork", "", errno);
  if (init == 0) {
    undo_on_failure((struct undo){0});
    close(ends[0]);
    run_keeper_of_house(plan, ends[1], hand);
  }
  close(ends[1]);
  make_cgroups(plan, init);
  if (send(ends[0], "g", 1, MSG_NOSIGNAL) != 1) fail("release init", "", errno);
  return (struct box){init, ends[0]};
}

/* Confines itself step by step, and executes the plan's command. */
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "command.h"
#include "../../kernel.h"
#include "../confine/capabilities.h"
#include "../confine/filter.h"
#include "../confine/limits.h"
#include "../plan/plan.h"
#include "../report/fail.h"
#include "await.h"
#include "nest.h"
#include "search.h"

static void connect_output(struct handover hand) {
  if (hand.output < 0) return;
  if (dup2(hand.output, 2) < 0 || (hand.merged && dup2(hand.output, 1) < 0)) fail("connect output", "", errno);
}

_Noreturn void run_command(struct plan *plan, struct start start) {
  setpgid(0, 0);
  if (plan->plain) prctl(PR_SET_PDEATHSIG, SIGKILL); /* no process of the box can kill the process that serves the command */
  if (start.hand.terminal >= 0) tcsetpgrp(start.hand.terminal, getpid());
  connect_output(start.hand);
  apply_limits(plan);
  if (!waits_confined(plan)) limit_processes(plan, other_tasks(plan));
  if (plan->nests) nest();
  else drop_capabilities();
  if (plan->notify != NOTIFY_NONE) hand_over_listener(plan, start.channel);
  confine(plan, start.ruleset);
  if (waits_confined(plan)) await_orders(plan, start.channel.command);
  sigprocmask(SIG_SETMASK, &start.hand.mask, NULL);
  /* The status socket and everything else above stderr is close-on-exec. This also covers inherited descriptors. */
  if (syscall(SYS_close_range, 3, ~0u, 1u << 2 /* CLOSE_RANGE_CLOEXEC */)) fail("keep descriptors back", "", errno);
  int error = exec_in_path(plan);
  fail("exec", plan->argv[0], error);
}

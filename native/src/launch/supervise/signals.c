/* Signals are read, not handled: outer blocks all of them. */
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include "signals.h"
#include "../box/descendants.h"
#include "adopted.h"
#include "terminal.h"
#include "watch.h"

/* The command has stopped (Ctrl-Z). Stops the whole job as a shell expects, and continues the command when the job is
 * continued. All signals are blocked here, so outer itself keeps running: if it were stopped, it would outlive a
 * supervisor that is killed. */
void stop_job(struct watch *watch) {
  if (watch->terminal < 0) return;
  restore_terminal(watch->terminal);
  watch->stopped = true;
  kill(0, SIGTSTP);
  if (is_adopted()) stop_self();
}

static void continue_job(struct watch *watch) {
  if (!watch->stopped) return;
  watch->stopped = false;
  bool foreground = tcgetpgrp(watch->terminal) == getpgrp();
  order(watch, (const uint8_t *)(foreground ? "c" : "b"), 1);
}

/* The process of a helper that has ended. Its PID 1 is now a child of this process, and the only one. */
static void hear_child(const struct watch *watch) {
  siginfo_t gone = {0};
  if (watch->plan->helper.count && waitid(P_PID, (id_t)watch->box->init, &gone, WEXITED | WNOHANG | WNOWAIT) == 0 && gone.si_pid) kill_children();
}

/* From the job, or from the kernel when the supervisor has ended, because a process that it was just starting may keep
 * its stream open. */
static void hear_continue(struct watch *watch) {
  if (!is_adopted() && getppid() != watch->supervisor) lose_supervisor(watch);
  else continue_job(watch);
}

/* Without a supervisor in between, Ctrl-Z of a job whose command has no terminal stops this process. The command stops
 * with it. */
static void hear_stop(struct watch *watch) {
  signal_command(watch, SIGSTOP);
  stop_self();
  signal_command(watch, SIGCONT);
}

void hear_signal(struct watch *watch) {
  struct signalfd_siginfo info;
  while (read(watch->signal_fd, &info, sizeof info) == (ssize_t)sizeof info) {
    if (info.ssi_signo == SIGCHLD) hear_child(watch);
    else if (info.ssi_signo == SIGCONT) hear_continue(watch);
    else if (is_adopted() && info.ssi_signo == SIGTSTP) hear_stop(watch);
    else if (is_adopted() ? is_passed_on(info.ssi_signo) : info.ssi_signo != SIGPIPE && (pid_t)info.ssi_pid == watch->supervisor) signal_command(watch, info.ssi_signo);
  }
}

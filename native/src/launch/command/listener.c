/* The seccomp listener appears in the process that installs the filter. Until then, the command shares its descriptors
 * with init, so that no descriptor has to be fetched from a process, which containers and ptrace_scope forbid. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "listener.h"
#include "../../kernel.h"
#include "../confine/filter.h"
#include "../plan/bytes.h"
#include "../plan/plan.h"
#include "../report/control.h"
#include "../report/fail.h"
#include "../report/report.h"

struct channel open_channel(const struct plan *plan) {
  int ends[2] = {-1, -1};
  if (plan->notify != NOTIFY_NONE && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) fail("socketpair", "", errno);
  return (struct channel){ends[0], ends[1]};
}

pid_t fork_command(const struct plan *plan) {
  if (plan->notify == NOTIFY_NONE) return fork();
  return (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);
}

/* A signal that arrives while a call is judged would restart the call, over and over if a runtime sends many signals
 * (Go). */
static int install_listener(const struct plan *plan) {
  const unsigned new_listener = 1u << 3, wait_killable = 1u << 5;
  struct bytes program = {plan->notify_filter, plan->notify_length * 8};
  long listener = install_filter(new_listener | wait_killable, program);
  return (int)(listener < 0 && errno == EINVAL ? install_filter(new_listener, program) : listener);
}

/* EBUSY: the launcher itself runs under a listener, and the kernel allows no second one. */
void hand_over_listener(const struct plan *plan, struct channel channel) {
  no_new_privileges();
  int listener = install_listener(plan);
  if (listener < 0) fail("install listener", "", errno);
  /* Closes no descriptor. The filters of container engines forbid `unshare`, even of descriptors. */
  if (syscall(SYS_close_range, ~0u, ~0u, 1u << 1 /* CLOSE_RANGE_UNSHARE */)) fail("keep descriptors back", "", errno);
  close(channel.init);
  char go;
  if (send(channel.command, &listener, sizeof listener, MSG_NOSIGNAL) != sizeof listener || recv(channel.command, &go, 1, 0) != 1) _exit(EXIT_HOLDFAST);
  if (!waits_confined(plan)) close(channel.command);
  close(listener);
}

int take_listener(struct channel *channel) {
  int listener;
  close(channel->command);
  if (recv(channel->init, &listener, sizeof listener, 0) != sizeof listener) _exit(EXIT_HOLDFAST);
  /* Serves the stopped caller on its own processor: 5 us instead of 40. Not available before Linux 6.6. */
  ioctl(listener, K_NOTIFY_SET_FLAGS, K_NOTIFY_SYNC_WAKE_UP);
  return listener;
}

void send_listener(int listener) {
  if (!report_descriptor(R_LISTENER, listener)) fail("hand over listener", "", errno);
  close(listener);
}

void let_begin(struct channel *channel) {
  if (channel->init < 0) return;
  send(channel->init, "g", 1, MSG_NOSIGNAL);
  close(channel->init);
  channel->init = -1;
}

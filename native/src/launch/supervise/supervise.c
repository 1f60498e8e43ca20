/* outer: waits for the box, relays messages, and makes sure that no process of the box outlives the supervisor. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "supervise.h"
#include "../box/box.h"
#include "../box/descendants.h"
#include "../plan/plan.h"
#include "../report/control.h"
#include "../report/descriptors.h"
#include "../report/fail.h"
#include "../report/report.h"
#include "adopted.h"
#include "keep-covered.h"
#include "orders.h"
#include "signals.h"
#include "watch.h"

static void hear_init(struct watch *watch) {
  uint8_t frame[8192];
  int descriptor;
  ssize_t length = receive_with_fd(watch->box->status, &descriptor, frame, sizeof frame, MSG_DONTWAIT);
  /* If init did not read an order, this error is returned once, before init's own messages, which say how the command
   * ended. */
  if (length < 0 && errno == ECONNRESET) length = receive_with_fd(watch->box->status, &descriptor, frame, sizeof frame, MSG_DONTWAIT);
  if (length < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (length < 5) {
    close(watch->box->status);
    watch->box->status = -1;
    watch->deadline = UINT64_MAX;
    return;
  }
  switch (frame[4]) {
    case R_STOPPED:
      return stop_job(watch);
    case R_EXIT:
      memcpy(&watch->status, frame + 5, 4);
      memcpy(&watch->signal, frame + 9, 4);
      watch->reported = true;
      return;
    case R_STARTED:
      watch->started = true;
      memcpy(frame + 9, &watch->box->init, 4);
      break;
    case R_FAILED:
      watch->failed = true;
      break;
    case R_LENT:
      return take_lent(watch, descriptor);
    case R_LISTENER:
      watch->listener = descriptor;
      return report(R_LISTENER, &descriptor, sizeof descriptor);
  }
  report(frame[4], frame + 5, (size_t)length - 5);
}

static void keep_time(struct watch *watch) {
  if (now_ms() < watch->deadline) return;
  if (watch->terminated) {
    bool was_ending = watch->ending;
    kill_box(watch);
    if (was_ending || !watch->ending) watch->deadline = UINT64_MAX;
    return;
  }
  report(R_TIMEOUT, "", 0);
  signal_command(watch, SIGTERM);
  watch->terminated = true;
  watch->deadline = now_ms() + watch->plan->limit[L_GRACE_MS];
}

static int poll_timeout(const struct watch *watch) {
  uint64_t next = watch->keeping.due < watch->deadline ? watch->keeping.due : watch->deadline, now = now_ms();
  if (next == UINT64_MAX) return -1;
  return next <= now ? 0 : next - now > 60000 ? 60000 : (int)(next - now);
}

static void wait_for_events(struct watch *watch) {
  bool pending = watch->relay.pending_length > 0;
  struct pollfd fds[] = {
      {watch->supervisor_gone || watch->dismissed ? -1 : CONTROL_FD, POLLIN, 0},
      {watch->signal_fd, POLLIN, 0},
      {watch->box->status, POLLIN, 0},
      {pending ? -1 : watch->relay.tap.from, POLLIN, 0},
      {pending ? watch->relay.tap.to : -1, POLLOUT, 0},
      {watch->supervisor_gone ? -1 : adopter_end(), POLLIN, 0},
      {handles_end(), POLLIN, 0},
      {watch->keeping.said, POLLIN, 0},
  };
  if (poll(fds, 8, poll_timeout(watch)) < 0) return;
  if (fds[0].revents) hear_supervisor(watch);
  if (fds[1].revents) hear_signal(watch);
  if (fds[2].revents) hear_init(watch);
  if (fds[3].revents) relay_in(&watch->relay);
  if (fds[4].revents) relay_out(&watch->relay);
  if (fds[5].revents) lose_supervisor(watch);
  if (fds[6].revents) hear_handles();
  if (fds[7].revents) hear_warden(watch);
  keep_covered(watch);
  keep_time(watch);
}

/* After its last report, without waiting: the supervisor may end meanwhile, and PID 1 may be stopped. */
static void collect(struct watch *watch) {
  int state;
  pid_t gone = waitpid(watch->box->init, &state, WNOHANG);
  if (gone == 0 || (gone < 0 && errno == EINTR)) return;
  if (gone > 0 && watch->plan->helper.count && !watch->started && !watch->failed && WIFEXITED(state)) {
    report_failure("bubblewrap", "", 0); /* it has reported the reason on its stderr */
    watch->failed = true;
  }
  if (!watch->reported && !watch->failed) {
    watch->signal = gone > 0 && WIFSIGNALED(state) ? (uint32_t)WTERMSIG(state) : SIGKILL;
    watch->reported = true;
  }
  if (watch->plan->helper.count) kill_children();
  watch->box->init = 0; /* its number may belong to another process from now on */
}

struct outcome supervise(struct plan *plan, struct box *box, struct sweep_roots roots, struct handover_ends ends) {
  struct watch *watch = calloc(1, sizeof *watch);
  if (!watch) fail("memory", "", ENOMEM);
  sigset_t all;
  sigfillset(&all);
  *watch = (struct watch){.plan = plan, .box = box, .roots = roots, .relay.tap = ends.tap, .terminal = ends.terminal, .supervisor = ends.supervisor, .listener = -1, .command = -1, .deadline = UINT64_MAX, .keeping = {.said = -1, .due = UINT64_MAX}};
  watch->signal_fd = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
  if (!plan->warm && plan->notify != NOTIFY_SUPERVISOR) start_clock(watch);
  while (box->init > 0) {
    wait_for_events(watch);
    if (box->status < 0) collect(watch);
  }
  if (plan->plain) end_descendants(); /* an orphaned process holds the other end of the tap */
  while (ends.tap.from >= 0 && (watch->relay.tap.from >= 0 || watch->relay.pending_length) && !watch->supervisor_gone) wait_for_events(watch);
  if (watch->relay.tail_length) report(R_TAIL, watch->relay.tail, watch->relay.tail_length);
  end_warden(watch);
  struct outcome outcome = {watch->failed, watch->supervisor_gone, watch->status, watch->signal};
  free(watch);
  return outcome;
}

/* Starts the warden, relays its messages, and ends the box after it, because no other process would cover uncovered
 * paths again. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "keep-covered.h"
#include "../plan/plan.h"
#include "../report/control.h"
#include "../report/fail.h"
#include "../report/report.h"
#include "../warden/warden.h"
#include "adopted.h"
#include "watch.h"

/* Milliseconds after the command. Most commands have ended by then, and cost no warden. The warden first checks
 * everything. */
#define WARDEN_AFTER 5

void take_lent(struct watch *watch, int descriptor) {
  struct keeping *keeping = &watch->keeping;
  if (keeping->count < 3) keeping->lent[keeping->count++] = descriptor;
  if (keeping->count == 3) keeping->due = now_ms() + WARDEN_AFTER;
}

static void close_lent(struct keeping *keeping) {
  for (unsigned i = 0; i < keeping->count; i++) close(keeping->lent[i]);
  keeping->count = 0;
  keeping->due = UINT64_MAX;
}

/* Whether the box still needs one. */
static bool goes_on(const struct watch *watch) {
  siginfo_t gone = {0};
  if (watch->box->status < 0 || watch->box->init <= 0 || watch->reported || watch->failed) return false;
  return waitid(P_PID, (id_t)watch->box->init, &gone, WEXITED | WNOHANG | WNOWAIT) == 0 && gone.si_pid == 0;
}

static void give_up(struct watch *watch, int error) {
  if (!goes_on(watch)) return;
  report_failure("watch covered files", "", error);
  watch->failed = true;
  kill_box(watch);
}

static bool is_needed(const struct watch *watch, int fd) {
  bool needed = false;
  for (unsigned i = 0; i < watch->keeping.count; i++) needed |= watch->keeping.lent[i] == fd;
  for (size_t i = 0; i < watch->plan->roots.count; i++) needed |= watch->roots.fds[i] == fd;
  return needed;
}

/* If a process waits for the end of outer's descriptors, no other process may keep them open. */
static void leave_outer(const struct watch *watch) {
  const int others[] = {watch->box->status, watch->signal_fd, watch->listener, watch->terminal, watch->relay.tap.from, watch->relay.tap.to, adopter_end(), handles_end()};
  for (int fd = 0; fd <= HANDLES_FD; fd++)
    if (!is_needed(watch, fd)) close(fd);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (others[i] > HANDLES_FD) close(others[i]);
}

static void start_warden(struct watch *watch) {
  struct keeping *keeping = &watch->keeping;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) return give_up(watch, errno);
  keeping->warden = fork();
  if (keeping->warden == 0) {
    undo_on_failure((struct undo){0});
    report_to(ends[1] = fcntl(ends[1], F_DUPFD_CLOEXEC, HANDLES_FD + 1));
    close(ends[0]);
    leave_outer(watch);
    run_warden(watch->plan, (struct warded){watch->roots.fds, watch->roots.before, keeping->lent[0], keeping->lent[1], keeping->lent[2], ends[1]});
  }
  close(ends[1]);
  keeping->said = ends[0];
  if (keeping->warden < 0) give_up(watch, errno);
  close_lent(keeping);
}

void keep_covered(struct watch *watch) {
  if (now_ms() < watch->keeping.due) return;
  if (goes_on(watch)) start_warden(watch);
  else close_lent(&watch->keeping);
}

void hear_warden(struct watch *watch) {
  uint8_t frame[8192 + 512];
  ssize_t length = recv(watch->keeping.said, frame, sizeof frame, MSG_DONTWAIT);
  if (length < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (length < 5) {
    close(watch->keeping.said);
    watch->keeping.said = -1;
    return give_up(watch, ECHILD);
  }
  if (frame[4] != R_FAILED || goes_on(watch)) report(frame[4], frame + 5, (size_t)length - 5);
  if (frame[4] != R_FAILED || !goes_on(watch)) return;
  watch->failed = true;
  kill_box(watch);
}

void end_warden(struct watch *watch) {
  struct keeping *keeping = &watch->keeping;
  close_lent(keeping);
  if (keeping->said >= 0) close(keeping->said);
  if (keeping->warden <= 0) return;
  kill(keeping->warden, SIGKILL);
  while (waitpid(keeping->warden, NULL, 0) < 0 && errno == EINTR) {}
}

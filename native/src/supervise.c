/* outer: waits for the box, relays what it must, and makes sure that nothing of the box outlives the supervisor. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "launch.h"

#define TAIL_SIZE 65536

struct watch {
  struct plan *plan;
  struct box *box;
  struct sweep_roots roots;
  struct tap tap;
  int terminal, signal_fd;
  pid_t supervisor;
  uint64_t deadline; /* of SIGTERM, then of SIGKILL */
  bool terminated, failed, supervisor_gone, reported;
  uint32_t status, signal;
  uint8_t pending[4096];
  size_t pending_at, pending_length;
  uint8_t tail[TAIL_SIZE];
  size_t tail_length;
};

static uint64_t now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static void remember(struct watch *watch, const uint8_t *bytes, size_t length) {
  size_t keep = TAIL_SIZE - length;
  if (watch->tail_length > keep) {
    memmove(watch->tail, watch->tail + watch->tail_length - keep, keep);
    watch->tail_length = keep;
  }
  memcpy(watch->tail + watch->tail_length, bytes, length);
  watch->tail_length += length;
}

/* Reads only when all of the last read is written, and at most PIPE_BUF, so that outer never blocks on a slow reader. */
static void relay_in(struct watch *watch) {
  ssize_t got = read(watch->tap.from, watch->pending, sizeof watch->pending);
  if (got <= 0) {
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    close(watch->tap.from);
    watch->tap.from = -1;
    return;
  }
  watch->pending_at = 0;
  watch->pending_length = (size_t)got;
  remember(watch, watch->pending, (size_t)got);
}

static void relay_out(struct watch *watch) {
  ssize_t put = write(watch->tap.to, watch->pending + watch->pending_at, watch->pending_length - watch->pending_at);
  if (put < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (put < 0) put = (ssize_t)(watch->pending_length - watch->pending_at); /* nobody reads: like a closed stderr */
  watch->pending_at += (size_t)put;
  if (watch->pending_at == watch->pending_length) watch->pending_length = 0;
}

/* The command stopped (Ctrl-Z): stop the whole job as a shell expects, and continue the command when the job is continued. */
static void stop_job(struct watch *watch) {
  if (watch->terminal < 0) return;
  restore_terminal(watch->terminal);
  kill(0, SIGTSTP);
  raise(SIGSTOP);
  bool foreground = tcgetpgrp(watch->terminal) == getpgrp();
  send(watch->box->status, foreground ? "c" : "b", 1, MSG_NOSIGNAL);
}

static void hear_init(struct watch *watch) {
  uint8_t frame[8192];
  ssize_t length = recv(watch->box->status, frame, sizeof frame, MSG_DONTWAIT);
  if (length < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (length < 5) {
    close(watch->box->status);
    watch->box->status = -1;
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
      memcpy(frame + 9, &watch->box->init, 4);
      break;
    case R_FAILED:
      watch->failed = true;
  }
  report(frame[4], frame + 5, (size_t)length - 5);
}

static void signal_command(struct watch *watch, uint32_t number) {
  uint8_t order[2] = {'s', (uint8_t)number};
  if (watch->box->status >= 0) send(watch->box->status, order, sizeof order, MSG_NOSIGNAL);
}

static void hear_signal(struct watch *watch) {
  struct signalfd_siginfo info;
  while (read(watch->signal_fd, &info, sizeof info) == (ssize_t)sizeof info)
    if (info.ssi_signo != SIGCHLD && info.ssi_signo != SIGPIPE && (pid_t)info.ssi_pid == watch->supervisor) signal_command(watch, info.ssi_signo);
}

static void start_clock(struct watch *watch) {
  if (watch->plan->limit[L_WALL_MS] != UINT64_MAX) watch->deadline = now_ms() + watch->plan->limit[L_WALL_MS];
}

/* `k` from the supervisor ends the box, `r` brings the command of a warm one; the end of its stream is its death. */
static void hear_supervisor(struct watch *watch) {
  char byte;
  ssize_t got = recv(CONTROL_FD, &byte, 1, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got == 1 && byte == 'r' && watch->plan->warm) {
    watch->plan->warm = false; /* one command for each box */
    hand_over_command(watch->plan, watch->roots, watch->box->status);
    start_clock(watch);
    return;
  }
  watch->supervisor_gone = got != 1;
  kill(watch->box->init, SIGKILL);
}

static void keep_time(struct watch *watch) {
  if (now_ms() < watch->deadline) return;
  if (watch->terminated) {
    kill(watch->box->init, SIGKILL);
    watch->deadline = UINT64_MAX;
    return;
  }
  report(R_TIMEOUT, "", 0);
  signal_command(watch, SIGTERM);
  watch->terminated = true;
  watch->deadline = now_ms() + watch->plan->limit[L_GRACE_MS];
}

static int poll_timeout(const struct watch *watch) {
  if (watch->deadline == UINT64_MAX) return -1;
  uint64_t now = now_ms();
  return watch->deadline <= now ? 0 : watch->deadline - now > 60000 ? 60000 : (int)(watch->deadline - now);
}

static void wait_for_events(struct watch *watch) {
  bool pending = watch->pending_length > 0;
  struct pollfd fds[] = {
      {watch->supervisor_gone ? -1 : CONTROL_FD, POLLIN, 0},
      {watch->signal_fd, POLLIN, 0},
      {watch->box->status, POLLIN, 0},
      {pending ? -1 : watch->tap.from, POLLIN, 0},
      {pending ? watch->tap.to : -1, POLLOUT, 0},
  };
  if (poll(fds, 5, poll_timeout(watch)) < 0) return;
  if (fds[0].revents) hear_supervisor(watch);
  if (fds[1].revents) hear_signal(watch);
  if (fds[2].revents) hear_init(watch);
  if (fds[3].revents) relay_in(watch);
  if (fds[4].revents) relay_out(watch);
  keep_time(watch);
}

static void collect(struct watch *watch) {
  int state;
  pid_t gone;
  while ((gone = waitpid(watch->box->init, &state, 0)) < 0 && errno == EINTR) {}
  if (gone == watch->box->init && !watch->reported && !watch->failed) {
    watch->signal = WIFSIGNALED(state) ? (uint32_t)WTERMSIG(state) : SIGKILL;
    watch->reported = true;
  }
}

struct outcome supervise(struct plan *plan, struct box *box, struct sweep_roots roots, struct handover_ends ends) {
  struct watch *watch = calloc(1, sizeof *watch);
  if (!watch) fail("memory", "", ENOMEM);
  sigset_t all;
  sigfillset(&all);
  *watch = (struct watch){.plan = plan, .box = box, .roots = roots, .tap = ends.tap, .terminal = ends.terminal, .supervisor = getppid(), .deadline = UINT64_MAX};
  watch->signal_fd = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
  if (!plan->warm) start_clock(watch);
  while (box->status >= 0) wait_for_events(watch);
  watch->deadline = UINT64_MAX;
  collect(watch);
  while (ends.tap.from >= 0 && (watch->tap.from >= 0 || watch->pending_length) && !watch->supervisor_gone) wait_for_events(watch);
  if (watch->tail_length) report(R_TAIL, watch->tail, watch->tail_length);
  struct outcome outcome = {watch->failed, watch->supervisor_gone, watch->status, watch->signal};
  free(watch);
  return outcome;
}

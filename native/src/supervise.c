/* outer: waits for the box, relays what it must, and makes sure that nothing of the box outlives the supervisor. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "kernel.h"
#include "launch.h"

#define TAIL_SIZE 65536
/* Milliseconds in which the keeper of a box without namespaces has to have ended it. */
#define KEEPER_PATIENCE 5000

struct watch {
  struct plan *plan;
  struct box *box;
  struct sweep_roots roots;
  struct tap tap;
  int terminal, signal_fd, listener; /* the seccomp listener, until the supervisor has it */
  int command;                       /* that of a warm box, until the supervisor knows of what was found */
  pid_t supervisor;
  uint64_t deadline; /* of SIGTERM, then of SIGKILL */
  bool stopped, terminated, ending, failed, supervisor_gone, reported, started, dismissed;
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

/* Whoever reads our stderr is gone: writers in the box meet the same end of a pipe as without us, instead of writing for ever. */
static void close_tap(struct watch *watch) {
  if (watch->tap.from >= 0) close(watch->tap.from);
  watch->tap.from = -1;
}

/* Reads only when all of the last read is written, and at most PIPE_BUF, so that outer never blocks on a slow reader. */
static void relay_in(struct watch *watch) {
  ssize_t got = read(watch->tap.from, watch->pending, sizeof watch->pending);
  if (got <= 0) {
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    close_tap(watch);
    return;
  }
  watch->pending_at = 0;
  watch->pending_length = (size_t)got;
  remember(watch, watch->pending, (size_t)got);
}

/* Another writer may have filled the pipe since poll, and its reader may be stopped. */
static ssize_t write_now(int fd, void *bytes, size_t length) {
  ssize_t put = send(fd, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (put >= 0 || errno != ENOTSOCK) return put;
  struct stat st;
  struct iovec part = {bytes, length};
  if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode)) put = syscall(SYS_pwritev2, fd, &part, 1, -1l, -1l, K_RWF_NOWAIT);
  return put >= 0 || (errno != ENOTSOCK && errno != EOPNOTSUPP) ? put : write(fd, bytes, length);
}

static void relay_out(struct watch *watch) {
  ssize_t put = write_now(watch->tap.to, watch->pending + watch->pending_at, watch->pending_length - watch->pending_at);
  if (put < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (put < 0 && (errno == EPIPE || errno == ECONNRESET)) close_tap(watch);
  if (put < 0) put = (ssize_t)(watch->pending_length - watch->pending_at); /* nobody reads: like a closed stderr */
  watch->pending_at += (size_t)put;
  if (watch->pending_at == watch->pending_length) watch->pending_length = 0;
}

/* An init that is stopped reads no orders, and must not stop outer. */
static void order(const struct watch *watch, const uint8_t *bytes, size_t length) {
  if (watch->box->status >= 0) send(watch->box->status, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* The command stopped (Ctrl-Z): stop the whole job as a shell expects, and continue the command when the job is continued.
 * All signals are blocked here, so outer itself goes on: stopped, it would outlive a supervisor that is killed. */
static void stop_job(struct watch *watch) {
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

static void hear_init(struct watch *watch) {
  uint8_t frame[8192];
  int descriptor;
  ssize_t length = receive_with_fd(watch->box->status, &descriptor, frame, sizeof frame, MSG_DONTWAIT);
  /* An order that init has not read any more comes back so, once, and before what init has said: how the command ended. */
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
    case R_LISTENER:
      watch->listener = descriptor;
      return report(R_LISTENER, &descriptor, sizeof descriptor);
  }
  report(frame[4], frame + 5, (size_t)length - 5);
}

static void signal_command(struct watch *watch, uint32_t number) {
  uint8_t bytes[2] = {'s', (uint8_t)number};
  order(watch, bytes, sizeof bytes);
}

/* What a helper that has ended left behind: its PID 1 is now a child of this process, and nothing else is. */
static void hear_child(const struct watch *watch) {
  siginfo_t gone = {0};
  if (watch->plan->helper.count && waitid(P_PID, (id_t)watch->box->init, &gone, WEXITED | WNOHANG | WNOWAIT) == 0 && gone.si_pid) kill_children();
}

/* The keeper of a box without namespaces ends the rest at once when it hears no more of us: killed, it would leave that to a chase. */
static bool may_end_itself(struct watch *watch) {
  if (!watch->plan->plain || watch->box->status < 0) return false;
  if (watch->ending) return now_ms() < watch->deadline;
  shutdown(watch->box->status, SHUT_WR);
  kill(watch->box->init, SIGCONT);
  watch->ending = watch->terminated = true;
  watch->deadline = now_ms() + KEEPER_PATIENCE;
  return true;
}

static void kill_box(struct watch *watch) {
  if (watch->box->init > 0 && !may_end_itself(watch)) kill(watch->box->init, SIGKILL);
}

static void lose_supervisor(struct watch *watch) {
  watch->supervisor_gone = true;
  kill_box(watch);
}

/* Of the job, or of the kernel when the supervisor has ended: a process that it was just starting may keep its stream open. */
static void hear_continue(struct watch *watch) {
  if (!is_adopted() && getppid() != watch->supervisor) lose_supervisor(watch);
  else continue_job(watch);
}

/* Without a supervisor between, Ctrl-Z of a job whose command has no terminal stops this process; the command stops with it. */
static void hear_stop(struct watch *watch) {
  signal_command(watch, SIGSTOP);
  stop_self();
  signal_command(watch, SIGCONT);
}

static void hear_signal(struct watch *watch) {
  struct signalfd_siginfo info;
  while (read(watch->signal_fd, &info, sizeof info) == (ssize_t)sizeof info) {
    if (info.ssi_signo == SIGCHLD) hear_child(watch);
    else if (info.ssi_signo == SIGCONT) hear_continue(watch);
    else if (is_adopted() && info.ssi_signo == SIGTSTP) hear_stop(watch);
    else if (is_adopted() ? is_passed_on(info.ssi_signo) : info.ssi_signo != SIGPIPE && (pid_t)info.ssi_pid == watch->supervisor) signal_command(watch, info.ssi_signo);
  }
}

static void start_clock(struct watch *watch) {
  if (watch->plan->limit[L_WALL_MS] != UINT64_MAX) watch->deadline = now_ms() + watch->plan->limit[L_WALL_MS];
}

/* `p`, u16 port, u32 id: init makes the connection, which outer cannot. */
static void forward(struct watch *watch) {
  uint8_t order[7] = {'p'};
  receive(order + 1, sizeof order - 1);
  if (watch->box->status >= 0) send(watch->box->status, order, sizeof order, MSG_NOSIGNAL);
}

/* `s`, u8 number: from a supervisor that is not the parent, and whose own signals could be anybody's. */
static void pass_signal(struct watch *watch) {
  uint8_t number;
  receive(&number, 1);
  signal_command(watch, number);
}

/* The supervisor has the listener: the command may begin. */
static void let_serve(struct watch *watch) {
  close(watch->listener);
  watch->listener = -1;
  if (!watch->plan->warm) start_clock(watch); /* the time until somebody answers its calls is not the command's */
  order(watch, (const uint8_t *)"n", 1);
}

static void bring(struct watch *watch) {
  hand_over_command(watch->box->status, watch->command);
  watch->command = -1;
  start_clock(watch);
}

/* One command for each box. Where no mount holds what is new, the supervisor has to know of it first: it may be serving the listener already. */
static void hear_command(struct watch *watch) {
  struct brought brought = take_command(watch->plan, watch->roots);
  bool waits = waits_confined(watch->plan) && brought.found > 0;
  watch->plan->warm = false;
  watch->command = brought.memory;
  if (waits) report(R_FOUND, "", 0);
  else bring(watch);
}

/* `k` from the supervisor ends the box, `r` brings the command of a warm one, `g` lets one that is held begin, `n` says that its listener is served, `f` that
 * what was found is known, `s` sends the command a signal; the end of its stream is its death. */
static void hear_supervisor(struct watch *watch) {
  char byte;
  ssize_t got = recv(CONTROL_FD, &byte, 1, MSG_DONTWAIT | (is_adopted() ? MSG_PEEK : 0));
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  /* Last words before the end: the command was not let begin. They are text, not orders, and are read when the box is over. */
  if (is_adopted() && got == 1 && (byte == 'w' || byte == 'x')) {
    watch->dismissed = true;
    return kill_box(watch);
  }
  if (is_adopted() && got == 1) recv(CONTROL_FD, &byte, 1, MSG_DONTWAIT);
  if (got == 1 && byte == 'r' && watch->plan->warm) return hear_command(watch);
  if (got == 1 && byte == 'f' && watch->command >= 0) return bring(watch);
  if (got == 1 && byte == 'g' && watch->plan->held) {
    watch->plan->held = false;
    return order(watch, (const uint8_t *)"g", 1);
  }
  if (got == 1 && byte == 'n' && watch->listener >= 0) return let_serve(watch);
  if (got == 1 && byte == 'p' && watch->plan->forwards) return forward(watch);
  if (got == 1 && byte == 's') return pass_signal(watch);
  if (got == 1 && byte == 'h' && is_adopted()) return drop_handle();
  if (got == 1) kill_box(watch);
  else lose_supervisor(watch);
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
  if (watch->deadline == UINT64_MAX) return -1;
  uint64_t now = now_ms();
  return watch->deadline <= now ? 0 : watch->deadline - now > 60000 ? 60000 : (int)(watch->deadline - now);
}

static void wait_for_events(struct watch *watch) {
  bool pending = watch->pending_length > 0;
  struct pollfd fds[] = {
      {watch->supervisor_gone || watch->dismissed ? -1 : CONTROL_FD, POLLIN, 0},
      {watch->signal_fd, POLLIN, 0},
      {watch->box->status, POLLIN, 0},
      {pending ? -1 : watch->tap.from, POLLIN, 0},
      {pending ? watch->tap.to : -1, POLLOUT, 0},
      {watch->supervisor_gone ? -1 : adopter_end(), POLLIN, 0},
      {handles_end(), POLLIN, 0},
  };
  if (poll(fds, 7, poll_timeout(watch)) < 0) return;
  if (fds[0].revents) hear_supervisor(watch);
  if (fds[1].revents) hear_signal(watch);
  if (fds[2].revents) hear_init(watch);
  if (fds[3].revents) relay_in(watch);
  if (fds[4].revents) relay_out(watch);
  if (fds[5].revents) lose_supervisor(watch);
  if (fds[6].revents) hear_handles();
  keep_time(watch);
}

/* After its last report, and without waiting: the supervisor may go meanwhile, and PID 1 may be stopped. */
static void collect(struct watch *watch) {
  int state;
  pid_t gone = waitpid(watch->box->init, &state, WNOHANG);
  if (gone == 0 || (gone < 0 && errno == EINTR)) return;
  if (gone > 0 && watch->plan->helper.count && !watch->started && !watch->failed && WIFEXITED(state)) {
    report_failure("bubblewrap", "", 0); /* it has said why, on its stderr */
    watch->failed = true;
  }
  if (!watch->reported && !watch->failed) {
    watch->signal = gone > 0 && WIFSIGNALED(state) ? (uint32_t)WTERMSIG(state) : SIGKILL;
    watch->reported = true;
  }
  if (watch->plan->helper.count) kill_children();
  watch->box->init = 0; /* its number may be another's from now on */
}

struct outcome supervise(struct plan *plan, struct box *box, struct sweep_roots roots, struct handover_ends ends) {
  struct watch *watch = calloc(1, sizeof *watch);
  if (!watch) fail("memory", "", ENOMEM);
  sigset_t all;
  sigfillset(&all);
  *watch = (struct watch){.plan = plan, .box = box, .roots = roots, .tap = ends.tap, .terminal = ends.terminal, .supervisor = ends.supervisor, .listener = -1, .command = -1, .deadline = UINT64_MAX};
  watch->signal_fd = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
  if (!plan->warm && plan->notify != NOTIFY_SUPERVISOR) start_clock(watch);
  while (box->init > 0) {
    wait_for_events(watch);
    if (box->status < 0) collect(watch);
  }
  if (plan->plain) end_descendants(); /* who was orphaned holds the other end of the tap */
  while (ends.tap.from >= 0 && (watch->tap.from >= 0 || watch->pending_length) && !watch->supervisor_gone) wait_for_events(watch);
  if (watch->tail_length) report(R_TAIL, watch->tail, watch->tail_length);
  struct outcome outcome = {watch->failed, watch->supervisor_gone, watch->status, watch->signal};
  free(watch);
  return outcome;
}

/* If no supervisor answers, Node serves this run as a child of this process. Node plans the box, and this process
 * becomes its launcher, as with a supervisor. Node then needs no module for starting processes, and no process waits
 * for Node's end. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "served.h"
#include "become.h"
#include "node.h"
#include "place.h"
#include "reply.h"
#include "status.h"

/* Options for which Node starts the box itself: they stage writes, read the output, bring files of phantoms, or build another
 * kind of box. */
static const char *const own_starts[] = {"--staged", "--into", "--show", "--backend", "--phantoms", "--help", "-h"};

int wants_box(char **words) {
  for (; *words != NULL && strcmp(*words, "--") != 0; words++)
    for (size_t i = 0; i < sizeof own_starts / sizeof *own_starts; i++)
      if (strncmp(*words, own_starts[i], strlen(own_starts[i])) == 0) return 0;
  return *words != NULL;
}

/* Signals that the command may have to receive. While Node plans, they go to Node, which decides whether to give up or
 * to pass them on. */
static sigset_t caught_signals(void) {
  static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) sigaddset(&set, caught[i]);
  return set;
}

/* Signals of the terminal reach Node directly. */
static void hand_on(int signals, pid_t node) {
  struct signalfd_siginfo info;
  if (read(signals, &info, sizeof info) == (ssize_t)sizeof info && info.ssi_code != SI_KERNEL) kill(node, (int)info.ssi_signo);
}

/* Signals that arrive after the answer stay pending for the launcher. Returns false at the end of the stream. */
static int receive_served(int server, int signals, pid_t node, void *bytes, size_t length) {
  for (char *at = bytes; length > 0;) {
    struct pollfd events[] = {{server, POLLIN, 0}, {signals, POLLIN, 0}};
    if (poll(events, 2, -1) < 0 && errno != EINTR) return 0;
    if (events[0].revents == 0) {
      if (events[1].revents != 0) hand_on(signals, node);
      continue;
    }
    ssize_t got = recv(server, at, length, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return 0;
    at += got;
    length -= (size_t)got;
  }
  return 1;
}

static int state_of(pid_t node) {
  int state = 0;
  while (waitpid(node, &state, 0) < 0 && errno == EINTR) {}
  return state;
}

/* Ends in the same way as Node, which has ended without an answer. */
static _Noreturn void end_like(pid_t node) {
  int state = state_of(node);
  if (WIFSIGNALED(state)) {
    sigset_t none;
    sigemptyset(&none);
    signal(WTERMSIG(state), SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    raise(WTERMSIG(state));
  }
  _exit(WIFEXITED(state) ? WEXITSTATUS(state) : FAILED);
}

/* Lets Node notice that this process has ended, so that it does not go on asking for an approval. Once there is a box,
 * Node keeps running, and records how the box ended. */
static void hear_end_of(pid_t front) {
  if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || getppid() != front) _exit(FAILED);
}

static _Noreturn void serve(const struct place *place, char **words, enum asked asked, int server) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  int placed = server == SUPERVISOR_FD ? fcntl(server, F_SETFD, 0) : dup3(server, SUPERVISOR_FD, 0);
  if (placed < 0 || syscall(SYS_close_range, SUPERVISOR_FD + 1, ~0u, 0) != 0) _exit(FAILED);
  run_node(place, words, asked == NOBODY ? SERVES_NOBODY : SERVES_COLD);
}

/* Returns if Node has to do the run itself after all. */
void run_served(const struct place *place, char **words, enum asked asked) {
  int ends[2];
  sigset_t caught = caught_signals(), before;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  sigprocmask(SIG_BLOCK, &caught, &before);
  int signals = signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
  pid_t front = getpid(), node = signals < 0 ? -1 : fork();
  if (node == 0) {
    hear_end_of(front);
    serve(place, words, asked, ends[1]);
  }
  close(ends[1]);
  uint8_t head[REPLY_HEAD], status = FAILED;
  struct reply_head reply = {REPLY_COLD, 0, 0};
  if (node > 0) {
    if (!receive_served(ends[0], signals, node, head, sizeof head)) end_like(node);
    reply = read_reply_head(head);
  }
  if (reply.kind == REPLY_BOX && reply.length == 0) become_launcher(place, ends[0], node);
  if (reply.kind == REPLY_SAID && reply.length == 0 && receive_served(ends[0], signals, node, &status, 1)) {
    state_of(node);
    _exit(status);
  }
  if (node > 0) state_of(node);
  if (reply.kind != REPLY_COLD) _exit(FAILED);
  close(ends[0]);
  close(signals);
  sigprocmask(SIG_SETMASK, &before, NULL);
}

/* PID 1 of the box, or the keeper of a box without namespaces: starts the command, follows outer's orders, passes on
 * signals, and reaps. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "house.h"
#include "../command/await.h"
#include "../command/command.h"
#include "../command/listener.h"
#include "../command/search.h"
#include "../confine/capabilities.h"
#include "../confine/landlock.h"
#include "../guard/guard.h"
#include "../guard/sockets.h"
#include "../network/port-forward.h"
#include "../plan/plan.h"
#include "../report/control.h"
#include "../report/descriptors.h"
#include "../report/fail.h"
#include "../report/report.h"
#include "../root/masks.h"

/* Milliseconds for the supervisor to take the listener. If the supervisor ends, this is noticed at once. The limit is
 * for one that hangs, not for a busy machine. */
#define LISTENER_PATIENCE 20000

struct house {
  const struct plan *plan;
  pid_t command;
  int status, listener;
  struct handover hand;
  struct channel channel; /* to a command that may not begin yet */
  bool waiting;           /* for the supervisor, which has the listener */
  int orders, memory;     /* to a command that is not known yet; its bytes, if they come before its listener is served. -1 */
  enum ending ending;
};

static _Noreturn void leave_house(const struct house *house, int status) {
  end_rest(house->plan, house->ending);
  _exit(status);
}

/* A command that waits for its orders gets them once its listener is served. */
static void pass_command(struct house *house, int memory) {
  house->memory = memory;
  if (house->waiting || house->orders < 0 || memory < 0) return;
  bring_command(house->plan, house->orders, memory);
  close(house->orders);
  house->orders = house->memory = -1;
}

static void begin(struct house *house) {
  house->waiting = false;
  if (!waits_confined(house->plan)) return let_begin(&house->channel);
  house->orders = house->channel.init;
  house->channel.init = -1;
  send(house->orders, "g", 1, MSG_NOSIGNAL);
  pass_command(house, house->memory);
}

/* Orders of outer: `x` and a descriptor bring the command; `p`, u16 port and u32 id connect a forward; `s` and a signal
 * number send a signal; `n`: the listener is served; `c`: continue in the foreground; `b`: in the background. If outer
 * is gone, the box ends. */
static void obey_outer(struct house *house) {
  uint8_t order[7] = {0};
  int memory;
  if (receive_with_fd(house->status, &memory, order, sizeof order, MSG_DONTWAIT) < 1) leave_house(house, EXIT_HOLDFAST);
  if (order[0] == 'x') return pass_command(house, memory);
  if (order[0] == 'p') {
    uint16_t port;
    uint32_t id;
    memcpy(&port, order + 1, 2);
    memcpy(&id, order + 3, 4);
    return connect_forward(port, id);
  }
  if (order[0] == 's') {
    /* Keyboard signals go to the whole job, as a terminal would send them. Otherwise a shell would wait for its child. */
    bool keyboard = order[1] == SIGINT || order[1] == SIGQUIT || order[1] == SIGHUP;
    kill(keyboard ? -house->command : house->command, order[1]);
    return;
  }
  if (order[0] == 'n') return begin(house);
  if (order[0] == 'c' && house->hand.terminal >= 0) tcsetpgrp(house->hand.terminal, house->command);
  kill(-house->command, SIGCONT);
}

/* True when the command itself has ended. Its exit is reported. The kernel ends everything else together with PID 1. */
static bool reap(pid_t command) {
  int state;
  pid_t child;
  while ((child = waitpid(-1, &state, WNOHANG | WUNTRACED)) > 0) {
    if (child != command) continue;
    if (WIFSTOPPED(state)) {
      report(R_STOPPED, "", 0);
      continue;
    }
    uint32_t result[2] = {WIFEXITED(state) ? (uint32_t)WEXITSTATUS(state) : 0, WIFSIGNALED(state) ? (uint32_t)WTERMSIG(state) : 0};
    report(R_EXIT, result, sizeof result);
    return true;
  }
  return false;
}

static void leave_descriptors(struct handover hand) {
  if (hand.output >= 0) close(hand.output);
  for (int fd = 0; fd <= 2; fd++) close(fd);
}

/* From now on the command has its filter and its own descriptors. */
static void meet_command(struct house *house) {
  int listener = take_listener(&house->channel);
  meet_inherited_sockets();
  leave_descriptors(house->hand);
  if (house->plan->notify == NOTIFY_SUPERVISOR) {
    send_listener(listener);
    house->waiting = true;
    return;
  }
  guard_begin(house->plan, house->command);
  /* A thread that has no other work need not check for work, which saves a third of a microsecond for each call. */
  house->listener = guard_apart(listener) ? -1 : listener;
  let_begin(&house->channel);
}

static _Noreturn void keep_house(struct house *house) {
  sigset_t child_ended;
  sigemptyset(&child_ended);
  sigaddset(&child_ended, SIGCHLD);
  int signal_fd = signalfd(-1, &child_ended, SFD_CLOEXEC | SFD_NONBLOCK);
  while (!reap(house->command)) {
    struct pollfd fds[] = {{house->listener, POLLIN, 0}, {signal_fd, POLLIN, 0}, {house->status, POLLIN, 0}, {house->waiting ? -1 : house->channel.init, POLLIN, 0}};
    do {
      if (poll(fds, 4, house->waiting ? LISTENER_PATIENCE : -1) < 0 && errno != EINTR) leave_house(house, EXIT_HOLDFAST);
      /* Without POLLIN, no process has the filter any more: the command is ending, and more polling would use its
       * processor time. */
      if (fds[0].revents && (!(fds[0].revents & POLLIN) || !guard_serve(house->listener))) fds[0].fd = house->listener = -1;
    } while (!fds[1].revents && !fds[2].revents && !fds[3].revents && !house->waiting);
    if (house->waiting && !fds[1].revents && !fds[2].revents) fail("hand over listener", "", ETIMEDOUT);
    if (fds[2].revents) obey_outer(house);
    if (fds[3].revents) meet_command(house);
    struct signalfd_siginfo child;
    while (read(signal_fd, &child, sizeof child) > 0) {}
  }
  leave_house(house, 0);
}

/* With `command < directory`, every path through that directory would bypass the mounts that protect and hide names in
 * the workspace. */
static void replace_directories(void) {
  for (int fd = 0; fd <= 2; fd++) {
    struct stat st;
    if (fstat(fd, &st) || !S_ISDIR(st.st_mode)) continue;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || dup2(null, fd) < 0) fail("replace inherited directory", "/dev/null", errno);
  }
}

/* Sends the mounts to outer, which covers paths again that a program outside uncovers. The box cannot send them later.
 * A nested box has its own mounts. */
static void lend_mounts(const struct plan *plan) {
  if (plan->plain || plan->nests || plan->roots.count == 0) return;
  int lent[] = {open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC), open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), open(KEPT_MASKS, O_PATH | O_DIRECTORY | O_CLOEXEC)};
  for (size_t i = 0; i < sizeof lent / sizeof *lent; i++) {
    if (lent[i] < 0 || !report_descriptor(R_LENT, lent[i])) fail("lend mounts", "", errno);
    close(lent[i]);
  }
}

/* The supervisor sends `g` before anything else, once it has recorded that the command begins. */
static void wait_for_leave(int status) {
  char go;
  if (recv(status, &go, 1, 0) != 1 || go != 'g') _exit(EXIT_HOLDFAST);
}

_Noreturn void start_command(struct plan *plan, int status, struct handover hand, enum ending ending) {
  bool ahead = waits_confined(plan);
  if (plan->held) wait_for_leave(status);
  replace_directories();
  int abi = landlock_abi(), ruleset = landlock_ruleset(plan, abi, &hand);
  if (chdir(plan->cwd)) fail("enter working directory", plan->cwd, errno);
  lend_mounts(plan);
  if (plan->notify == NOTIFY_SUPERVISOR && !ahead) plan->absent = absent_entries(plan);
  struct channel channel = open_channel(plan);
  pid_t command = fork_command(plan);
  if (command < 0) fail("fork", "", errno);
  if (command == 0) run_command(plan, (struct start){ruleset, hand, channel});
  setpgid(command, command); /* it sets its own group too, but an early signal has to find the group */
  /* No process of the box may inspect this one, because it holds the socket to outer. */
  prctl(PR_SET_DUMPABLE, 0);
  if (plan->notify == NOTIFY_GUARD) keep_tracing();
  else if (!ahead) empty_capabilities(); /* because its working directory may be one that needs them */
  if (plan->notify == NOTIFY_NONE) leave_descriptors(hand);
  uint32_t started[2] = {(uint32_t)abi, 0};
  report(R_STARTED, started, sizeof started);
  keep_house(&(struct house){.plan = plan, .command = command, .status = status, .listener = -1, .orders = -1, .memory = -1, .hand = hand, .channel = channel, .ending = ending});
}

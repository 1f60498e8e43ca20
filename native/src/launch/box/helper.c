/* The bubblewrap backend: bwrap makes namespaces and mounts, and this program runs inside it to apply Landlock and
 * seccomp. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include "helper.h"
#include "../network/handles.h"
#include "../network/network.h"
#include "../paths/path.h"
#include "../paths/source.h"
#include "../plan/list.h"
#include "../plan/plan.h"
#include "../report/control.h"
#include "../report/fail.h"
#include "../report/report.h"
#include "../root/mount.h"
#include "cgroup.h"
#include "ending.h"
#include "helper-words.h"
#include "house.h"

/* Descriptors that bwrap and the inner launcher inherit: 3 the plan, 4 the status socket, 5 the terminal, 6 the output,
 * then data. */
#define INNER_STATUS_FD 4
#define INNER_TERMINAL_FD 5
#define INNER_OUTPUT_FD 6
#define INNER_HANDLES_FD 7

static _Noreturn void exec_helper(struct plan *plan, const struct list *hits, struct handover hand, int status);

struct box start_helper(struct plan *plan, const struct list *hits, struct handover hand) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) fail("socketpair", "", errno);
  check_sources(plan);
  /* If bwrap is killed at the wrong moment, it leaves its PID 1 behind. That becomes a child of this process, which
   * ends it. */
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  pid_t helper = fork();
  if (helper < 0) fail("fork", "", errno);
  if (helper == 0) {
    close(ends[0]);
    exec_helper(plan, hits, hand, ends[1]);
  }
  undo_on_failure((struct undo){undo_box, plan, helper});
  close(ends[1]);
  if (has_network(plan)) close_handles();
  make_cgroups(plan, helper);
  if (send(ends[0], "g", 1, MSG_NOSIGNAL) != 1) fail("release helper", "", errno);
  return (struct box){helper, ends[0]};
}

/* bwrap cannot make idmapped mounts. For root, they are made in a mount namespace around bwrap. */
static void mount_foreign(const struct plan *plan) {
  if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) fail("make mounts private", "/", errno);
  int host = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  for (size_t i = 0; i < plan->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    if (step->fd < 0) continue;
    int place = open_beneath(host, step->source, O_PATH);
    if (place < 0 || attach_tree(step->fd, place)) fail("attach mount", step->source, errno);
    close(place);
  }
  close(host);
}

static void move_fd(int from, int to) {
  if (from >= 0 ? dup2(from, to) < 0 : close(to) < 0 && errno != EBADF) fail("hand over descriptor", "", errno);
}

static _Noreturn void exec_helper(struct plan *plan, const struct list *hits, struct handover hand, int status) {
  char go;
  report_to(status);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (recv(status, &go, 1, 0) != 1) _exit(EXIT_HOLDFAST);
  enter_cgroups(plan);
  enter_network(plan);
  if (geteuid() == 0) mount_foreign(plan);
  char **words = helper_words(plan, hits);
  int high_status = fcntl(status, F_DUPFD, 32), terminal = hand.terminal < 0 ? -1 : fcntl(hand.terminal, F_DUPFD, 32);
  int output = hand.output < 0 ? -1 : fcntl(hand.output, F_DUPFD, 32);
  int high_handles = plan->forwards ? fcntl(handles(), F_DUPFD, 32) : -1;
  int encoded = data_fd((const char *)plan->bytes, plan->length);
  report_to(high_status);
  move_fd(encoded, CONTROL_FD);
  move_fd(high_status, INNER_STATUS_FD);
  move_fd(terminal, INNER_TERMINAL_FD);
  move_fd(output, INNER_OUTPUT_FD);
  move_fd(high_handles, INNER_HANDLES_FD);
  sigprocmask(SIG_SETMASK, &hand.mask, NULL);
  /* From here on it is not killed together with outer, for the same reason: its children notice the end of outer, and
   * end. */
  prctl(PR_SET_PDEATHSIG, 0);
  execv(words[0], words);
  fail("start bubblewrap", words[0], errno);
}

static int inherited(int fd) {
  return fcntl(fd, F_SETFD, FD_CLOEXEC) ? -1 : fd;
}

static bool same_open_file(int a, int b) {
  struct stat x, y;
  return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

_Noreturn void run_inner(struct plan *plan, sigset_t mask) {
  inherited(INNER_STATUS_FD);
  report_to(INNER_STATUS_FD);
  close(CONTROL_FD);
  if (plan->forwards) use_handles(inherited(INNER_HANDLES_FD));
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  char none;
  if (recv(INNER_STATUS_FD, &none, 1, MSG_PEEK | MSG_DONTWAIT) == 0) _exit(EXIT_HOLDFAST);
  struct handover hand = {inherited(INNER_TERMINAL_FD), inherited(INNER_OUTPUT_FD), same_open_file(1, 2), mask, -1};
  start_command(plan, INNER_STATUS_FD, hand, ENDS_BY_SIGNAL);
}

/* In the box, between init and gVisor's runtime: `forward BYTES RUNSC FLAGS… run … ID`. The runtime ends at a signal
 * instead of passing it to its command. The kernel that it starts writes to a file from its own offset, so existing
 * content would be lost. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "forward.h"
#include "../../kernel.h"
#include "../report/control.h"
#include "../report/fail.h"

#define ATTEMPTS 100
#define PAUSE 20000 /* microseconds */
#define MOST_AT_ONCE 65536

struct relay {
  int from, to;
};

static const int forwarded[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM};

static pid_t start_runtime(char **words, const sigset_t *mask, const struct relay *relays, int quiet) {
  pid_t child = fork();
  if (child != 0) return child;
  for (int i = 0; i < 2; i++)
    if (relays && relays[i].to >= 0) dup2(relays[i].from, i + 1);
  if (quiet >= 0) dup2(quiet, 1), dup2(quiet, 2);
  setpgid(0, 0);
  sigprocmask(SIG_SETMASK, mask, NULL);
  syscall(SYS_close_range, 3, ~0u, 1u << 2 /* CLOSE_RANGE_CLOEXEC */);
  execv(words[0], words);
  _exit(127);
}

/* Descriptors 1 and 2 get a pipe if they are files. If both are the same file, they share one, so that the order is
 * kept. */
static void make_relays(struct relay *relays, int *ends) {
  struct stat first, st;
  for (int i = 0; i < 2; i++) {
    relays[i] = (struct relay){-1, -1};
    ends[i] = -1;
    if (fstat(i + 1, &st) || !S_ISREG(st.st_mode)) continue;
    if (i == 1 && relays[0].to >= 0 && first.st_dev == st.st_dev && first.st_ino == st.st_ino) {
      relays[1] = (struct relay){relays[0].from, 1};
      continue;
    }
    int pair[2];
    if (pipe2(pair, O_CLOEXEC)) fail("pipe", "", errno);
    relays[i] = (struct relay){pair[1], i + 1};
    ends[i] = pair[0];
    first = st;
  }
}

/* False at the end of the stream, and if the file accepts no more. The command has to notice this by the end of its
 * pipe. */
static bool relay(int from, int to) {
  char bytes[MOST_AT_ONCE];
  ssize_t got = read(from, bytes, sizeof bytes);
  for (ssize_t at = 0; at < got;) {
    ssize_t put = write(to, bytes + at, (size_t)(got - at));
    if (put < 0 && errno != EINTR) return false;
    if (put > 0) at += put;
  }
  return got > 0 || (got < 0 && errno == EINTR);
}

/* Relays the output until the runtime ends. Later processes are not waited for, as in any box. */
static void relay_rest(int from, int to) {
  int left = 0;
  if (from < 0 || ioctl(from, FIONREAD, &left)) return;
  for (; left > 0 && relay(from, to); left -= MOST_AT_ONCE) {}
}

/* `runsc FLAGS… kill [--all] ID SIGNAL`. Keyboard signals go to all processes inside. */
static void hand_on(char **words, int signal_number, pid_t runtime, const sigset_t *mask) {
  char number[16], *command[64];
  size_t count = 0, last = 0;
  while (words[last + 1]) last++;
  for (; count < 56 && strcmp(words[count], "run") != 0; count++) command[count] = words[count];
  snprintf(number, sizeof number, "%d", signal_number);
  command[count++] = (char *)"kill";
  if (signal_number == SIGINT || signal_number == SIGQUIT || signal_number == SIGHUP) command[count++] = (char *)"--all";
  command[count++] = words[last];
  command[count++] = number;
  command[count] = NULL;
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int attempt = 0, state; attempt < ATTEMPTS; attempt++) {
    siginfo_t ended = {0};
    pid_t child = start_runtime(command, mask, NULL, null);
    if (child > 0 && waitpid(child, &state, 0) == child && state == 0) break;
    /* Before the kernel has started, and after its end, there is nothing to signal. */
    if (waitid(P_PID, (id_t)runtime, &ended, WEXITED | WNOHANG | WNOWAIT) || ended.si_pid) break;
    usleep(PAUSE);
    if (attempt == ATTEMPTS - 1) kill(runtime, signal_number);
  }
  close(null);
}

static void hear(int signal_fd, char **words, pid_t runtime, const sigset_t *mask) {
  struct signalfd_siginfo info;
  while (read(signal_fd, &info, sizeof info) == (ssize_t)sizeof info)
    for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++)
      if ((int)info.ssi_signo == forwarded[i]) hand_on(words, forwarded[i], runtime, mask);
}

/* Attack: stdout is a file, to which the second kernel's limit on file sizes does not apply. Limited only here, because
 * that kernel itself needs a large file. */
static bool limit_files(const char *bytes) {
  char *end;
  rlim_t most = strcmp(bytes, "unlimited") == 0 ? RLIM_INFINITY : strtoull(bytes, &end, 10);
  if (most != RLIM_INFINITY && (bytes[0] < '0' || bytes[0] > '9' || *end)) return false;
  return most == RLIM_INFINITY || setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, most}) == 0;
}

/* `arguments`: the most bytes that a file may have, or `unlimited`; then the command line of the runtime. */
_Noreturn void run_forwarder(char **arguments, sigset_t mask) {
  char **words = arguments + 1;
  struct relay relays[2];
  int ends[2], state = 0;
  sigset_t all;
  sigfillset(&all);
  int signal_fd = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
  make_relays(relays, ends);
  pid_t runtime = start_runtime(words, &mask, relays, -1);
  if (runtime < 0 || signal_fd < 0 || !limit_files(arguments[0])) _exit(EXIT_HOLDFAST);
  for (int i = 0; i < 2; i++)
    if (ends[i] >= 0) close(relays[i].from);
  bool running = true;
  while (running) {
    struct pollfd fds[] = {{signal_fd, POLLIN, 0}, {ends[0], POLLIN, 0}, {ends[1], POLLIN, 0}};
    poll(fds, 3, -1);
    for (int i = 0; i < 2; i++)
      if (fds[i + 1].revents && !relay(ends[i], i + 1)) close(ends[i]), ends[i] = -1;
    if (fds[0].revents) hear(signal_fd, words, runtime, &mask);
    running = waitpid(runtime, &state, WNOHANG) != runtime;
  }
  for (int i = 0; i < 2; i++) relay_rest(ends[i], i + 1);
  _exit(WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state));
}

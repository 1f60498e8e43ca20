#include <fcntl.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#include "become.h"
#include "place.h"
#include "status.h"

void say(const char *text, size_t length) {
  for (ssize_t put; length > 0; text += put, length -= (size_t)put) {
    put = write(2, text, length);
    if (put < 0 && errno == EINTR) put = 0;
    if (put < 0) return;
  }
}

/* The signal mask that a child of Node would have, except for signals that the caller has ignored for good (`nohup`).
 * KEPT_PENDING: the launcher takes the signals that arrived meanwhile, and unblocks them for the command. */
enum masking { NO_MASK, KEPT_PENDING };
static void reset_signals(enum masking masking) {
  struct sigaction is, plain = {.sa_handler = SIG_DFL};
  sigset_t none;
  for (int number = 1; number < NSIG; number++) {
    int kept = number == SIGHUP || number == SIGINT || number == SIGQUIT;
    if (kept && sigaction(number, NULL, &is) == 0 && is.sa_handler == SIG_IGN) continue;
    sigaction(number, &plain, NULL);
  }
  sigemptyset(&none);
  if (masking == NO_MASK) sigprocmask(SIG_SETMASK, &none, NULL);
}

/* It stays the same process: it keeps its group, session, terminal, limits and everything else. */
_Noreturn void become_launcher(const struct place *place, int server, int node) {
  char child[16];
  snprintf(child, sizeof child, "%d", node);
  char *words[] = {(char *)place->files.launcher, (char *)"adopted", node > 0 ? child : NULL, NULL}, *nothing[] = {NULL};
  static const struct timeval forever = {0, 0};
  setsockopt(server, SOL_SOCKET, SO_RCVTIMEO, &forever, sizeof forever);
  setsockopt(server, SOL_SOCKET, SO_SNDTIMEO, &forever, sizeof forever);
  reset_signals(node > 0 ? KEPT_PENDING : NO_MASK);
  int placed = server == SUPERVISOR_FD ? fcntl(server, F_SETFD, 0) : dup3(server, SUPERVISOR_FD, 0);
  if (placed >= 0 && chdir("/") == 0 && syscall(SYS_close_range, SUPERVISOR_FD + 1, ~0u, 0) == 0)
    execve(words[0], words, nothing);
  static const char lost[] = "holdfast: the launcher cannot be started\nholdfast: to fix it: reinstall holdfast [HF_LAUNCHER_MISSING]\n";
  say(lost, sizeof lost - 1);
  _exit(FAILED);
}


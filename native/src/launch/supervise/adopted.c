/* A launcher that the front has become. Its parent is the process that started the command, and its supervisor is the
 * process at the other end of the control stream. This module does a parent's work: it passes signals on, takes
 * descriptors, and reports the end. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "adopted.h"
#include "../report/control.h"
#include "../report/descriptors.h"
#include "../report/fail.h"
#include "../report/leave.h"
#include "../report/receive.h"
#include "../report/report.h"

#define NO_DESCRIPTOR UINT32_MAX

static struct {
  pid_t supervisor; /* 0: not adopted */
  int end, handles;
  bool child; /* the supervisor serves this process alone, which waits for the supervisor's end */
} adopted = {0, -1, -1, false};

bool is_adopted(void) {
  return adopted.supervisor > 0;
}

pid_t adopter(void) {
  return adopted.supervisor;
}

int adopter_end(void) {
  return adopted.end;
}

int handles_end(void) {
  return adopted.handles;
}

/* One message for each descriptor, in the form that init sends. A Node parent would read the other end itself. Called
 * before any file is opened: the front has closed everything except the control stream, so the first end has the number
 * that init expects. */
static void reserve_handles(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) || ends[0] != HANDLES_FD) fail("socketpair", "", errno);
  adopted.handles = ends[1];
  if (fcntl(ends[1], F_SETFD, FD_CLOEXEC)) fail("socketpair", "", errno);
}

void drop_handles(void) {
  close(adopted.handles);
  close(HANDLES_FD);
  adopted.handles = -1;
}

static pid_t peer(void) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(CONTROL_FD, SOL_SOCKET, SO_PEERCRED, &peer, &size) || peer.pid <= 0) fail("know the supervisor", "", errno);
  return peer.pid;
}

void adopt(const char *child) {
  adopted.child = child != NULL;
  adopted.supervisor = child ? (pid_t)strtol(child, NULL, 10) : peer();
  expect_last_words(child ? adopted.supervisor : 0);
  reserve_handles();
  /* A process that it was just starting may keep its stream open after it has ended. */
  adopted.end = (int)syscall(SYS_pidfd_open, adopted.supervisor, 0);
  /* The supervisor fetches listeners from this process. Without Yama nothing has to be allowed, and this call fails. */
  prctl(PR_SET_PTRACER, (unsigned long)adopted.supervisor, 0, 0, 0);
}

bool has_adopted_child(void) {
  return adopted.child;
}

/* The descriptor stays open until the supervisor reports that it has its own. */
void hear_handles(void) {
  uint8_t frame[4 + 512];
  int descriptor;
  ssize_t length = receive_with_fd(adopted.handles, &descriptor, frame + 4, sizeof frame - 4, MSG_DONTWAIT);
  if (length < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (length <= 0) {
    close(adopted.handles);
    adopted.handles = -1;
    return;
  }
  uint32_t number = descriptor < 0 ? NO_DESCRIPTOR : (uint32_t)descriptor;
  memcpy(frame, &number, 4);
  report(R_HANDLE, frame, 4 + (size_t)length);
}

void drop_handle(void) {
  uint32_t number;
  receive((uint8_t *)&number, sizeof number);
  if (number > HANDLES_FD && (int)number != adopted.handles && (int)number != adopted.end) close((int)number);
}

/* Signals that Node would pass on, except for those that the caller has ignored for good (`nohup`). */
bool is_passed_on(uint32_t signal_number) {
  static const uint32_t passed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
  struct sigaction is;
  for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
    if (passed[i] == signal_number) return sigaction((int)signal_number, NULL, &is) || is.sa_handler != SIG_IGN;
  return false;
}

/* Stops by SIGTSTP itself, because the kernel does not let it stop a group that no process could continue. */
void stop_self(void) {
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  raise(SIGTSTP);
  sigprocmask(SIG_UNBLOCK, &stop, NULL);
  sigprocmask(SIG_BLOCK, &stop, NULL);
}

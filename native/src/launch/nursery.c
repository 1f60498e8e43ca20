/* A nursery forks launchers ahead of their boxes. Forking a supervisor takes longer the more memory it has, but forking
 * this small process does not. A launcher of a nursery holds nothing of any box: it waits for a plan, like a launcher
 * that was just started. Descriptor 3 brings one byte for each launcher that is wanted, and its end ends the nursery.
 * On descriptor 4 each launcher sends its control stream. Its descriptors 0 to 2 are pipes, whose other ends the
 * supervisor opens through /proc and recognises by their inodes. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include "nursery.h"
#include "../kernel.h"
#include "report/control.h"
#include "report/descriptors.h"

enum { PIPES = 3 };

struct streams {
  int pipes[PIPES], control;
  unsigned long long inodes[PIPES];
};

/* The nursery makes no more launchers, but the boxes of its launchers end with their parent, so it stays as long as the
 * supervisor does (attack: a box uses up the processes or descriptors of its user, so that the boxes of its neighbours
 * are killed). */
static _Noreturn void give_up(void) {
  char dropped[256];
  shutdown(HANDLES_FD, SHUT_RDWR);
  for (ssize_t got = 1; got > 0 || (got < 0 && errno == EINTR);) got = read(CONTROL_FD, dropped, sizeof dropped);
  _exit(EXIT_HOLDFAST);
}

/* The supervisor's side does not block, like the streams that it creates itself. */
static struct streams make_streams(int *supervisor) {
  struct streams made;
  int ends[2];
  for (int stream = 0; stream < PIPES; stream++) {
    struct stat st;
    if (pipe2(ends, O_CLOEXEC) || fstat(ends[0], &st)) give_up();
    made.pipes[stream] = ends[stream ? 1 : 0];
    made.inodes[stream] = st.st_ino;
    close(ends[stream ? 0 : 1]);
  }
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) || fcntl(ends[0], F_SETFL, O_NONBLOCK)) give_up();
  made.control = ends[1];
  *supervisor = ends[0];
  return made;
}

/* In the form in which Node accepts descriptors from a child. By then the descriptors have their final numbers. */
static void tell(struct streams streams, int control) {
  char text[192];
  snprintf(text, sizeof text, "{\"cmd\":\"NODE_HANDLE\",\"type\":\"net.Native\",\"msg\":{\"launcher\":%d,\"pipes\":[%llu,%llu,%llu]}}\n", getpid(), streams.inodes[0], streams.inodes[1], streams.inodes[2]);
  if (!send_with_fd(HANDLES_FD, control, text, strlen(text))) _exit(EXIT_HOLDFAST);
}

static void become_launcher(struct streams streams, int control) {
  signal(SIGCHLD, SIG_DFL);
  for (int stream = 0; stream < PIPES; stream++)
    if (dup2(streams.pipes[stream], stream) < 0) _exit(EXIT_HOLDFAST);
  if (dup2(streams.control, CONTROL_FD) < 0) _exit(EXIT_HOLDFAST);
  tell(streams, control);
  if (syscall(SYS_close_range, CONTROL_FD + 1, ~0u, 0)) _exit(EXIT_HOLDFAST);
}

/* True in the new launcher. */
static bool add_launcher(void) {
  int control;
  struct streams streams = make_streams(&control);
  pid_t launcher = fork();
  if (launcher < 0) give_up();
  if (launcher == 0) return become_launcher(streams, control), true;
  for (int stream = 0; stream < PIPES; stream++) close(streams.pipes[stream]);
  close(streams.control);
  close(control);
  return false;
}

/* Node acknowledges each handle. */
static void drop_answers(void) {
  char answers[4096];
  if (recv(HANDLES_FD, answers, sizeof answers, MSG_DONTWAIT) == 0) _exit(0);
}

/* Returns in each launcher, but never in the nursery. If it can make no more launchers, the supervisor starts them
 * itself. */
void run_nursery(void) {
  signal(SIGCHLD, SIG_IGN); /* their own streams report their end */
  for (;;) {
    struct pollfd fds[] = {{CONTROL_FD, POLLIN, 0}, {HANDLES_FD, POLLIN, 0}};
    if (poll(fds, 2, -1) < 0 && errno != EINTR) give_up();
    if (fds[1].revents) drop_answers();
    if (!fds[0].revents) continue;
    char wanted;
    if (read(CONTROL_FD, &wanted, 1) != 1) _exit(0);
    if (add_launcher()) return;
  }
}

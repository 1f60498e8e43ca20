/* The controlling terminal: passed to the command's process group, and then restored. So are the flags of the first three
 * descriptors, which belong to files that the caller has open as well. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include "terminal.h"

static struct termios saved;
static bool is_saved;
static int saved_flags[3];

/* Only for a command that uses the terminal: one whose output is collected must not take the terminal from its caller. */
int foreground_terminal(void) {
  if (!isatty(0) && !isatty(1) && !isatty(2)) return -1;
  /* If this process is the first of a session, the terminal was made for it. A terminal that belongs to another session
   * is not taken. */
  if (getsid(0) == getpid()) ioctl(0, TIOCSCTTY, 0);
  int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (terminal < 0) return -1;
  if (tcgetpgrp(terminal) == getpgrp()) return terminal;
  close(terminal);
  return -1;
}

void save_terminal(int terminal) {
  is_saved = terminal >= 0 && tcgetattr(terminal, &saved) == 0;
  for (int fd = 0; fd <= 2; fd++) saved_flags[fd] = fcntl(fd, F_GETFL);
}

/* Restored at once: draining would wait for ever on a terminal whose output is stopped or has no reader. */
static void restore_settings(int terminal) {
  if (is_saved) tcsetattr(terminal, TCSANOW, &saved);
  ioctl(terminal, TIOCNXCL); /* attack: TIOCEXCL, after which nobody else can open it */
}

void restore_terminal(int terminal) {
  if (terminal < 0) return;
  tcsetpgrp(terminal, getpgrp());
  restore_settings(terminal);
}

/* Attack: O_NONBLOCK, with which the next program of the caller reads and writes less than it was asked to. */
static void restore_flags(void) {
  for (int fd = 0; fd <= 2; fd++)
    if (saved_flags[fd] >= 0) fcntl(fd, F_SETFL, saved_flags[fd]);
}

/* Called after the box has ended. If the supervisor was killed, its shell already has the terminal. A shell that loses
 * it again reads the end of its input, and exits. */
void give_back_terminal(int terminal) {
  restore_flags();
  if (terminal < 0) return;
  pid_t front = tcgetpgrp(terminal);
  bool taken = front > 0 && front != getpgrp() && (kill(-front, 0) == 0 || errno == EPERM);
  if (!taken) tcsetpgrp(terminal, getpgrp());
  restore_settings(terminal);
}

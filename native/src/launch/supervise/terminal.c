/* The controlling terminal: handed to the command's process group, and put back as it was. */
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

/* Only for a command that uses it: one whose output is collected must not take the terminal from its caller. */
int foreground_terminal(void) {
  if (!isatty(0) && !isatty(1) && !isatty(2)) return -1;
  /* Anyone who made this process the first of a session made the terminal for it. One that another session has is not taken. */
  if (getsid(0) == getpid()) ioctl(0, TIOCSCTTY, 0);
  int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (terminal < 0) return -1;
  if (tcgetpgrp(terminal) == getpgrp()) return terminal;
  close(terminal);
  return -1;
}

void save_terminal(int terminal) {
  is_saved = terminal >= 0 && tcgetattr(terminal, &saved) == 0;
}

/* At once: draining waits for ever on a terminal whose output is held, or that nobody reads. */
static void restore_settings(int terminal) {
  if (is_saved) tcsetattr(terminal, TCSANOW, &saved);
}

void restore_terminal(int terminal) {
  if (terminal < 0) return;
  tcsetpgrp(terminal, getpgrp());
  restore_settings(terminal);
}

/* After the box has ended. When the supervisor was killed, its shell has the terminal already: a shell that loses it again
 * reads the end of its input, and exits. */
void give_back_terminal(int terminal) {
  if (terminal < 0) return;
  pid_t front = tcgetpgrp(terminal);
  bool taken = front > 0 && front != getpgrp() && (kill(-front, 0) == 0 || errno == EPERM);
  if (!taken) tcsetpgrp(terminal, getpgrp());
  restore_settings(terminal);
}

/* The terminal outside: raw while the guest's own terminal handles the keys. */
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include "host_terminal.h"

static struct termios before;
static bool changed;

uint64_t find_terminals(uint64_t number[N_COUNT]) {
  uint64_t terminals = 0;
  struct winsize size = {0};
  for (int fd = 2; fd >= 0; fd--)
    if (isatty(fd)) {
      terminals |= 1u << fd;
      ioctl(fd, TIOCGWINSZ, &size);
    }
  number[N_ROWS] = size.ws_row;
  number[N_COLUMNS] = size.ws_col;
  /* If another process writes to the same terminal, its line discipline has to stay. */
  if ((terminals & 3) == 3) terminals |= TERMINAL_RAW;
  return number[N_TERMINALS] = terminals;
}

bool is_raw(uint64_t terminals) {
  return terminals & TERMINAL_RAW;
}

/* From the background this would stop this process. Runs only once, because the settings that it finds are restored at
 * the end. */
void terminal_raw(void) {
  if (changed || tcgetpgrp(0) != getpgrp() || tcgetattr(0, &before)) return;
  struct termios raw = before;
  cfmakeraw(&raw);
  changed = tcsetattr(0, TCSANOW, &raw) == 0;
}

void terminal_back(void) {
  if (changed && tcgetpgrp(0) == getpgrp()) tcsetattr(0, TCSADRAIN, &before);
  changed = false;
}

/* Parses as the kernel does: blanks, then a path up to a blank, a NUL or the end of the line. */
#include <string.h>
#include "script.h"

bool interpreter_of(const char *start, size_t length, char path[SCRIPT_START]) {
  if (length > SCRIPT_START) length = SCRIPT_START;
  if (length < 3 || start[0] != '#' || start[1] != '!') return false;
  size_t at = 2, used = 0;
  while (at < length && (start[at] == ' ' || start[at] == '\t')) at++;
  for (; at < length && start[at] && !strchr(" \t\n", start[at]); at++) path[used++] = start[at];
  path[used] = 0;
  return used > 0;
}

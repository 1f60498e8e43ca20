/* Every end without a decision is a refusal. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "refuse.h"

/* Seconds, fewer than the agents wait: if a hook does not answer in time, Codex and Gemini CLI run the tool. */
enum { LONGEST = 45 };

_Noreturn void refuse(const char *what) {
  fprintf(stderr, "Holdfast refuses: %s: %s\n", what, strerror(errno));
  _exit(REFUSED);
}

size_t read_some(int from, char *bytes, size_t length) {
  ssize_t got;
  do got = read(from, bytes, length);
  while (got < 0 && errno == EINTR);
  if (got < 0) refuse("the call cannot be read");
  return (size_t)got;
}

/* Ends this program, or the Node that decides for it. `|| exit 2` in the settings turns that into a refusal. */
void keep_time(void) {
  sigset_t late;
  sigemptyset(&late);
  sigaddset(&late, SIGALRM);
  if (signal(SIGALRM, SIG_DFL) == SIG_ERR || sigprocmask(SIG_UNBLOCK, &late, NULL) != 0) refuse("the time limit cannot be set");
  alarm(LONGEST);
}

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "node.h"
#include "refuse.h"

/* The descriptor on which Node reports its end, in the form below. */
enum { STATUS = 3 };

/* From its process name, Node learns that no supervisor was found, and starts one: src/cli/front/own-name.ts. */
static const char *own_name(void) {
  const char *wish = getenv("HOLDFAST_RESIDENT");
  return wish != NULL && strcmp(wish, "never") == 0 ? "holdfast" : "holdfast-front";
}

static _Noreturn void run_node(char **words, pid_t parent, int status) {
  keep_time();
  /* Attack: an agent ends a slow hook, and the process that still decides journals a decision that nobody received. */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) refuse("Node cannot be started");
  if (status == STATUS ? fcntl(status, F_SETFD, 0) != 0 : dup2(status, STATUS) != STATUS) refuse("Node cannot be started");
  /* V8's threads would end before they had any work, and starting them takes a tenth of the process's time. */
  execv(words[1], (char *[]){(char *)own_name(), "--v8-pool-size=0", words[2], words[3], words[4], "3", NULL});
  refuse("Node cannot be started");
}

static pid_t wait_for(pid_t node, int *state) {
  pid_t ended;
  do ended = waitpid(node, state, 0);
  while (ended < 0 && errno == EINTR);
  return ended;
}

/* Ending the process takes a tenth of the time. Once it has sent its whole answer, the agent need not wait for that. */
_Noreturn void decide_by_node(char **words) {
  int ends[2], state;
  pid_t parent = getpid();
  if (pipe2(ends, O_CLOEXEC) != 0) refuse("Node cannot be started");
  pid_t node = fork();
  if (node < 0) refuse("Node cannot be started");
  if (node == 0) run_node(words, parent, ends[1]);
  close(ends[1]);
  char said;
  if (read_some(ends[0], &said, 1) == 1) _exit(said == 0 ? 0 : REFUSED);
  /* An answer that is longer than a pipe's buffer is complete only when the process ends. */
  _exit(wait_for(node, &state) == node && WIFEXITED(state) && WEXITSTATUS(state) == 0 ? 0 : REFUSED);
}

/* namespace clone|clone3|setns: enters a new user namespace, and prints its name and the name of the old one. */
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include "tool.h"

static void print_own(void) {
  char name[64] = "";
  must(readlink("/proc/self/ns/user", name, sizeof name - 1), "readlink");
  puts(name);
  fflush(stdout);
}

static void in_child(long pid, const char *what) {
  if (must(pid, what) > 0) {
    waitpid((pid_t)pid, NULL, 0);
    return;
  }
  print_own();
  _exit(0);
}

/* A child makes the namespace with unshare or clone. The parent enters it, as nsenter does. */
static void by_setns(void) {
  int ready[2];
  must(pipe(ready), "pipe");
  pid_t child = (pid_t)must(fork(), "fork");
  if (child == 0) {
    if (unshare(CLONE_NEWUSER) == 0) must(write(ready[1], "x", 1), "write");
    close(ready[1]);
    pause();
  }
  char byte, path[64];
  close(ready[1]);
  long got = read(ready[0], &byte, 1);
  snprintf(path, sizeof path, "/proc/%d/ns/user", child);
  int namespace = open(path, O_RDONLY);
  long entered = got == 1 ? setns(namespace, CLONE_NEWUSER) : -1;
  kill(child, SIGKILL);
  must(entered, "setns");
  print_own();
}

int main(int argc, char **argv) {
  need(argc, 2, "namespace clone|clone3|setns");
  print_own();
  struct clone_args how = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};
  if (strcmp(argv[1], "clone") == 0) in_child(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0), "clone");
  else if (strcmp(argv[1], "clone3") == 0) in_child(syscall(SYS_clone3, &how, sizeof how), "clone3");
  else by_setns();
  return 0;
}

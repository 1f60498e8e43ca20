/* hog WHAT AMOUNT: takes a resource up to AMOUNT, and prints the amount so far after each step. */
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include "tool.h"

static void say(long amount) {
  char line[32];
  int length = snprintf(line, sizeof line, "%ld\n", amount);
  if (write(1, line, (size_t)length) < 0) exit(1);
}

static void take_processes(long amount) {
  for (long i = 1; i <= amount; i++) {
    if (must(fork(), "fork") > 0) {
      say(i);
      continue;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(5);
    pause();
    _exit(0);
  }
}

static char *take_megabyte(int flags) {
  char *memory = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) must(-1, "mmap");
  memset(memory, 1, 1 << 20);
  return memory;
}

static void take_files(long amount) {
  for (long i = 1; i <= amount; i++) {
    must(open("/dev/null", O_RDONLY), "open");
    say(i);
  }
}

static void take_seconds(long amount) {
  for (long i = 1; i <= amount; i++) {
    for (clock_t end = clock() + CLOCKS_PER_SEC; clock() < end;) {}
    say(i);
  }
}

int main(int argc, char **argv) {
  need(argc, 3, "hog processes|memory|shared|files|cpu AMOUNT");
  long amount = atol(argv[2]);
  signal(SIGCHLD, SIG_IGN);
  if (strcmp(argv[1], "processes") == 0) take_processes(amount);
  else if (strcmp(argv[1], "files") == 0) take_files(amount);
  else if (strcmp(argv[1], "cpu") == 0) take_seconds(amount);
  else for (long i = 1; i <= amount && take_megabyte(strcmp(argv[1], "shared") == 0 ? MAP_SHARED : MAP_PRIVATE); i++) say(i);
  return 0;
}

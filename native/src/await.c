/* The command of a warm box without namespaces waits behind all that holds it: confined, and its listener served. What is left to do
 * when it is known is to say what to execute, and where. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include "kernel.h"
#include "launch.h"

/* What the keeper has found out for the command, which would have to ask the supervisor. */
struct entry {
  uint64_t others; /* tasks of the user beside the box's */
  uint32_t absent;
  bool moves; /* to a directory that comes next */
};

bool waits_confined(const struct plan *plan) {
  return plan->warm && plan->plain && plan->notify == NOTIFY_SUPERVISOR;
}

/* Leading entries of PATH without the program: each would be one more call that somebody answers. What cannot be seen may be there. */
uint32_t absent_entries(const struct plan *plan) {
  const char *name = plan->argv[0], *path = search_path(plan), *end;
  char candidate[4096];
  struct stat st;
  uint32_t absent = 0;
  if (strchr(name, '/')) return 0;
  for (;; path = end + 1, absent++) {
    end = strchrnul(path, ':');
    bool fits = *path == '/' && snprintf(candidate, sizeof candidate, "%.*s/%s", (int)(end - path), path, name) < (int)sizeof candidate;
    if (fits && (stat(candidate, &st) == 0 || (errno != ENOENT && errno != ENOTDIR))) return absent;
    if (!*end) return absent;
  }
}

static bool is_here(int directory) {
  struct stat there, here;
  return fstat(directory, &there) == 0 && stat(".", &here) == 0 && there.st_dev == here.st_dev && there.st_ino == here.st_ino;
}

void bring_command(const struct plan *plan, int orders, int memory) {
  struct plan command;
  read_command(plan, &command, memory);
  int directory = open(command.cwd, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) fail("enter working directory", command.cwd, errno);
  struct entry entry = {other_tasks(plan), absent_entries(&command), !is_here(directory)};
  bool sent = send_with_fd(orders, memory, &entry, sizeof entry) && (!entry.moves || send_with_fd(orders, directory, "d", 1));
  if (!sent) fail("hand over command", "", errno);
  close(directory);
  close(memory);
  empty_capabilities();
}

void await_orders(struct plan *plan, int orders) {
  struct plan command;
  struct entry entry;
  int memory, directory;
  char byte;
  /* Whoever answers the calls of this box makes ready for it meanwhile. */
  if (access("", F_OK) == 0) _exit(EXIT_HOLDFAST);
  if (receive_with_fd(orders, &memory, &entry, sizeof entry, 0) != sizeof entry) _exit(EXIT_HOLDFAST);
  read_command(plan, &command, memory);
  if (entry.moves && (receive_with_fd(orders, &directory, &byte, 1, 0) != 1 || fchdir(directory))) fail("enter working directory", command.cwd, errno);
  limit_processes(plan, entry.others);
  plan->argv = command.argv;
  plan->envp = command.envp;
  plan->absent = entry.absent;
}

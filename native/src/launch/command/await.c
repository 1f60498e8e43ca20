/* In a warm box without namespaces, the command waits. It is already confined, and its listener is served. It then gets
 * its orders: arguments, directory and limits. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "await.h"
#include "../confine/capabilities.h"
#include "../confine/limits.h"
#include "../plan/plan.h"
#include "../report/control.h"
#include "../report/descriptors.h"
#include "../report/fail.h"
#include "read-command.h"
#include "search.h"

/* Facts that the keeper finds for the command, which would otherwise have to ask the supervisor. */
struct entry {
  uint64_t others; /* tasks of the user that are not the box's */
  uint32_t absent;
  bool moves; /* to a directory that comes next */
};

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
  /* The process that answers the calls of this box prepares for it meanwhile. */
  if (access("", F_OK) == 0) _exit(EXIT_HOLDFAST);
  if (receive_with_fd(orders, &memory, &entry, sizeof entry, 0) != sizeof entry) _exit(EXIT_HOLDFAST);
  read_command(plan, &command, memory);
  if (entry.moves && (receive_with_fd(orders, &directory, &byte, 1, 0) != 1 || fchdir(directory))) fail("enter working directory", command.cwd, errno);
  limit_processes(plan, entry.others);
  plan->argv = command.argv;
  plan->envp = command.envp;
  plan->absent = entry.absent;
}

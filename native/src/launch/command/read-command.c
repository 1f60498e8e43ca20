/* Reads the command from memory that outer has written. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "read-command.h"
#include "../plan/decode.h"
#include "../plan/hit.h"
#include "../plan/list.h"
#include "../plan/plan.h"
#include "../report/fail.h"

void read_command(const struct plan *plan, struct plan *command, int memory) {
  struct stat st;
  if (memory < 0 || fstat(memory, &st)) fail("take over command", "", errno);
  uint8_t *bytes = malloc((size_t)st.st_size + 1);
  if (!bytes || pread(memory, bytes, (size_t)st.st_size, 0) != st.st_size) fail("take over command", "", errno);
  const char *wrong = command_decode(command, bytes, (size_t)st.st_size);
  if (wrong) fail("decode command", wrong, EINVAL);
  for (size_t i = 0; i < command->mounts.count; i++)
    if (plan->plain || LIST_AT(command->mounts, struct mount_step, i).kind != M_FILE) fail("decode command", "a mount comes too late", EINVAL);
  for (size_t i = 0; i < command->hits.count; i++)
    if (LIST_AT(command->hits, struct hit, i).root >= plan->roots.count) fail("decode command", "a hit is in no root", EINVAL);
}

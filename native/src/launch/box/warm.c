/* A warm box: everything except the command is ready. Names that appeared meanwhile are protected before the command
 * starts. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "warm.h"
#include "../command/read-command.h"
#include "../paths/path.h"
#include "../plan/bytes.h"
#include "../plan/list.h"
#include "../plan/plan.h"
#include "../report/control.h"
#include "../report/descriptors.h"
#include "../report/fail.h"
#include "../root/builder.h"
#include "../root/masks.h"
#include "../root/protect.h"

static void mask_hits(const struct plan *plan, const struct list *hits) {
  struct builder builder = {.root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), .host = -1, .scaffold = -1, .masks = open(KEPT_MASKS, O_PATH | O_DIRECTORY | O_CLOEXEC)};
  if (builder.root < 0 || builder.masks < 0) fail("open masks", KEPT_MASKS, errno);
  protect_hits(&builder, plan, hits);
  close(builder.root);
  close(builder.masks);
}

/* Files of this command alone, in private memory that nothing else has written to yet. */
static void write_files(const struct plan *command) {
  for (size_t i = 0; i < command->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(command->mounts, struct mount_step, i);
    int fd = open(step->target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0 || fchmod(fd, step->mode)) fail("write file", step->target, errno);
    write_all(fd, (struct bytes){(const uint8_t *)step->source, step->size}, "hand over command");
    close(fd);
  }
}

void await_command(struct plan *plan, int status) {
  char byte;
  int memory;
  struct plan command;
  if (receive_with_fd(status, &memory, &byte, 1, 0) != 1) _exit(EXIT_HOLDFAST);
  read_command(plan, &command, memory);
  close(memory);
  if (!plan->plain) mask_hits(plan, &command.hits);
  write_files(&command);
  plan->argv = command.argv;
  plan->envp = command.envp;
  plan->cwd = command.cwd;
}

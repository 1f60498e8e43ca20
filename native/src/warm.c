/* A warm box: everything is built but the command. What appeared meanwhile is protected before the command starts. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include "kernel.h"
#include "launch.h"

enum { K_HIT_RECORD = 27 };

/* New hidden names need masks when the host's root is gone: they stay mounted, read-only and with mode 000. */
void keep_masks(const struct builder *builder) {
  int place = make_place(builder->root, WARM_MASKS, T_DIRECTORY, 0755);
  int tree = clone_tree(builder->masks, K_MOUNT_ATTR_RDONLY);
  if (place < 0 || tree < 0 || attach_tree(tree, place)) fail("keep masks", WARM_MASKS, errno);
  close(place);
  close(tree);
}

static void write_all(int fd, const void *bytes, size_t length) {
  while (length) {
    ssize_t put = write(fd, bytes, length);
    if (put <= 0) fail("hand over command", "", errno);
    bytes = (const char *)bytes + put;
    length -= (size_t)put;
  }
}

static void write_hit(int fd, const struct hit *hit) {
  const size_t length = strlen(hit->path) + 1;
  struct { uint16_t kind, flags; uint32_t size, root; } head = {K_HIT_RECORD, (uint16_t)(hit->effect | (hit->symlink ? 4 : 0) | (hit->unpinned ? 8 : 0)), (uint32_t)(4 + length), hit->root};
  write_all(fd, &head, sizeof head);
  write_all(fd, hit->path, length);
}

/* All names that are there now: those that are known need not have their mounts any more. What appeared since the box was built is known from now
 * on, and the supervisor is told of it: where no mount holds it, whoever answers the calls of the box has heard of it before the command brings
 * its listener. */
static size_t write_hits(int fd, const struct plan *plan, struct sweep_roots roots) {
  struct findings now = {0};
  struct list new = {0};
  for (unsigned root = 0; root < plan->roots.count; root++) {
    const char *path = LIST_AT(plan->roots, const char *, root);
    int error = scan_root(plan, root, roots.fds[root], &now);
    if (error) fail("look for protected names", path, error);
  }
  find_other_names(plan, roots.fds, &now);
  for (size_t i = 0; i < now.hits.count; i++) {
    const struct hit *hit = &LIST_AT(now.hits, struct hit, i);
    if (!plan->plain) write_hit(fd, hit);
    if (is_known_hit(roots.before, hit)) continue;
    *(struct hit *)list_push(&new, sizeof *hit) = *hit;
    *(struct hit *)list_push(roots.before, sizeof *hit) = *hit;
  }
  report_hits(plan, &new);
  return new.count;
}

struct brought take_command(const struct plan *plan, struct sweep_roots roots) {
  uint32_t length;
  receive((uint8_t *)&length, sizeof length);
  if (length > MAX_PLAN) fail("decode command", "it is too long", EINVAL);
  uint8_t *bytes = malloc(length ? length : 1);
  int memory = memfd_create("command", MFD_CLOEXEC);
  if (!bytes || memory < 0) fail("memory", "", errno);
  receive(bytes, length);
  write_all(memory, bytes, length);
  free(bytes);
  return (struct brought){memory, write_hits(memory, plan, roots)};
}

void hand_over_command(int status, int memory) {
  if (!send_with_fd(status, memory, "x", 1)) fail("hand over command", "", errno);
  close(memory);
}

static void mask_hits(const struct plan *plan, const struct list *hits) {
  struct builder builder = {.root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), .host = -1, .scaffold = -1, .masks = open(WARM_MASKS, O_PATH | O_DIRECTORY | O_CLOEXEC)};
  if (builder.root < 0 || builder.masks < 0) fail("open masks", WARM_MASKS, errno);
  protect_hits(&builder, plan, hits);
  close(builder.root);
  close(builder.masks);
}

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

/* Of this command alone, in private memory that nothing else has written to yet. */
static void write_files(const struct plan *command) {
  for (size_t i = 0; i < command->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(command->mounts, struct mount_step, i);
    int fd = open(step->target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0 || fchmod(fd, step->mode)) fail("write file", step->target, errno);
    write_all(fd, step->source, step->size);
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

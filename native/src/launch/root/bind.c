/* What the box sees of the host: as it is there, or without owners. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include "bind.h"
#include "../../kernel.h"
#include "../paths/path.h"
#include "../paths/source.h"
#include "../report/fail.h"
#include "mount.h"

static uint64_t bind_attributes(const struct mount_step *step) {
  return K_MOUNT_ATTR_NOSUID | K_MOUNT_ATTR_NODEV | (step->flags & BIND_WRITABLE ? 0 : K_MOUNT_ATTR_RDONLY);
}

int bind_source(const struct builder *builder, const struct mount_step *step) {
  int source = open_source(builder->host, step);
  if (source < 0) return -1;
  int tree = clone_tree(source, bind_attributes(step));
  if (tree < 0) fail("clone mount", step->source, errno);
  close(source);
  return tree;
}

/* A user namespace in which no id of the file system has an owner, for idmapped mounts. Only its descriptor is needed. */
static int make_foreign_namespace(void) {
  int ready[2];
  if (pipe(ready)) fail("pipe", "", errno);
  pid_t child = (pid_t)syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
  if (child < 0) fail("user namespace", "idmap", errno);
  if (child == 0) {
    char byte;
    close(ready[1]);
    _exit(read(ready[0], &byte, 1) == 0 ? 0 : 1);
  }
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/uid_map", child);
  write_file(path, "65534 65534 1", "idmap");
  snprintf(path, sizeof path, "/proc/%d/gid_map", child);
  write_file(path, "65534 65534 1", "idmap");
  snprintf(path, sizeof path, "/proc/%d/ns/user", child);
  int namespace = open(path, O_RDONLY | O_CLOEXEC);
  if (namespace < 0) fail("idmap", path, errno);
  /* The child would end when the pipe closes, but not if it is stopped. It is reaped with outer: nothing waits for it. */
  kill(child, SIGKILL);
  close(ready[0]);
  close(ready[1]);
  return namespace;
}

/* As root the box's uid 0 owns the system's private files. Seen through a mount without owners it reads what anyone may. */
void prepare_foreign_binds(struct plan *plan) {
  int namespace = -1, host = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  for (size_t i = 0; i < plan->mounts.count; i++) {
    struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    if (step->kind != M_BIND || !(step->flags & BIND_FOREIGN)) continue;
    if (namespace < 0) namespace = make_foreign_namespace();
    int source = open_source(host, step);
    if (source < 0) continue;
    step->fd = clone_tree(source, bind_attributes(step));
    struct k_mount_attr attr = {.attr_set = K_MOUNT_ATTR_IDMAP, .userns_fd = (uint64_t)namespace};
    if (step->fd < 0 || syscall(SYS_mount_setattr, step->fd, "", AT_EMPTY_PATH | K_AT_RECURSIVE, &attr, sizeof attr))
      fail("idmapped mount", step->source, errno);
    close(source);
  }
  if (namespace >= 0) close(namespace);
  close(host);
}

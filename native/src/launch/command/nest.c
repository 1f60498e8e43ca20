/* For a command that confines another one (gVisor): it is uid 0 of a user namespace below the box's own, in which it
 * may mount. The box's mounts are locked in it: the command can cover them for its own children, but can neither remove
 * them nor make them writable. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "nest.h"
#include "../../kernel.h"
#include "../report/fail.h"
#include "../root/mount.h"

static void write_map(int proc, const char *file, const char *text) {
  int fd = openat(proc, file, O_WRONLY | O_CLOEXEC);
  if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text)) fail("map ids", file, errno);
  close(fd);
}

void nest(void) {
  const char *none[] = {NULL};
  const uint64_t attributes = K_MOUNT_ATTR_NOSUID | K_MOUNT_ATTR_NODEV | K_MOUNT_ATTR_NOEXEC;
  char uid_map[32], gid_map[32];
  snprintf(uid_map, sizeof uid_map, "0 %u 1", geteuid());
  snprintf(gid_map, sizeof gid_map, "0 %u 1", getegid());
  /* Never attached, so the procfs that is visible stays read-only. */
  int proc = new_filesystem("proc", none, attributes);
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS)) fail("create nested namespaces", "", errno);
  write_map(proc, "self/setgroups", "deny");
  write_map(proc, "self/uid_map", uid_map);
  write_map(proc, "self/gid_map", gid_map);
  close(proc);
}

/* Calls of the new mount API. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
#include "mount.h"
#include "../../kernel.h"
#include "../report/fail.h"

int try_filesystem(const char *type, const char *const *options, uint64_t attributes) {
  int fs = (int)syscall(SYS_fsopen, type, 1 /* FSOPEN_CLOEXEC */);
  if (fs < 0) return -1;
  for (; *options; options += 2)
    if (syscall(SYS_fsconfig, fs, options[1][0] ? K_FSCONFIG_SET_STRING : K_FSCONFIG_SET_FLAG, options[0], options[1][0] ? options[1] : NULL, 0))
      return -1;
  if (syscall(SYS_fsconfig, fs, K_FSCONFIG_CMD_CREATE, NULL, NULL, 0)) return -1;
  int tree = (int)syscall(SYS_fsmount, fs, 1 /* FSMOUNT_CLOEXEC */, attributes);
  close(fs);
  return tree;
}

int new_filesystem(const char *type, const char *const *options, uint64_t attributes) {
  int tree = try_filesystem(type, options, attributes);
  if (tree < 0) fail("create file system", type, errno);
  return tree;
}

/* Names use kernel memory that the size limit does not count, so they are limited to one for each page of the size.
 * Without a size, neither is limited. */
int new_memory(const char *mode, uint64_t size) {
  char bytes[32], names[32];
  bool limited = size != 0 && size != UINT64_MAX;
  snprintf(bytes, sizeof bytes, "%llu", (unsigned long long)size);
  snprintf(names, sizeof names, "%llu", (unsigned long long)(size / 4096 + 1024));
  const char *options[] = {"mode", mode, limited ? "size" : NULL, bytes, "nr_inodes", names, NULL};
  return new_filesystem("tmpfs", options, K_MOUNT_ATTR_NOSUID | K_MOUNT_ATTR_NODEV);
}

/* Mounts `tree` on the inode of `place`. No path is looked up. */
int attach_tree(int tree, int place) {
  return (int)syscall(SYS_move_mount, tree, "", place, "", K_MOVE_MOUNT_F_EMPTY_PATH | K_MOVE_MOUNT_T_EMPTY_PATH);
}

/* A detached recursive copy of the mount at `place`, with attributes added to every mount in it. */
int clone_tree(int place, uint64_t attributes) {
  int tree = (int)syscall(SYS_open_tree, place, "", AT_EMPTY_PATH | K_AT_RECURSIVE | K_OPEN_TREE_CLONE | O_CLOEXEC);
  if (tree < 0) return -1;
  struct k_mount_attr attr = {.attr_set = attributes};
  if (attributes && syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | K_AT_RECURSIVE, &attr, sizeof attr)) return -1;
  return tree;
}

/* Neither `execve` nor a mapping can run a file of it: no copy, no download, no library, and no program that the
 * dynamic loader is asked to map. */
int forbid_programs(int tree) {
  struct k_mount_attr attr = {.attr_set = K_MOUNT_ATTR_NOEXEC};
  return (int)syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | K_AT_RECURSIVE, &attr, sizeof attr);
}

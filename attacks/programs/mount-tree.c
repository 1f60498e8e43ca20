/* mount-tree move FROM TO | mount-tree writable PATH: the newer mount interface, which old filters do not know. */
#include "tool.h"

int main(int argc, char **argv) {
  need(argc, 3, "mount-tree move FROM TO | mount-tree writable PATH");
  if (strcmp(argv[1], "writable") == 0) {
    uint64_t attributes[4] = {0, 1 /* MOUNT_ATTR_RDONLY, to be cleared */, 0, 0};
    return (int)must(syscall(442 /* mount_setattr */, AT_FDCWD, argv[2], 0, attributes, sizeof attributes), "mount_setattr");
  }
  need(argc, 4, "mount-tree move FROM TO");
  int tree = (int)must(syscall(428 /* open_tree */, AT_FDCWD, argv[2], 1 /* OPEN_TREE_CLONE */), "open_tree");
  return (int)must(syscall(429 /* move_mount */, tree, "", AT_FDCWD, argv[3], 4 /* MOVE_MOUNT_F_EMPTY_PATH */), "move_mount");
}

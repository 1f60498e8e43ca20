/* Masks have mode 000 and are mounted read-only, so that their owner cannot open them by changing the mode. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "masks.h"
#include "../../kernel.h"
#include "../paths/path.h"
#include "../plan/plan.h"
#include "../report/fail.h"
#include "mount.h"

void open_scaffold(struct builder *builder, uint64_t size) {
  builder->scaffold = new_memory("0700", size);
  if (attach_tree(builder->scaffold, builder->host)) fail("mount scaffold", "/", errno);
  builder->masks = mkdirat(builder->scaffold, "masks", 0755) ? -1 : openat(builder->scaffold, "masks", O_PATH | O_DIRECTORY | O_CLOEXEC);
  int file = openat(builder->masks, "file", O_CREAT | O_WRONLY | O_CLOEXEC, 0);
  if (file < 0 || mkdirat(builder->masks, "directory", 0)) fail("make masks", "", errno);
  close(file);
}

bool mount_over(int place, const char *path, int tree) {
  if (tree < 0 && errno != ENOENT) fail("clone protected path", path, errno);
  bool mounted = tree >= 0 && attach_tree(tree, place) == 0;
  if (!mounted && errno != ENOENT) fail("protect path", path, errno);
  if (tree >= 0) close(tree);
  return mounted;
}

bool mask_fd(const struct builder *builder, int place, const char *path) {
  struct stat st;
  if (fstat(place, &st)) fail("stat hidden path", path, errno);
  int mask = openat(builder->masks, S_ISDIR(st.st_mode) ? "directory" : "file", O_PATH | O_CLOEXEC);
  if (mask < 0) fail("open mask", path, errno);
  bool mounted = mount_over(place, path, clone_tree(mask, K_MOUNT_ATTR_RDONLY));
  close(mask);
  return mounted;
}

/* If a file is replaced between the two steps, it is gone. The next attempt finds the new one. */
void mask_path(const struct builder *builder, const char *path) {
  for (int tries = 0; tries < MOST_TRIES; tries++) {
    int place = open_beneath(builder->root, path, O_PATH);
    if (place < 0 && errno == ENOENT) return;
    if (place < 0) fail("open hidden path", path, errno);
    bool masked = mask_fd(builder, place, path);
    close(place);
    if (masked) return;
  }
  fail("open hidden path", path, ESTALE);
}

/* New hidden names need masks after the host's root is gone, so the masks stay mounted, read-only and with mode 000. */
void keep_masks(const struct builder *builder) {
  int place = make_place(builder->root, KEPT_MASKS, T_DIRECTORY, 0755);
  int tree = clone_tree(builder->masks, K_MOUNT_ATTR_RDONLY);
  if (place < 0 || tree < 0 || attach_tree(tree, place)) fail("keep masks", KEPT_MASKS, errno);
  close(place);
  close(tree);
}

/* The parts of the host that the box sees. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "bind.h"
#include "../../kernel.h"
#include "../paths/source.h"
#include "../report/fail.h"
#include "mount.h"

uint64_t bind_attributes(const struct mount_step *step) {
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

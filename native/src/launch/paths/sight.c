/* The file at a name, and whether it is the same as before. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>
#include "sight.h"
#include "../../kernel.h"
#include "../../statx.h"

#define REMEMBERED_DEVICES 16

static bool is_overlay(int fd) {
  struct statfs system;
  return fstatfs(fd, &system) || system.f_type == K_OVERLAYFS;
}

/* An overlay gives a copied-up file a new birth time but keeps its inode number, so a `.git` that was written to would
 * count as another file. */
static bool keeps_births(int parent, const char *entry, int flags, uint64_t device) {
  static struct { uint64_t device; bool keeps; } known[REMEMBERED_DEVICES];
  static unsigned count;
  for (unsigned i = 0; i < count && i < REMEMBERED_DEVICES; i++)
    if (known[i].device == device) return known[i].keeps;
  struct stat st;
  int fd = openat(parent, entry, O_PATH | O_CLOEXEC | (flags & AT_SYMLINK_NOFOLLOW ? O_NOFOLLOW : 0));
  bool opened = fd >= 0 && fstat(fd, &st) == 0 && st.st_dev == device, keeps = opened && !is_overlay(fd);
  if (fd >= 0) close(fd);
  if (opened) {
    known[count % REMEMBERED_DEVICES].device = device;
    known[count++ % REMEMBERED_DEVICES].keeps = keeps;
  }
  return keeps;
}

bool look_at(int parent, const char *entry, int flags, struct sight *sight) {
  struct k_statx st;
  if (syscall(SYS_statx, parent, entry, flags | AT_NO_AUTOMOUNT, K_STATX_BASIC | K_STATX_BORN, &st)) return false;
  *sight = (struct sight){.is = {makedev(st.device_major, st.device_minor), st.inode, 0}, .links = st.links, .mode = st.mode};
  if (st.mask & K_STATX_BORN && keeps_births(parent, entry, flags, sight->is.device)) sight->is.born = (uint64_t)st.born.seconds * 1000000000u + st.born.nanoseconds;
  return true;
}

int compare_identities(const struct identity *x, const struct identity *y) {
  if (x->device != y->device) return x->device < y->device ? -1 : 1;
  if (x->inode != y->inode) return x->inode < y->inode ? -1 : 1;
  return x->born == y->born ? 0 : x->born < y->born ? -1 : 1;
}

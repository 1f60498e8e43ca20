/* A minimal /dev. Its nodes are the host's own, bound one by one, because device nodes cannot be created in a user
 * namespace. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "devices.h"
#include "../../kernel.h"
#include "../paths/path.h"
#include "../report/fail.h"
#include "mount.h"

static const char *const nodes[] = {"null", "zero", "full", "random", "urandom", "tty"};
static const char *const links[][2] = {
    {"/proc/self/fd", "fd"}, {"/proc/self/fd/0", "stdin"}, {"/proc/self/fd/1", "stdout"}, {"/proc/self/fd/2", "stderr"}, {"pts/ptmx", "ptmx"}, {"/proc/kcore", "core"}};

static void bind_node(int devices, const char *name) {
  char path[32];
  snprintf(path, sizeof path, "/dev/%s", name);
  int source = open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW);
  struct stat st;
  if (source < 0 || fstat(source, &st) || !S_ISCHR(st.st_mode)) fail("open device", path, source < 0 ? errno : ENODEV);
  int tree = clone_tree(source, K_MOUNT_ATTR_NOSUID | K_MOUNT_ATTR_NOEXEC);
  int file = openat(devices, name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (tree < 0 || file < 0 || attach_tree(tree, file)) fail("bind device", path, errno);
  close(source);
  close(file);
  close(tree);
}

static void mount_inside(int devices, const char *name, int tree) {
  if (mkdirat(devices, name, 0755)) fail("make device directory", name, errno);
  int place = openat(devices, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (place < 0 || attach_tree(tree, place)) fail("mount in /dev", name, errno);
  close(place);
  close(tree);
}

void make_devices(const struct builder *builder, const struct mount_step *step) {
  const uint64_t attributes = K_MOUNT_ATTR_NOSUID | K_MOUNT_ATTR_NOEXEC;
  const char *options[] = {"mode", "0755", "size", "1m", NULL};
  int devices = new_filesystem("tmpfs", options, attributes);
  int place = make_place(builder->root, step->target, T_DIRECTORY, 0755);
  if (place < 0 || attach_tree(devices, place)) fail("mount /dev", step->target, errno);
  for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) bind_node(devices, nodes[i]);
  if (step->flags & DEVICES_KVM) bind_node(devices, "kvm");
  const char *pts[] = {"newinstance", "", "ptmxmode", "0666", "mode", "620", NULL};
  mount_inside(devices, "pts", new_filesystem("devpts", pts, attributes));
  int shared = new_memory("1777", step->size);
  if (builder->installed_only && forbid_programs(shared)) fail("forbid programs", "/dev/shm", errno);
  mount_inside(devices, "shm", shared);
  for (size_t i = 0; i < sizeof links / sizeof *links; i++)
    if (symlinkat(links[i][0], devices, links[i][1])) fail("link in /dev", links[i][1], errno);
  struct k_mount_attr read_only = {.attr_set = K_MOUNT_ATTR_RDONLY};
  if (syscall(SYS_mount_setattr, devices, "", AT_EMPTY_PATH, &read_only, sizeof read_only)) fail("make /dev read-only", step->target, errno);
  close(place);
  close(devices);
}

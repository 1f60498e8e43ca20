/* The guest's root is the box's root, over 9p. The guest has its own kernel file systems (/proc, /dev) and private
 * memory. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "init_mounts.h"
#include "give_up.h"
#include "start.h"

#define ROOT "/root"

static const struct {
  const char *name;
  unsigned minor;
} nodes[] = {{"null", 3}, {"zero", 5}, {"full", 7}, {"random", 8}, {"urandom", 9}};
static const char *const links[][2] = {
    {"/proc/self/fd", "fd"}, {"/proc/self/fd/0", "stdin"}, {"/proc/self/fd/1", "stdout"}, {"/proc/self/fd/2", "stderr"}, {"pts/ptmx", "ptmx"}, {"/proc/kcore", "core"}};

static void attach(const char *type, const char *path, unsigned long flags, const char *options) {
  if (mount(type, path, type, flags, options)) give_up("mount", path);
}

/* `mmap` caches only mapped files, because the host changes the same files. */
void mount_root(void) {
  mkdir(ROOT, 0755);
  if (mount("root", ROOT, "9p", MS_NOSUID | MS_NODEV, "trans=virtio,version=9p2000.L,msize=512000,cache=mmap,access=any")) give_up("mount", "root");
}

static void make_node(const char *name, unsigned major, unsigned minor) {
  char path[64];
  snprintf(path, sizeof path, ROOT "/dev/%s", name);
  if (mknod(path, S_IFCHR | 0666, makedev(major, minor)) || chmod(path, 0666)) give_up("make device", path);
}

static void make_devices(uint64_t shm) {
  char path[64], options[64];
  attach("tmpfs", ROOT "/dev", MS_NOSUID | MS_NOEXEC, "mode=0755,size=1m");
  for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) make_node(nodes[i].name, 1, nodes[i].minor);
  make_node("tty", 5, 0);
  for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
    snprintf(path, sizeof path, ROOT "/dev/%s", links[i][1]);
    if (symlink(links[i][0], path)) give_up("link in /dev", path);
  }
  if (mkdir(ROOT "/dev/pts", 0755) || mkdir(ROOT "/dev/shm", 0755)) give_up("make directory", "/dev");
  attach("devpts", ROOT "/dev/pts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620");
  if (shm) snprintf(options, sizeof options, "mode=1777,size=%llu", (unsigned long long)shm);
  else snprintf(options, sizeof options, "mode=1777");
  attach("tmpfs", ROOT "/dev/shm", MS_NOSUID | MS_NODEV, options);
  if (mount(NULL, ROOT "/dev", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NOEXEC, NULL)) give_up("make read-only", "/dev");
}

/* `MODE SIZE PATH`. Uses the guest's private memory instead of the host's, so that sockets, locks and unlinked files
 * work fully. */
static void mount_memory(const char *entry) {
  char *end, path[4200], options[80];
  unsigned long mode = strtoul(entry, &end, 8);
  unsigned long long size = strtoull(end, &end, 10);
  snprintf(path, sizeof path, ROOT "%s", end + 1);
  int used = snprintf(options, sizeof options, "mode=%lo", mode);
  if (size) snprintf(options + used, sizeof options - (size_t)used, ",size=%llu", size);
  attach("tmpfs", path, MS_NOSUID | MS_NODEV, options);
}

void mount_inside(const struct start *start) {
  attach("proc", ROOT "/proc", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
  make_devices(start->number[N_SHM]);
  for (size_t i = 0; i < start->tmpfs.count; i++) mount_memory(start->tmpfs.items[i]);
  if (chdir(ROOT) || mount(".", "/", NULL, MS_MOVE, NULL) || chroot(".") || chdir("/")) give_up("change root", "/");
}

/* A socket belongs to the network namespace in which it was created, and the kernel lists to each namespace only its
 * own sockets, with the inode that each is bound to. An inode is bound to one socket for good, so the answer stays
 * true. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "bound-here.h"
#include "../../kernel.h"

/* include/uapi/linux/sock_diag.h, unix_diag.h */
#define SOCK_DIAG_FAMILY 4 /* NETLINK_SOCK_DIAG */
#define SOCK_DIAG_BY_FAMILY 20
#define SHOW_VFS 2u
#define ATTRIBUTE_VFS 1

struct question {
  struct k_netlink_head head;
  uint8_t family, protocol;
  uint16_t padding;
  uint32_t states, inode, show, cookie[2];
};
struct told {
  struct k_netlink_head head;
  uint8_t family, type, state, padding;
  uint32_t inode, cookie[2];
};
struct attribute {
  uint16_t length, type;
  uint32_t inode, device;
};

struct search {
  int place;
  uint32_t inode, device;
  bool found;
};

static uint32_t kernel_device(unsigned major_number, unsigned minor_number) {
  return (uint32_t)major_number << 20 | (minor_number & 0xfffff);
}

static long mount_of(int place) {
  char path[40], line[64];
  long mount = -1;
  snprintf(path, sizeof path, "/proc/self/fdinfo/%d", place);
  FILE *info = fopen(path, "re");
  while (info && mount < 0 && fgets(line, sizeof line, info)) sscanf(line, "mnt_id: %ld", &mount);
  if (info) fclose(info);
  return mount;
}

/* On some file systems (btrfs, overlayfs), files report other devices than the kernel uses. */
static bool lies_on(int place, uint32_t device) {
  long wanted = mount_of(place), mount;
  unsigned major_number, minor_number;
  char *line = NULL;
  size_t size = 0;
  bool same = false;
  FILE *mounts = fopen("/proc/self/mountinfo", "re");
  while (mounts && !same && getline(&line, &size, mounts) > 0)
    same = sscanf(line, "%ld %*d %u:%u", &mount, &major_number, &minor_number) == 3 && mount == wanted && kernel_device(major_number, minor_number) == device;
  if (mounts) fclose(mounts);
  free(line);
  return same;
}

static void look_into(struct search *search, const char *bytes, size_t length) {
  struct attribute attribute;
  for (size_t at = sizeof(struct told); at + 4 <= length; at += (attribute.length + 3u) & ~3u) {
    memcpy(&attribute, bytes + at, at + sizeof attribute <= length ? sizeof attribute : 4);
    if (attribute.length < 4) return;
    if (attribute.type != ATTRIBUTE_VFS || attribute.length != sizeof attribute || attribute.inode != search->inode) continue;
    search->found |= attribute.device == search->device || lies_on(search->place, attribute.device);
  }
}

/* True if more of the answer follows. */
static bool hear_answer(struct search *search, int fd) {
  static char bytes[32768];
  struct k_netlink_head head;
  ssize_t length = recv(fd, bytes, sizeof bytes, 0);
  for (size_t at = 0; length > 0 && at + sizeof head <= (size_t)length; at += (head.length + 3) & ~3u) {
    memcpy(&head, bytes + at, sizeof head);
    if (head.type != SOCK_DIAG_BY_FAMILY || head.length < sizeof head || head.length > (size_t)length - at) return false;
    look_into(search, bytes + at, head.length);
  }
  return length > 0 && !search->found;
}

static void ask_kernel(struct search *search) {
  struct question question = {
      .head = {.length = sizeof question, .type = SOCK_DIAG_BY_FAMILY, .flags = K_NETLINK_REQUEST | K_NETLINK_DUMP},
      .family = AF_UNIX, .states = ~0u, .show = SHOW_VFS,
  };
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, SOCK_DIAG_FAMILY);
  if (fd < 0) return;
  if (send(fd, &question, sizeof question, 0) == sizeof question)
    while (hear_answer(search, fd)) {}
  close(fd);
}

bool is_bound_here(int place, const struct stat *st) {
  struct search search = {.place = place, .inode = (uint32_t)st->st_ino, .device = kernel_device(major(st->st_dev), minor(st->st_dev))};
  ask_kernel(&search);
  return search.found;
}

/* Loads the drivers of qemu's devices in the order of the list, and opens the port that they create. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "init_modules.h"
#include "give_up.h"
#include "machine.h"
#include "start.h"

static const char port_path[] = "/dev/vport0p1";

static void load(const char *name) {
  char path[300];
  snprintf(path, sizeof path, "/modules/%s", name);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || (syscall(SYS_finit_module, fd, "", 0) && errno != EEXIST)) give_up("load module", path);
  close(fd);
}

void load_modules(void) {
  struct blob list;
  if (read_file("/modules/list", &list)) give_up("read", "/modules/list");
  char *next = NULL;
  for (char *name = strtok_r((char *)list.bytes, "\n", &next); name; name = strtok_r(NULL, "\n", &next)) load(name);
}

/* It appears later, after the driver and qemu have exchanged messages. */
int open_port(void) {
  const struct timespec pause = {0, 500 * 1000};
  for (int tries = 0; tries < 20000; tries++) {
    int fd = open(port_path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0) return fd;
    nanosleep(&pause, NULL);
  }
  give_up("open port", port_path);
}

/* Reports the reason, to the host if it listens and on the console, and ends the machine. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/reboot.h>
#include <unistd.h>
#include "give_up.h"
#include "protocol.h"
#include "wire.h"

static struct wire *telling;

void tell_failures(struct wire *wire) {
  telling = wire;
}

void flush_all(struct wire *wire) {
  while (wire->out_length && !wire->broken) {
    struct pollfd port = {wire->fd, POLLOUT, 0};
    poll(&port, 1, 1000);
    wire_flush(wire);
  }
}

/* If the guest restarted, qemu ends instead. */
_Noreturn void give_up(const char *what, const char *path) {
  char text[400];
  int length = snprintf(text, sizeof text, "%s %s: %s", what, path, strerror(errno));
  if (telling) {
    wire_send(telling, F_FAILED, text, (size_t)length);
    flush_all(telling);
  }
  int console = open("/dev/ttyS0", O_WRONLY | O_NOCTTY);
  if (console >= 0) dprintf(console, "%s\n", text);
  for (;;) reboot(RB_AUTOBOOT);
}

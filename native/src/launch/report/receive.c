/* Reads exactly the requested bytes from the control descriptor. */
#include <errno.h>
#include <unistd.h>
#include "receive.h"
#include "control.h"
#include "fail.h"

void receive(uint8_t *bytes, size_t length) {
  while (length) {
    ssize_t got = read(CONTROL_FD, bytes, length);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail("read plan", "", got ? errno : EPIPE);
    bytes += got;
    length -= (size_t)got;
  }
}

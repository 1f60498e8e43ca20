/* Frames to the supervisor: u32 length of what follows, u8 kind, payload. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include "report.h"
#include "control.h"
#include "descriptors.h"

static int destination = CONTROL_FD;

void report_to(int fd) {
  destination = fd;
}

bool reports_to_supervisor(void) {
  return destination == CONTROL_FD;
}

/* A supervisor that is gone must not stop the clean-up, so a failed send is ignored. outer notices the end of its
 * stream. */
static void send_all(const uint8_t *bytes, size_t length) {
  while (length) {
    ssize_t sent = send(destination, bytes, length, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;
    bytes += sent;
    length -= (size_t)sent;
  }
}

void report(enum report kind, const void *payload, size_t length) {
  uint8_t frame[8192];
  uint32_t size = (uint32_t)length + 1;
  bool small = length <= sizeof frame - 5;
  memcpy(frame, &size, 4);
  frame[4] = (uint8_t)kind;
  if (small) memcpy(frame + 5, payload, length);
  send_all(frame, small ? length + 5 : 5);
  if (!small) send_all(payload, length);
}

bool report_soon(enum report kind, const void *payload, size_t length) {
  uint8_t frame[8192];
  uint32_t size = (uint32_t)length + 1;
  if (length > sizeof frame - 5) return false;
  memcpy(frame, &size, 4);
  frame[4] = (uint8_t)kind;
  memcpy(frame + 5, payload, length);
  return send(destination, frame, length + 5, MSG_NOSIGNAL | MSG_DONTWAIT) > 0;
}

bool report_descriptor(enum report kind, int fd) {
  const uint8_t frame[5] = {1, 0, 0, 0, (uint8_t)kind};
  return send_with_fd(destination, fd, frame, sizeof frame);
}

void report_failure(const char *stage, const char *path, int error) {
  uint8_t payload[4 + 64 + 4200] = {0};
  uint32_t number = (uint32_t)error;
  size_t stage_length = strnlen(stage, 63) + 1, path_length = strnlen(path, 4199) + 1;
  memcpy(payload, &number, 4);
  memcpy(payload + 4, stage, stage_length - 1);
  memcpy(payload + 4 + stage_length, path, path_length - 1);
  report(R_FAILED, payload, 4 + stage_length + path_length);
}

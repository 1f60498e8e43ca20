/* Only outer and init share the socket over which descriptors are sent: no program in the box may speak as the
 * launcher. */
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "handles.h"
#include "../report/control.h"
#include "../report/descriptors.h"

static int handles_fd = HANDLES_FD;

void use_handles(int fd) {
  handles_fd = fd;
}

int handles(void) {
  return handles_fd;
}

void close_handles(void) {
  close(handles_fd);
}

bool send_handle(const char *text, int fd) {
  return send_with_fd(handles_fd, fd, text, strlen(text));
}

bool send_text(const char *text) {
  return send(handles_fd, text, strlen(text), MSG_NOSIGNAL) == (ssize_t)strlen(text);
}

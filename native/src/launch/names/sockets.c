/* Finds sockets of the host below the box's paths, because no kernel before Landlock ABI 9 can refuse a connection to
 * one. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include "sockets.h"

/* Whether a process receives messages at the socket. A query by datagram distinguishes a stream from an abandoned
 * socket, and its server does not notice. The socket of a killed server must stay, because otherwise the next server in
 * a box could not remove it. */
bool listens_at(int place) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d", place);
  bool abandoned = connect(fd, (struct sockaddr *)&address, sizeof address) && errno == ECONNREFUSED;
  if (fd >= 0) close(fd);
  return !abandoned;
}

bool listens(int parent, const char *entry) {
  int place = openat(parent, entry, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  bool heard = listens_at(place);
  if (place >= 0) close(place);
  return heard;
}

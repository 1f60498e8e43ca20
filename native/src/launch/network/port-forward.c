/* Connects inside the box, because the supervisor cannot. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>
#include "port-forward.h"
#include "handles.h"

#define FORWARD_PATIENCE_MS 200

/* On loopback a connection is made or refused at once. If the queue of a server is full, the attempt is abandoned. */
static int connect_loopback(int family, uint16_t port) {
  struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), error = 0;
  socklen_t size = sizeof error;
  if (fd < 0) return -1;
  int refused = family == AF_INET ? connect(fd, (struct sockaddr *)&v4, sizeof v4) : connect(fd, (struct sockaddr *)&v6, sizeof v6);
  struct pollfd event = {fd, POLLOUT, 0};
  if (refused && errno == EINPROGRESS && poll(&event, 1, FORWARD_PATIENCE_MS) == 1 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && !error) refused = 0;
  if (!refused) return fd;
  close(fd);
  return -1;
}

void connect_forward(uint16_t port, uint32_t id) {
  char text[128];
  int fd = connect_loopback(AF_INET, port);
  if (fd < 0) fd = connect_loopback(AF_INET6, port);
  if (fd < 0) {
    snprintf(text, sizeof text, "{\"forward\":%u}\n", id);
    send_text(text);
    return;
  }
  snprintf(text, sizeof text, "{\"cmd\":\"NODE_HANDLE\",\"type\":\"net.Native\",\"msg\":{\"forward\":%u}}\n", id);
  send_handle(text, fd);
  close(fd);
}

/* Messages come encoded in the plan. This module sends them and reads the kernel's answers. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include "netlink.h"
#include "../../kernel.h"
#include "../plan/plan.h"

static int answers_of(int fd, size_t wanted) {
  char bytes[8192];
  while (wanted) {
    ssize_t length = recv(fd, bytes, sizeof bytes, 0);
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) return errno ? errno : EPROTO;
    struct k_netlink_answer answer;
    for (size_t at = 0; at + sizeof answer <= (size_t)length && wanted; at += (answer.head.length + 3) & ~3u) {
      memcpy(&answer, bytes + at, sizeof answer);
      if (answer.head.length < sizeof answer.head) return EPROTO;
      if (answer.head.type != K_NETLINK_ERROR) continue;
      if (answer.error) return -answer.error;
      wanted--;
    }
  }
  return 0;
}

/* Sends the messages of one step together, as a batch requires, and waits for every answer that they request. */
int exchange(const struct netlink_step *step) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, step->family);
  if (fd < 0) return errno;
  size_t wanted = 0;
  struct k_netlink_head head;
  for (size_t at = 0; at + sizeof head <= step->length; at += (head.length + 3) & ~3u) {
    memcpy(&head, step->bytes + at, sizeof head);
    if (head.flags & K_NETLINK_ACK) wanted++;
  }
  struct timeval patience = {5, 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  int error = send(fd, step->bytes, step->length, 0) == (ssize_t)step->length ? answers_of(fd, wanted) : errno;
  close(fd);
  return error;
}

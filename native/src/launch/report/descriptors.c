/* Sends descriptors as messages of a socket. */
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include "descriptors.h"

bool send_with_fd(int socket, int fd, const void *bytes, size_t length) {
  union { char bytes[CMSG_SPACE(sizeof(int))]; struct cmsghdr align; } control;
  struct iovec part = {(void *)bytes, length};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof fd);
  memcpy(CMSG_DATA(header), &fd, sizeof fd);
  return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)length;
}

ssize_t receive_with_fd(int socket, int *fd, void *bytes, size_t size, int flags) {
  union { char bytes[CMSG_SPACE(sizeof(int))]; struct cmsghdr align; } control;
  struct iovec part = {bytes, size};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  *fd = -1;
  ssize_t length = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | flags);
  struct cmsghdr *header = length < 0 ? NULL : CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_type == SCM_RIGHTS) memcpy(fd, CMSG_DATA(header), sizeof *fd);
  return length;
}

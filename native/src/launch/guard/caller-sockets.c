/* Everything is read once, and done with what was read: another thread may exchange the address, or the descriptor itself. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include "caller-sockets.h"
#include "../../kernel.h"
#include "caller-paths.h"

#define MOST_DATA (1u << 20)
#define MOST_PARTS 1024

static int option_of(int socket, int name) {
  int value = 0;
  socklen_t size = sizeof value;
  return getsockopt(socket, SOL_SOCKET, name, &value, &size) ? -errno : value;
}

/* Threads share descriptors nearly always: before Linux 6.9 those of the process are taken. */
static int take_socket(uint32_t thread, int number) {
  int process = (int)syscall(SYS_pidfd_open, thread, K_PIDFD_THREAD);
  if (process < 0 && errno == EINVAL) process = (int)syscall(SYS_pidfd_open, process_of(thread), 0);
  if (process < 0) return -errno;
  int socket = (int)syscall(SYS_pidfd_getfd, process, number, 0);
  int error = socket < 0 ? -errno : 0;
  close(process);
  return error ? error : socket;
}

static int read_address(struct socket_call *taken, uint64_t address, uint64_t length) {
  if (length > sizeof taken->address) return EINVAL;
  taken->length = (socklen_t)length;
  return read_exactly(taken->pid, address, &taken->address, length) ? 0 : EFAULT;
}

/* Of a stream a part is sent, as the kernel may do as well; a datagram of this size has no room in any queue. */
static int read_data(struct socket_call *taken, const struct iovec *parts, size_t count) {
  size_t size = 0;
  struct iovec cut[MOST_PARTS];
  for (size_t i = 0; i < count; i++) {
    cut[i] = (struct iovec){parts[i].iov_base, parts[i].iov_len > MOST_DATA - size ? MOST_DATA - size : parts[i].iov_len};
    if (cut[i].iov_len < parts[i].iov_len && option_of(taken->socket, SO_TYPE) != SOCK_STREAM) return EMSGSIZE;
    size += cut[i].iov_len;
  }
  taken->data = malloc(size + 1);
  if (!taken->data) return ENOMEM;
  taken->size = size;
  struct iovec local = {taken->data, size};
  return size == 0 || process_vm_readv((pid_t)taken->pid, &local, 1, cut, count, 0) == (ssize_t)size ? 0 : EFAULT;
}

/* `struct msghdr` as the kernel has it on 64 bits. */
struct header {
  uint64_t name;
  uint32_t name_length, padding;
  uint64_t parts, count, control, control_length;
};

/* Descriptors and ids on the way would be those of this process. */
static int read_message(struct socket_call *taken, uint64_t at) {
  struct header header;
  struct iovec parts[MOST_PARTS];
  if (!read_exactly(taken->pid, at, &header, sizeof header)) return EFAULT;
  if (header.control_length) return EOPNOTSUPP;
  if (header.count > MOST_PARTS) return EMSGSIZE;
  if (header.count && !read_exactly(taken->pid, header.parts, parts, header.count * sizeof *parts)) return EFAULT;
  int error = header.name ? read_address(taken, header.name, header.name_length) : 0;
  return error ? error : read_data(taken, parts, header.count);
}

/* A message has its address in memory, where no filter sees whether there is one. Nothing but a datagram is led by it to another place. */
static bool is_addressed(int socket) {
  return option_of(socket, SO_DOMAIN) == AF_UNIX && option_of(socket, SO_TYPE) == SOCK_DGRAM;
}

static int leave_it(struct socket_call *taken) {
  close(taken->socket);
  taken->socket = -1;
  return 0;
}

int take_socket_call(const struct k_notification *call, struct socket_call *taken) {
  const uint64_t *argument = call->argument;
  *taken = (struct socket_call){.deed = SENDS, .id = call->id, .pid = call->pid, .place = -1, .socket = take_socket(call->pid, (int)argument[0])};
  if (taken->socket < 0) return -taken->socket;
  int domain = option_of(taken->socket, SO_DOMAIN);
  if (domain < 0) return -domain;
  taken->waits = !(fcntl(taken->socket, F_GETFL) & O_NONBLOCK);
  switch (call->number) {
    case SYS_connect:
      taken->deed = CONNECTS;
      return (int)argument[2] < 0 ? EINVAL : read_address(taken, argument[1], (uint32_t)argument[2]);
    case SYS_sendto: {
      struct iovec part = {(void *)(uintptr_t)argument[1], argument[2]};
      taken->flags = (int)argument[3];
      int error = (int)argument[5] < 0 ? EINVAL : read_address(taken, argument[4], (uint32_t)argument[5]);
      return error ? error : read_data(taken, &part, 1);
    }
    case SYS_sendmmsg:
      if (!is_addressed(taken->socket)) return leave_it(taken);
      if ((uint32_t)argument[2] == 0) return leave_it(taken);
      taken->length_at = argument[1] + sizeof(struct msghdr);
      taken->flags = (int)argument[3];
      return read_message(taken, argument[1]);
    default:
      if (!is_addressed(taken->socket)) return leave_it(taken);
      taken->flags = (int)argument[2];
      return read_message(taken, argument[1]);
  }
}

void free_socket_call(struct socket_call *call) {
  if (call->socket >= 0) close(call->socket);
  if (call->place >= 0) close(call->place);
  free(call->data);
}

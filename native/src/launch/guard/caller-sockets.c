/* The guard reads everything once, and acts on its copy, because another thread may replace the address, or the
 * descriptor itself. */
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
#define MOST_CONTROL 20480 /* the kernel accepts no more either */

static int option_of(int socket, int name) {
  int value = 0;
  socklen_t size = sizeof value;
  return getsockopt(socket, SOL_SOCKET, name, &value, &size) ? -errno : value;
}

/* Threads nearly always share descriptors. Before Linux 6.9, those of the process are copied. */
int take_descriptor(uint32_t thread, int number) {
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

/* For a stream, only a part is sent, as the kernel may do too. A datagram of this size would fit in no queue. */
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

/* Copies one descriptor after another. -1 ends the list that free_socket_call has to close. */
static int take_rights(uint32_t pid, uint8_t *at, size_t length) {
  int number, copy = 0;
  for (size_t i = 0; i + sizeof number <= length; i += sizeof number) {
    memcpy(&number, at + i, sizeof number);
    if (copy >= 0) copy = take_descriptor(pid, number);
    memcpy(at + i, copy < 0 ? &(int){-1} : &copy, sizeof copy);
  }
  return copy < 0 ? -copy : 0;
}

/* The control data of a message: descriptors as copies, ids as those of this process, and everything else unchanged. */
static int read_control(struct socket_call *taken, uint64_t address, uint64_t length) {
  if (length > MOST_CONTROL) return ENOBUFS;
  taken->control = calloc(1, length + sizeof(struct cmsghdr));
  if (!taken->control) return ENOMEM;
  if (!read_exactly(taken->pid, address, taken->control, length)) return EFAULT;
  struct cmsghdr head;
  int error = 0;
  for (size_t at = 0; at + sizeof head <= length && !error; at += (head.cmsg_len + 7) & ~7ul) {
    memcpy(&head, taken->control + at, sizeof head);
    if (head.cmsg_len < sizeof head || head.cmsg_len > length - at) return EINVAL;
    taken->control_size = at + head.cmsg_len;
    struct ucred own = {getpid(), getuid(), getgid()};
    bool is_ids = head.cmsg_level == SOL_SOCKET && head.cmsg_type == SCM_CREDENTIALS && head.cmsg_len == sizeof head + sizeof own;
    if (is_ids) memcpy(taken->control + at + sizeof head, &own, sizeof own);
    if (head.cmsg_level == SOL_SOCKET && head.cmsg_type == SCM_RIGHTS) error = take_rights(taken->pid, taken->control + at + sizeof head, head.cmsg_len - sizeof head);
  }
  return error;
}

static void close_rights(const struct socket_call *call) {
  struct cmsghdr head;
  int number;
  for (size_t at = 0; at + sizeof head <= call->control_size; at += (head.cmsg_len + 7) & ~7ul) {
    memcpy(&head, call->control + at, sizeof head);
    if (head.cmsg_level != SOL_SOCKET || head.cmsg_type != SCM_RIGHTS) continue;
    for (size_t i = sizeof head; i + sizeof number <= head.cmsg_len; i += sizeof number) {
      memcpy(&number, call->control + at + i, sizeof number);
      if (number >= 0) close(number);
    }
  }
}

/* `struct msghdr` as the kernel has it on 64 bits. */
struct header {
  uint64_t name;
  uint32_t name_length, padding;
  uint64_t parts, count, control, control_length;
};

static int read_message(struct socket_call *taken, uint64_t at) {
  struct header header;
  struct iovec parts[MOST_PARTS];
  if (!read_exactly(taken->pid, at, &header, sizeof header)) return EFAULT;
  if (header.count > MOST_PARTS) return EMSGSIZE;
  if (header.count && !read_exactly(taken->pid, header.parts, parts, header.count * sizeof *parts)) return EFAULT;
  int error = header.name ? read_address(taken, header.name, header.name_length) : 0;
  if (!error && header.control && header.control_length) error = read_control(taken, header.control, header.control_length);
  return error ? error : read_data(taken, parts, header.count);
}

/* Only for these sockets can the address of a message select another receiver. */
bool is_unix_datagram(int socket) {
  return option_of(socket, SO_DOMAIN) == AF_UNIX && option_of(socket, SO_TYPE) == SOCK_DGRAM;
}

int take_socket_call(const struct k_notification *call, struct socket_call *taken) {
  const uint64_t *argument = call->argument;
  *taken = (struct socket_call){.deed = SENDS, .id = call->id, .pid = call->pid, .place = -1, .socket = take_descriptor(call->pid, (int)argument[0])};
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
    case SYS_sendmmsg: /* the first of them, as the kernel may do too */
      taken->length_at = argument[1] + sizeof(struct msghdr);
      taken->flags = (int)argument[3];
      return read_message(taken, argument[1]);
    default:
      taken->flags = (int)argument[2];
      return read_message(taken, argument[1]);
  }
}

void free_socket_call(struct socket_call *call) {
  if (call->socket >= 0) close(call->socket);
  if (call->place >= 0) close(call->place);
  close_rights(call);
  free(call->control);
  free(call->data);
}

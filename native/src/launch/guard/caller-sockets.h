/* A copy of a socket that a stopped caller has, and its wish for it. */
#ifndef HF_LAUNCH_GUARD_CALLER_SOCKETS_H
#define HF_LAUNCH_GUARD_CALLER_SOCKETS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

struct k_notification;
enum deed { CONNECTS, SENDS };
struct socket_call {
  enum deed deed;
  uint64_t id;
  uint32_t pid;
  int socket;
  int place;        /* where the address leads to, or -1 */
  bool own;         /* it is to be of the box */
  bool covered;     /* no socket is there: perhaps a mask, over one */
  bool refused;     /* by the guard, not by the kernel */
  bool waits;       /* the caller would wait for what cannot be done at once */
  int flags;        /* of the message, and below how much of it has been sent */
  uint64_t length_at; /* where `sendmmsg` says how much was sent, or 0 */
  struct sockaddr_storage address;
  socklen_t length;
  uint8_t *data, *control; /* the second holds copies of descriptors that go along */
  size_t size, sent, control_size;
};
/* An errno. */
int take_socket_call(const struct k_notification *call, struct socket_call *taken);
bool is_unix_datagram(int socket);
void free_socket_call(struct socket_call *call);
#endif

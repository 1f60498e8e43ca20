/* A copy of a socket that a stopped caller has, and the call that it wants to make. */
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
  int place;        /* where the address leads, or -1 */
  bool own;         /* it has to belong to the box */
  bool covered;     /* no socket is at the address: perhaps a mask over one */
  bool refused;     /* by the guard, not by the kernel */
  bool waits;       /* the caller would wait for a call that cannot be made at once */
  int flags;        /* of the message; below: how much of it has been sent */
  uint64_t length_at; /* where `sendmmsg` stores how much was sent, or 0 */
  struct sockaddr_storage address;
  socklen_t length;
  uint8_t *data, *control; /* the second holds copies of descriptors that are sent along */
  size_t size, sent, control_size;
};
int take_descriptor(uint32_t thread, int number); /* returns a copy of it, or a negative errno */
/* Returns an errno. */
int take_socket_call(const struct k_notification *call, struct socket_call *taken);
bool is_unix_datagram(int socket);
void free_socket_call(struct socket_call *call);
#endif

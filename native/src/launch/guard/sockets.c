/* A socket of the host that appears while the box runs has no mask over it. So connections stop here, and this process
 * makes the allowed ones itself, on a copy of the caller's descriptor, and to the inode that was judged. No connection
 * call of the caller goes on. Only messages do, whose address a filter cannot see, as long as the box has no socket for
 * which the address could select another receiver. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>
#include "sockets.h"
#include "../../kernel.h"
#include "../names/sockets.h"
#include "../plan/plan.h"
#include "bound-here.h"
#include "caller-paths.h"
#include "caller-sockets.h"
#include "refusals.h"

/* Most calls that wait at the same time, each in its own thread. Further ones get EAGAIN, as from a full queue. */
#define MOST_WAITING 256

#define LONGEST_WAY 5000 /* microseconds that a call may take from the answer to its descriptor */
#define MSG_OF_CALLERS_MEMORY 0x4000000 /* MSG_ZEROCOPY */

static atomic_uint waiting;
/* Whether the box has ever created or received a Unix datagram socket. Few boxes do. */
static bool has_datagrams;

struct waiter {
  int listener;
  struct socket_call call;
};

void meet_inherited_sockets(void) {
  for (int fd = 0; fd <= 2; fd++) has_datagrams |= is_unix_datagram(fd);
}

static bool makes_socket(const struct k_notification *call) {
  return call->number == SYS_socket || call->number == SYS_socketpair;
}

static bool is_message(const struct k_notification *call) {
  return call->number == SYS_sendmsg || call->number == SYS_sendmmsg;
}

bool is_socket_call(const struct k_notification *call) {
  return makes_socket(call) || is_message(call) || call->number == SYS_connect || call->number == SYS_sendto;
}

/* Sockets that the policy names have their own mounts, or are released from the mount that covers the others. */
static bool is_granted(const struct plan *plan, int place) {
  struct place there = {.directory = place};
  if (!path_of_place(&there)) return false;
  for (size_t i = 0; i < plan->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    if (step->kind == M_BIND && step->type == T_OTHER && strcmp(step->target, there.path) == 0) return true;
  }
  for (size_t i = 0; i < plan->released.count; i++)
    if (strcmp(LIST_AT(plan->released, const char *, i), there.path) == 0) return true;
  return false;
}

/* A file system path, which follows the family. Not an abstract name, and not a request for any free name. */
static bool has_path(const struct socket_call *call) {
  const struct sockaddr_un *address = (const void *)&call->address;
  return call->length > sizeof address->sun_family && call->length <= sizeof *address && address->sun_family == AF_UNIX && address->sun_path[0];
}

/* Returns an errno. The address becomes that of the inode. */
static int judge_path(const struct plan *plan, struct socket_call *call) {
  struct sockaddr_un *address = (void *)&call->address;
  struct target target = {.pid = call->pid, .directory = AT_FDCWD};
  struct stat st;
  memcpy(target.path, address->sun_path, call->length - offsetof(struct sockaddr_un, sun_path));
  if (open_target(&target, O_PATH, &call->place) != FOUND || fstat(call->place, &st)) return errno;
  call->covered = !S_ISSOCK(st.st_mode);
  call->own = !call->covered && !is_granted(plan, call->place);
  /* The leftover of a killed program differs from a live socket: a program that finds no server there takes the name. */
  if (call->own && !is_bound_here(call->place, &st)) return (call->refused = listens_at(call->place)) ? EACCES : ECONNREFUSED;
  call->length = (socklen_t)offsetof(struct sockaddr_un, sun_path) + (socklen_t)snprintf(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d", call->place) + 1;
  return 0;
}

/* The kernel truncates inode numbers to 32 bits in this answer. A server of another process namespace has no number
 * here. */
static bool is_foreign(const struct socket_call *call) {
  struct ucred peer = {.pid = 1};
  socklen_t size = sizeof peer;
  return call->own && getsockopt(call->socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.pid == 0 && peer.uid != (uid_t)-1;
}

static int connect_now(struct socket_call *call) {
  if (connect(call->socket, (const struct sockaddr *)&call->address, call->length)) return -errno;
  if (!is_foreign(call)) return 0;
  shutdown(call->socket, SHUT_RDWR);
  call->refused = true;
  return -EACCES;
}

static int send_now(struct socket_call *call, int flags) {
  struct iovec part = {call->data + call->sent, call->size - call->sent};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (call->length) message.msg_name = &call->address, message.msg_namelen = call->length;
  if (call->control_size && !call->sent) message.msg_control = call->control, message.msg_controllen = call->control_size;
  if (call->flags & MSG_OF_CALLERS_MEMORY) return -ENOBUFS;
  ssize_t sent = sendmsg(call->socket, &message, call->flags | flags | MSG_NOSIGNAL);
  if (sent < 0) return -errno;
  call->sent += (size_t)sent;
  return call->sent < call->size ? -EAGAIN : 0;
}

static int perform(struct socket_call *call, int flags) {
  return call->deed == CONNECTS ? connect_now(call) : send_now(call, flags);
}

/* Does not wait. A connection to this machine is established by the time of the next request for it. */
static int try_now(struct socket_call *call) {
  if (call->deed == SENDS) return perform(call, MSG_DONTWAIT);
  if (!call->waits) return perform(call, 0);
  int flags = fcntl(call->socket, F_GETFL);
  fcntl(call->socket, F_SETFL, flags | O_NONBLOCK);
  int result = perform(call, 0);
  if (result == -EINPROGRESS) result = perform(call, 0);
  fcntl(call->socket, F_SETFL, flags);
  return result;
}

static void tell_sent(const struct socket_call *call, int sent) {
  uint32_t length = (uint32_t)sent;
  struct iovec local = {&length, sizeof length}, remote = {(void *)(uintptr_t)call->length_at, sizeof length};
  process_vm_writev((pid_t)call->pid, &local, 1, &remote, 1, 0);
}

/* Reported before the answer, after which the caller may be gone. The mask of a socket is a file that nobody may use. */
static void tell_refusal(const struct socket_call *call) {
  char program[LONGEST_PATH];
  struct place there = {.directory = call->place};
  if (!path_of_place(&there)) return;
  program_of(call->pid, program, sizeof program);
  report_refusal(call->deed == CONNECTS ? REFUSED_CONNECTION : REFUSED_MESSAGE, there.path, program);
}

static void answer_call(int listener, const struct socket_call *call, int result) {
  if (result == -EACCES && call->place >= 0 && (call->refused || call->covered)) tell_refusal(call);
  if (call->sent || (call->deed == SENDS && result == 0)) result = (int)call->sent;
  if (call->length_at && result >= 0) {
    tell_sent(call, result);
    result = 1;
  }
  struct k_notify_answer answer = {.id = call->id, .value = result < 0 ? 0 : result, .error = result < 0 ? result : 0};
  ioctl(listener, K_NOTIFY_ANSWER, &answer);
}

static void *wait_for_it(void *given) {
  struct waiter *waiter = given;
  int result;
  do result = perform(&waiter->call, 0);
  while (result == -EAGAIN && waiter->call.sent);
  answer_call(waiter->listener, &waiter->call, result);
  free_socket_call(&waiter->call);
  free(waiter);
  atomic_fetch_sub(&waiting, 1);
  return NULL;
}

/* False if there is no room for one more. */
static bool wait_apart(int listener, const struct socket_call *call) {
  pthread_t thread;
  pthread_attr_t small;
  struct waiter *waiter = atomic_fetch_add(&waiting, 1) < MOST_WAITING ? malloc(sizeof *waiter) : NULL;
  if (waiter) *waiter = (struct waiter){listener, *call};
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 << 10);
  pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
  bool begun = waiter && pthread_create(&thread, &small, wait_for_it, waiter) == 0;
  pthread_attr_destroy(&small);
  if (begun) return true;
  free(waiter);
  atomic_fetch_sub(&waiting, 1);
  return false;
}

static void let_go_on(int listener, const struct k_notification *stopped) {
  struct k_notify_answer go_on = {.id = stopped->id, .flags = K_NOTIFY_CONTINUE};
  ioctl(listener, K_NOTIFY_ANSWER, &go_on);
}

/* Attack: a message may go on, and its descriptor becomes the first datagram socket before the kernel has read the
 * message. */
static void meet_datagrams(const struct k_notification *stopped) {
  if (has_datagrams || (int)stopped->argument[0] != AF_UNIX) return;
  has_datagrams = true;
  usleep(LONGEST_WAY);
}

void serve_socket_call(int listener, const struct plan *plan, const struct k_notification *stopped) {
  static struct socket_call call;
  if (makes_socket(stopped)) meet_datagrams(stopped);
  if (makes_socket(stopped) || (is_message(stopped) && !has_datagrams)) return let_go_on(listener, stopped);
  int error = take_socket_call(stopped, &call);
  if (!error && has_path(&call)) error = judge_path(plan, &call);
  int result = error ? -error : try_now(&call);
  bool later = result == -EAGAIN || result == -EINPROGRESS || result == -EALREADY;
  if (later && !error && call.waits && !(call.flags & MSG_DONTWAIT) && wait_apart(listener, &call)) return;
  answer_call(listener, &call, result);
  free_socket_call(&call);
}

/*
 * A network without an uplink: routes and rules come as netlink messages in the plan, listeners are opened inside the
 * namespace, and their descriptors go to the supervisor. What is connected to anywhere ends there, or nowhere.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "kernel.h"
#include "launch.h"

#define HANDLES_FD 4
#define FORWARD_PATIENCE_MS 200
#define BACKLOG 4096

static int handles_fd = HANDLES_FD;

void use_handles(int fd) {
  handles_fd = fd;
}

int handles(void) {
  return handles_fd;
}

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

/* Sends the messages of one step in one go, as a batch must be, and waits for every answer that they ask for. */
static int exchange(const struct netlink_step *step) {
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

static int open_listener(const struct listener_step *step) {
  struct sockaddr_storage address = {0};
  int on = 1, off = 0, type = step->flags & LISTENER_UDP ? SOCK_DGRAM : SOCK_STREAM;
  memcpy(&address, step->address, step->length);
  int fd = socket(address.ss_family, type | SOCK_CLOEXEC, 0);
  if (fd < 0) fail("open listener", step->tag, errno);
  if (type == SOCK_STREAM) setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (address.ss_family == AF_INET6 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, step->flags & LISTENER_DUAL ? &off : &on, sizeof on)) fail("open listener", step->tag, errno);
  if (step->flags & LISTENER_TRANSPARENT && setsockopt(fd, IPPROTO_IP, 19 /* IP_TRANSPARENT */, &on, sizeof on)) fail("open listener", step->tag, errno);
  if (bind(fd, (struct sockaddr *)&address, (socklen_t)step->length) || (type == SOCK_STREAM && listen(fd, BACKLOG))) fail("open listener", step->tag, errno);
  return fd;
}

static bool send_handle(const char *text, int fd) {
  union { char bytes[CMSG_SPACE(sizeof(int))]; struct cmsghdr align; } control = {{0}};
  struct iovec part = {(char *)text, strlen(text)};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof fd);
  memcpy(CMSG_DATA(header), &fd, sizeof fd);
  return sendmsg(handles_fd, &message, MSG_NOSIGNAL) == (ssize_t)strlen(text);
}

static bool send_text(const char *text) {
  return send(handles_fd, text, strlen(text), MSG_NOSIGNAL) == (ssize_t)strlen(text);
}

/* The form in which a Node parent takes descriptors from a child. The decoder lets only plain tags through. */
static void hand_over(const struct listener_step *step, int fd) {
  char text[192];
  const char *type = step->flags & LISTENER_UDP ? "dgram.Socket\",\"dgramType\":\"udp4" : "net.Native";
  snprintf(text, sizeof text, "{\"cmd\":\"NODE_HANDLE\",\"type\":\"%s\",\"msg\":{\"listener\":\"%s\"}}\n", type, step->tag);
  if (!send_handle(text, fd)) fail("hand over listener", step->tag, errno);
}

static void tell_reach(bool every) {
  if (!send_text(every ? "{\"reach\":\"every-port\"}\n" : "{\"reach\":\"listed-ports\"}\n")) fail("hand over listeners", "", errno);
}

/* On loopback a connection is made or refused at once; a server whose queue is full is given up. */
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

bool has_network(const struct plan *plan) {
  return plan->listeners.count > 0;
}

/* Only outer and init share it: nothing that the box runs may speak as the launcher. */
void close_handles(void) {
  close(handles_fd);
}

void open_network(const struct plan *plan) {
  if (!has_network(plan)) return;
  bool every = true;
  for (size_t i = 0; i < plan->sysctls.count; i++) {
    const struct sysctl_step *step = &LIST_AT(plan->sysctls, struct sysctl_step, i);
    write_file(step->path, step->value, "configure network");
  }
  for (size_t i = 0; i < plan->netlink.count; i++) {
    const struct netlink_step *step = &LIST_AT(plan->netlink, struct netlink_step, i);
    int error = exchange(step);
    if (error && !step->optional) fail("configure network", step->family == 0 ? "routes" : "packet filter", error);
    if (error) every = false;
  }
  for (size_t i = 0; i < plan->listeners.count; i++) {
    const struct listener_step *step = &LIST_AT(plan->listeners, struct listener_step, i);
    if (every ? step->flags & LISTENER_FALLBACK : step->flags & LISTENER_TRANSPARENT) continue;
    int fd = open_listener(step);
    hand_over(step, fd);
    close(fd);
  }
  tell_reach(every);
  if (!plan->forwards) close_handles();
  else fcntl(handles_fd, F_SETFD, FD_CLOEXEC);
}

/* For bubblewrap, which shares the namespace that it is started in: an identity map, or it could not make one of its own. */
void enter_network(const struct plan *plan) {
  char map[32];
  unsigned uid = geteuid(), gid = getegid();
  if (!has_network(plan)) return;
  if (unshare(CLONE_NEWNET | (uid ? CLONE_NEWUSER : 0))) fail("create network namespace", "", errno);
  if (uid) {
    write_file("/proc/self/setgroups", "deny", "map ids");
    snprintf(map, sizeof map, "%u %u 1", uid, uid);
    write_file("/proc/self/uid_map", map, "map ids");
    snprintf(map, sizeof map, "%u %u 1", gid, gid);
    write_file("/proc/self/gid_map", map, "map ids");
  }
  loopback_up();
  open_network(plan);
}

/* A network without an uplink. Routes and rules come as netlink messages in the plan, listeners are opened inside the
 * namespace, and their descriptors go to the supervisor. Every connection ends at the supervisor, or fails. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "network.h"
#include "../paths/path.h"
#include "../plan/list.h"
#include "../plan/plan.h"
#include "../report/fail.h"
#include "handles.h"
#include "netlink.h"

#define BACKLOG 4096

void loopback_up(void) {
  struct { char name[16]; short flags; char rest[22]; } request = {"lo", 0x1 | 0x40 /* IFF_UP | IFF_RUNNING */, {0}};
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || ioctl(fd, 0x8914 /* SIOCSIFFLAGS */, &request)) fail("bring up loopback", "lo", errno);
  close(fd);
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

/* The form in which Node accepts descriptors from a child. The decoder accepts only plain tags. */
static void hand_over(const struct listener_step *step, int fd) {
  char text[192];
  const char *type = step->flags & LISTENER_UDP ? "dgram.Socket\",\"dgramType\":\"udp4" : "net.Native";
  snprintf(text, sizeof text, "{\"cmd\":\"NODE_HANDLE\",\"type\":\"%s\",\"msg\":{\"listener\":\"%s\"}}\n", type, step->tag);
  if (!send_handle(text, fd)) fail("hand over listener", step->tag, errno);
}

static void tell_reach(bool every) {
  if (!send_text(every ? "{\"reach\":\"every-port\"}\n" : "{\"reach\":\"listed-ports\"}\n")) fail("hand over listeners", "", errno);
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
  else fcntl(handles(), F_SETFD, FD_CLOEXEC);
}

/* For bubblewrap, which shares the namespace in which it is started. Uses an identity map, because otherwise bubblewrap
 * could not make its own user namespace. */
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

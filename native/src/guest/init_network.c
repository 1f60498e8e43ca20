/* Addresses of the guest. Only qemu knows their targets; src/backends/microvm/machine.ts has the same numbers. */
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <net/route.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "init_network.h"
#include "give_up.h"
#include "start.h"

/* From a documentation block (RFC 5737): no host that a box could want to reach has such an address. */
static const char address[] = "192.0.2.15", mask[] = "255.255.255.0", gateway[] = "192.0.2.2";

static struct sockaddr internet(const char *text) {
  struct sockaddr_in in = {.sin_family = AF_INET};
  struct sockaddr any;
  inet_pton(AF_INET, text, &in.sin_addr);
  memcpy(&any, &in, sizeof any);
  return any;
}

static void bring_up(int fd, const char *name) {
  struct ifreq request = {0};
  strcpy(request.ifr_name, name);
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  if (ioctl(fd, SIOCSIFFLAGS, &request)) give_up("bring up", name);
}

static void give_address(int fd, unsigned long what, const char *text) {
  struct ifreq request = {.ifr_name = "eth0"};
  request.ifr_addr = internet(text);
  if (ioctl(fd, what, &request)) give_up("give address", text);
}

void open_interfaces(const struct start *start) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) give_up("open socket", "");
  bring_up(fd, "lo");
  if (start->number[N_NETWORK]) {
    give_address(fd, SIOCSIFADDR, address);
    give_address(fd, SIOCSIFNETMASK, mask);
    bring_up(fd, "eth0");
    struct rtentry route = {.rt_flags = RTF_UP | RTF_GATEWAY, .rt_dst = internet("0.0.0.0"), .rt_genmask = internet("0.0.0.0"), .rt_gateway = internet(gateway)};
    if (ioctl(fd, SIOCADDRT, &route)) give_up("route through", gateway);
  }
  close(fd);
}

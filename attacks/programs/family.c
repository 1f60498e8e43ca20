/* family NAME: uses a socket family that a box does not need, and prints the kernel's answer. */
#include <arpa/inet.h>
#include <linux/if_alg.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/vm_sockets.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/ip_icmp.h>
#include <sys/socket.h>
#include "tool.h"

static int wait_for_bytes(int fd, void *buffer, size_t size) {
  struct timeval second = {1, 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
  return (int)must(recv(fd, buffer, size, 0), "recv");
}

/* Only binds: nothing is sent to the hypervisor. */
static int use_vsock(void) {
  struct sockaddr_vm address = {.svm_family = AF_VSOCK, .svm_cid = VMADDR_CID_ANY, .svm_port = VMADDR_PORT_ANY};
  socklen_t length = sizeof address;
  int fd = (int)must(socket(AF_VSOCK, SOCK_STREAM, 0), "AF_VSOCK");
  must(bind(fd, (struct sockaddr *)&address, length), "bind");
  must(getsockname(fd, (struct sockaddr *)&address, &length), "getsockname");
  return (int)(address.svm_port & 0x7fffffff);
}

static int use_packet(void) {
  int fd = (int)must(socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL)), "AF_PACKET");
  struct sockaddr_ll lo = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = (int)if_nametoindex("lo")};
  must(bind(fd, (struct sockaddr *)&lo, sizeof lo), "bind");
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  sendto(socket(AF_INET, SOCK_DGRAM, 0), "frame", 5, 0, (struct sockaddr *)&self, sizeof self);
  char frame[2048];
  return wait_for_bytes(fd, frame, sizeof frame);
}

static int use_raw(void) {
  int fd = (int)must(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP), "SOCK_RAW");
  struct icmphdr echo = {.type = ICMP_ECHO, .checksum = htons(0xf7ff)};
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  must(sendto(fd, &echo, sizeof echo, 0, (struct sockaddr *)&self, sizeof self), "send echo");
  char reply[256];
  return wait_for_bytes(fd, reply, sizeof reply);
}

static int use_alg(void) {
  int fd = (int)must(socket(AF_ALG, SOCK_SEQPACKET, 0), "AF_ALG");
  struct sockaddr_alg address = {.salg_family = AF_ALG, .salg_type = "hash", .salg_name = "sha256"};
  must(bind(fd, (struct sockaddr *)&address, sizeof address), "bind");
  int operation = (int)must(accept(fd, NULL, 0), "accept");
  must(send(operation, "text", 4, 0), "send");
  char digest[32];
  return wait_for_bytes(operation, digest, sizeof digest);
}

/* A bound netlink socket receives from the kernel, and sends to it. */
static int use_netlink(int protocol, unsigned groups) {
  struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = groups};
  socklen_t length = sizeof address;
  int fd = (int)must(socket(AF_NETLINK, SOCK_RAW, protocol), "AF_NETLINK");
  must(bind(fd, (struct sockaddr *)&address, sizeof address), "bind");
  must(getsockname(fd, (struct sockaddr *)&address, &length), "getsockname");
  return (int)(address.nl_pid & 0x7fffffff);
}

static int use_uevent(void) { return use_netlink(NETLINK_KOBJECT_UEVENT, 1); }
static int use_audit(void) { return use_netlink(NETLINK_AUDIT, 0); }
static int use_netfilter(void) { return use_netlink(NETLINK_NETFILTER, 0); }
static int use_generic(void) { return use_netlink(NETLINK_GENERIC, 0); }
static int use_xfrm(void) { return use_netlink(NETLINK_XFRM, 0); }

int main(int argc, char **argv) {
  const struct {
    const char *name;
    int (*use)(void);
  } ways[] = {{"vsock", use_vsock},   {"packet", use_packet}, {"raw", use_raw},             {"alg", use_alg},        {"uevent", use_uevent},
              {"audit", use_audit}, {"xfrm", use_xfrm},     {"netfilter", use_netfilter}, {"generic", use_generic}};
  need(argc, 2, "family vsock|packet|raw|alg|uevent|audit|xfrm|netfilter|generic");
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    if (strcmp(argv[1], ways[i].name) == 0) return printf("%s %d\n", argv[1], ways[i].use()), 0;
  return 2;
}

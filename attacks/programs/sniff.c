/* sniff INTERFACE OUT: writes every packet that arrives on an interface to OUT, of any protocol. Prints a line when
 * it listens. */
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <sys/socket.h>
#include "tool.h"

int main(int argc, char **argv) {
  need(argc, 3, "sniff INTERFACE OUT");
  static char packet[1 << 16];
  int out = (int)must(open(argv[2], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644), argv[2]);
  int fd = (int)must(socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL)), "packet socket");
  struct sockaddr_ll link = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = (int)if_nametoindex(argv[1])};
  must(bind(fd, (struct sockaddr *)&link, sizeof link), argv[1]);
  puts("sniffing");
  fflush(stdout);
  for (;;) {
    socklen_t size = sizeof link;
    ssize_t length = recvfrom(fd, packet, sizeof packet, 0, (struct sockaddr *)&link, &size);
    if (length < 0 || link.sll_pkttype == PACKET_OUTGOING) continue;
    if (write(out, packet, (size_t)length) < 0 || write(out, "\n", 1) < 0) return 1;
  }
}

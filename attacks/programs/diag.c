/* diag: lists the names of all Unix sockets of the network namespace through NETLINK_SOCK_DIAG. */
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <sys/socket.h>
#include "tool.h"

static void print_names(const struct nlmsghdr *message) {
  const struct unix_diag_msg *entry = NLMSG_DATA(message);
  int length = (int)(message->nlmsg_len - NLMSG_LENGTH(sizeof *entry));
  for (struct rtattr *part = (struct rtattr *)(entry + 1); RTA_OK(part, length); part = RTA_NEXT(part, length)) {
    if (part->rta_type != UNIX_DIAG_NAME) continue;
    const char *name = RTA_DATA(part);
    size_t size = RTA_PAYLOAD(part);
    printf("%.*s\n", (int)(size - (name[0] == 0)), name[0] == 0 ? name + 1 : name);
  }
}

int main(void) {
  struct {
    struct nlmsghdr header;
    struct unix_diag_req request;
  } ask = {{sizeof ask, SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST | NLM_F_DUMP, 0, 0},
           {.sdiag_family = AF_UNIX, .udiag_states = ~0u, .udiag_show = UDIAG_SHOW_NAME}};
  int fd = (int)must(socket(AF_NETLINK, SOCK_RAW, NETLINK_SOCK_DIAG), "NETLINK_SOCK_DIAG");
  must(send(fd, &ask, sizeof ask, 0), "send");
  static char answer[1 << 16];
  for (;;) {
    long length = must(recv(fd, answer, sizeof answer, 0), "recv");
    for (struct nlmsghdr *message = (struct nlmsghdr *)answer; NLMSG_OK(message, length); message = NLMSG_NEXT(message, length)) {
      if (message->nlmsg_type == NLMSG_DONE || message->nlmsg_type == NLMSG_ERROR) return 0;
      print_names(message);
    }
  }
}

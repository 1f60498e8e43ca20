/* reach HOW ADDRESS TEXT [PORT]: sends TEXT to a service by one of several ways. Some of them pass weak filters. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include "tool.h"

#ifndef IPPROTO_MPTCP
#define IPPROTO_MPTCP 262
#endif

struct target {
  union {
    struct sockaddr any;
    struct sockaddr_un local;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
  };
  socklen_t length;
};

static struct target parse(const char *text, int port) {
  struct target target = {.length = sizeof(struct sockaddr_un)};
  if (text[0] == '/' || text[0] == '@') {
    target.local.sun_family = AF_UNIX;
    strncpy(target.local.sun_path, text, sizeof target.local.sun_path - 1);
    if (text[0] == '@') {
      target.local.sun_path[0] = 0;
      target.length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(text));
    }
  } else if (strchr(text, ':')) {
    target.six = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    inet_pton(AF_INET6, text, &target.six.sin6_addr);
    target.length = sizeof target.six;
  } else {
    target.four = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    inet_pton(AF_INET, text, &target.four.sin_addr);
    target.length = sizeof target.four;
  }
  return target;
}

static void connect_and_send(int fd, const struct target *target, const char *text) {
  must(connect(fd, &target->any, target->length), "connect");
  must(send(fd, text, strlen(text), MSG_NOSIGNAL), "send");
}

static void by_connect(const struct target *target, const char *text, long family, int type, int protocol) {
  connect_and_send((int)must(syscall(SYS_socket, family, type, protocol), "socket"), target, text);
}

static void by_sendto(const struct target *target, const char *text, int type, int flags) {
  int fd = (int)must(socket(target->any.sa_family, type, 0), "socket");
  must(sendto(fd, text, strlen(text), flags, &target->any, target->length), "sendto");
}

/* Some filters close connect and sendto, and leave sendmsg open. */
static void by_sendmsg(struct target *target, const char *text) {
  int fd = (int)must(socket(target->any.sa_family, SOCK_DGRAM, 0), "socket");
  struct iovec part = {(void *)text, strlen(text)};
  struct msghdr message = {.msg_name = &target->any, .msg_namelen = target->length, .msg_iov = &part, .msg_iovlen = 1};
  must(sendmsg(fd, &message, 0), "sendmsg");
}

static void by_messages(struct target *target, const char *text) {
  int fd = (int)must(socket(target->any.sa_family, SOCK_DGRAM, 0), "socket");
  struct iovec part = {(void *)text, strlen(text)};
  struct mmsghdr message = {.msg_hdr = {.msg_name = &target->any, .msg_namelen = target->length, .msg_iov = &part, .msg_iovlen = 1}};
  must(sendmmsg(fd, &message, 1, 0), "sendmmsg");
}

/* Some filters close socket(AF_UNIX), and leave socketpair open. One end of a datagram pair can connect again. */
static void by_pair(const struct target *target, const char *text) {
  int ends[2];
  must(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), "socketpair");
  connect_and_send(ends[0], target, text);
}

int main(int argc, char **argv) {
  need(argc, 4, "reach HOW ADDRESS TEXT [PORT]");
  const char *how = argv[1], *text = argv[3];
  struct target target = parse(argv[2], argc > 4 ? atoi(argv[4]) : 0);
  long family = target.any.sa_family;
  if (strcmp(how, "stream") == 0) by_connect(&target, text, family, SOCK_STREAM, 0);
  else if (strcmp(how, "seqpacket") == 0) by_connect(&target, text, family, SOCK_SEQPACKET, 0);
  else if (strcmp(how, "dgram") == 0) by_connect(&target, text, family, SOCK_DGRAM, 0);
  /* The kernel reads the low 32 bits of the family, so a filter that compares 64 bits misses it. */
  else if (strcmp(how, "high-bits") == 0) by_connect(&target, text, family | 1L << 32, SOCK_STREAM, 0);
  else if (strcmp(how, "mptcp") == 0) by_connect(&target, text, family, SOCK_STREAM, IPPROTO_MPTCP);
  else if (strcmp(how, "sendto") == 0) by_sendto(&target, text, SOCK_DGRAM, 0);
  else if (strcmp(how, "fastopen") == 0) by_sendto(&target, text, SOCK_STREAM, MSG_FASTOPEN);
  else if (strcmp(how, "sendmsg") == 0) by_sendmsg(&target, text);
  else if (strcmp(how, "sendmmsg") == 0) by_messages(&target, text);
  else if (strcmp(how, "pair") == 0) by_pair(&target, text);
  else return fprintf(stderr, "reach: unknown way %s\n", how), 2;
  return 0;
}

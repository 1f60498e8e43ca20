/* listen KIND ADDRESS OUT: a service of the host that writes all received bytes to OUT. Prints `PID PORT` when it is
 * ready. KIND is stream, seqpacket, dgram (ADDRESS: a path, or @NAME for an abstract one), tcp or udp (ADDRESS: an IP
 * address). */
#include <arpa/inet.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include "tool.h"

static socklen_t unix_address(struct sockaddr_un *address, const char *text) {
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  strncpy(address->sun_path, text, sizeof address->sun_path - 1);
  if (text[0] != '@') return sizeof *address;
  address->sun_path[0] = 0;
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(text));
}

static int listen_unix(int type, const char *text) {
  struct sockaddr_un address;
  socklen_t length = unix_address(&address, text);
  int fd = (int)must(socket(AF_UNIX, type, 0), "socket");
  must(bind(fd, (struct sockaddr *)&address, length), text);
  return fd;
}

static int listen_internet(int type, const char *text, unsigned *port) {
  struct sockaddr_in6 six = {.sin6_family = AF_INET6};
  struct sockaddr_in four = {.sin_family = AF_INET};
  int is_six = inet_pton(AF_INET6, text, &six.sin6_addr) == 1;
  if (!is_six) inet_pton(AF_INET, text, &four.sin_addr);
  int fd = (int)must(socket(is_six ? AF_INET6 : AF_INET, type, 0), "socket");
  must(is_six ? bind(fd, (struct sockaddr *)&six, sizeof six) : bind(fd, (struct sockaddr *)&four, sizeof four), text);
  socklen_t length = sizeof six;
  getsockname(fd, (struct sockaddr *)&six, &length);
  *port = ntohs(six.sin6_port); /* at the same place in sockaddr_in */
  return fd;
}

static void copy(int from, int out) {
  char bytes[4096];
  ssize_t got = read(from, bytes, sizeof bytes);
  if (got > 0 && write(out, bytes, (size_t)got) < 0) exit(1);
}

int main(int argc, char **argv) {
  need(argc, 4, "listen KIND ADDRESS OUT");
  const char *kind = argv[1];
  int datagrams = strcmp(kind, "dgram") == 0 || strcmp(kind, "udp") == 0;
  int type = datagrams ? SOCK_DGRAM : strcmp(kind, "seqpacket") == 0 ? SOCK_SEQPACKET : SOCK_STREAM;
  unsigned port = 0;
  int internet = strcmp(kind, "tcp") == 0 || strcmp(kind, "udp") == 0;
  int fd = internet ? listen_internet(type, argv[2], &port) : listen_unix(type, argv[2]);
  if (!datagrams) must(listen(fd, 16), "listen");
  int out = (int)must(open(argv[3], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644), argv[3]);
  int ready[2];
  must(pipe(ready), "pipe");
  pid_t service = (pid_t)must(fork(), "fork");
  if (service > 0) return printf("%d %u\n", service, port), 0;
  setsid();
  int null = open("/dev/null", O_RDWR);
  for (int i = 0; i <= 2; i++) dup2(null, i);
  alarm(120);
  for (;;) {
    int peer = datagrams ? fd : accept(fd, NULL, NULL);
    if (peer < 0) return 1;
    copy(peer, out);
    if (!datagrams) close(peer);
  }
}

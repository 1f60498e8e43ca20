/* serve CERTIFICATE KEY [TOKEN]: an HTTP server on the loopback, in the clear and over TLS, with the least possible cost. Prints both
   ports, and ends with its standard input. One thread for each connection. With TOKEN it asks for that as a bearer token. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include "wire.h"

#define EVENTS 5
#define BETWEEN_EVENTS 5000000L

static SSL_CTX *context;
static char token[256];
static char zeros[256 * 1024];

static int send_bytes(struct wire wire, long long count) {
  char head[128];
  int length = snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Length: %lld\r\n\r\n", count);
  if (!put(wire, head, length)) return 0;
  for (long long left = count; left > 0; left -= (long long)sizeof zeros)
    if (!put(wire, zeros, left < (long long)sizeof zeros ? left : (long)sizeof zeros)) return 0;
  return 1;
}

/* Each event contains its send time, because all processes of a machine have the same clock. */
static int send_events(struct wire wire) {
  const char *head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
  if (!put(wire, head, (long)strlen(head))) return 0;
  for (int i = 0; i < EVENTS; i++) {
    char event[64], chunk[96];
    if (i > 0) nanosleep(&(struct timespec){0, BETWEEN_EVENTS}, NULL);
    int length = snprintf(event, sizeof event, "data: %lld\n\n", now());
    length = snprintf(chunk, sizeof chunk, "%x\r\n%s\r\n", length, event);
    if (!put(wire, chunk, length)) return 0;
  }
  return put(wire, "0\r\n\r\n", 5);
}

static int answer(struct wire wire, const char *request) {
  static const char stranger[] = "HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
  static const char small[] = "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n" SMALL;
  long long count;
  if (!strstr(request, token)) return put(wire, stranger, (long)sizeof stranger - 1), 0;
  if (sscanf(request, "GET /bytes/%lld ", &count) == 1) return send_bytes(wire, count);
  if (!strncmp(request, "GET /events ", 12)) return send_events(wire);
  return put(wire, small, (long)sizeof small - 1);
}

struct accepted {
  int fd;
  int secure;
};

static void *serve(void *argument) {
  struct accepted accepted = *(struct accepted *)argument;
  free(argument);
  struct wire wire = {accepted.fd, accepted.secure ? SSL_new(context) : NULL};
  char request[8192];
  if (!wire.ssl || (SSL_set_fd(wire.ssl, wire.fd) && SSL_accept(wire.ssl) == 1))
    while (take_head(wire, request, sizeof request) && answer(wire, request)) continue;
  shut(wire);
  return NULL;
}

static _Noreturn void accept_all(int listener, int secure) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 128 * 1024);
  pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    if (fd < 0) continue;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    struct accepted *accepted = malloc(sizeof *accepted);
    *accepted = (struct accepted){fd, secure};
    pthread_t thread;
    if (pthread_create(&thread, &small, serve, accepted)) close(fd);
  }
}

static void *accept_secure(void *listener) { accept_all(*(int *)listener, 1); }
static void *accept_plain(void *listener) { accept_all(*(int *)listener, 0); }

static int listen_anywhere(int *port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (bind(fd, (struct sockaddr *)&address, length) || listen(fd, 8192) || getsockname(fd, (struct sockaddr *)&address, &length)) exit(1);
  *port = ntohs(address.sin_port);
  return fd;
}

int main(int count, char **words) {
  static int plain, secure;
  int plain_port, secure_port;
  pthread_t thread;
  if (count != 3 && count != 4) return 2;
  if (count == 4) snprintf(token, sizeof token, "Bearer %s\r\n", words[3]);
  signal(SIGPIPE, SIG_IGN);
  context = SSL_CTX_new(TLS_server_method());
  if (SSL_CTX_use_certificate_chain_file(context, words[1]) != 1 || SSL_CTX_use_PrivateKey_file(context, words[2], SSL_FILETYPE_PEM) != 1) return 1;
  plain = listen_anywhere(&plain_port);
  secure = listen_anywhere(&secure_port);
  pthread_create(&thread, NULL, accept_plain, &plain);
  pthread_create(&thread, NULL, accept_secure, &secure);
  printf("%d %d\n", plain_port, secure_port);
  fflush(stdout);
  while (getchar() != EOF) continue;
  return 0;
}

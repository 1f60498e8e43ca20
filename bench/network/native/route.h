/* The client's way to a server: directly, or through the proxy of its environment. */
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include "wire.h"

struct route {
  const char *host, *port;
  struct sockaddr_storage address;
  socklen_t length;
  /* The first request to a proxy. Empty without one. */
  char connect[2048];
};

static _Noreturn inline void fail(const char *what) {
  printf("error %s\n", what);
  exit(1);
}

static inline void look_up(struct route *route, const char *host, const char *port) {
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_family = AF_INET}, *found;
  if (getaddrinfo(host, port, &hints, &found)) fail("the name was not found");
  memcpy(&route->address, found->ai_addr, found->ai_addrlen);
  route->length = found->ai_addrlen;
  freeaddrinfo(found);
}

/* `%3D` stands for `=` in the user names of URLs. */
static inline void unescape(char *text) {
  char *to = text;
  for (; *text; text++) {
    unsigned code;
    if (*text == '%' && sscanf(text + 1, "%2x", &code) == 1) *to++ = (char)code, text += 2;
    else *to++ = *text;
  }
  *to = 0;
}

/* `http://[USER:PASSWORD@]HOST:PORT` */
static inline void through_proxy(struct route *route, const char *url) {
  char text[1024], credentials[1024] = "", encoded[1400] = "";
  snprintf(text, sizeof text, "%s", strstr(url, "//") ? strstr(url, "//") + 2 : url);
  char *host = strrchr(text, '@');
  if (host) {
    *host++ = 0;
    snprintf(credentials, sizeof credentials, "%s", text);
    unescape(credentials);
    EVP_EncodeBlock((unsigned char *)encoded, (unsigned char *)credentials, (int)strlen(credentials));
  } else host = text;
  char *port = strrchr(host, ':');
  if (!port) fail("the proxy has no port");
  *port++ = 0;
  port[strspn(port, "0123456789")] = 0;
  look_up(route, host, port);
  snprintf(route->connect, sizeof route->connect, "CONNECT %s:%s HTTP/1.1\r\nHost: %s:%s\r\n%s%s%s\r\n", route->host, route->port, route->host, route->port,
           *encoded ? "Proxy-Authorization: Basic " : "", encoded, *encoded ? "\r\n" : "");
}

static inline struct route route_to(const char *host, const char *port) {
  struct route route = {.host = host, .port = port};
  const char *proxy = getenv("HTTPS_PROXY");
  if (proxy && *proxy) through_proxy(&route, proxy);
  else look_up(&route, host, port);
  return route;
}

static inline struct wire reach(const struct route *route) {
  struct wire wire = {socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), NULL};
  char head[4096];
  if (connect(wire.fd, (const struct sockaddr *)&route->address, route->length)) fail("the connection was refused");
  setsockopt(wire.fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
  if (!*route->connect) return wire;
  if (!put(wire, route->connect, (long)strlen(route->connect)) || !take_head(wire, head, sizeof head) || strncmp(head + 8, " 200", 4)) fail("the proxy refused");
  return wire;
}

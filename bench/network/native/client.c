#define _GNU_SOURCE
/* client: reads commands from its standard input, does them, and answers each with one line of numbers, or with `error WHY`
   and its end. Times are nanoseconds. HTTPS_PROXY, where it is set, is the way out. BENCH_KEY, where it is set, goes as a bearer
   token with every request.

   connect HOST PORT COUNT      new connections, one after another, each with a small request: the time of each
   name    HOST PORT COUNT      the same with a look-up of the name before each
   secure  HOST PORT COUNT      the same as `connect` over TLS
   issuer  HOST PORT            who signed the certificate: one line of text
   plain   HOST PORT BYTES      a download in the clear: its time
   tls     HOST PORT BYTES      a download over TLS: its time
   ask     HOST PORT COUNT      small requests on one connection over TLS: the time of each
   keep    HOST PORT COUNT EACH EACH small requests on each of COUNT connections over TLS at once: the time of all
   events  HOST PORT COUNT      event streams on one connection over TLS: for each the time from the request to the first event,
                                then, for all later events, the time from sending to arrival
   hold    HOST PORT COUNT      COUNT connections at once, with a small request each: how many were answered, and the time.
                                They stay open until the next line. */
#include <pthread.h>
#include <signal.h>
#include "hold.h"

static SSL_CTX *context;
static char authorization[256];

/* The identity of the server does not matter here. The bench checks certificates where it asks for the issuer. */
static struct wire secured(const struct route *route) {
  struct wire wire = reach(route);
  wire.ssl = SSL_new(context);
  SSL_set_fd(wire.ssl, wire.fd);
  SSL_set_tlsext_host_name(wire.ssl, route->host);
  if (SSL_connect(wire.ssl) != 1) fail("TLS failed");
  return wire;
}

static struct wire open_wire(const struct route *route, int secure) { return secure ? secured(route) : reach(route); }

static void request(struct wire wire, const struct route *route, const char *path) {
  char text[1024];
  int length = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: %s:%s\r\n%s\r\n", path, route->host, route->port, authorization);
  if (!put(wire, text, length)) fail("the request could not be sent");
}

/* Reads one answer with a length, all of it; the octets of its body. */
static long long answer(struct wire wire) {
  static _Thread_local char buffer[256 * 1024];
  long long length = 0, got = take_head(wire, buffer, 8192);
  if (!got || strncmp(buffer + 8, " 200", 4)) fail("the answer was not 200");
  const char *field = strcasestr(buffer, "\r\ncontent-length:");
  if (!field || sscanf(field + 17, "%lld", &length) != 1) fail("the answer has no length");
  got -= strstr(buffer, "\r\n\r\n") + 4 - buffer;
  while (got < length) {
    int more = take(wire, buffer, sizeof buffer);
    if (more <= 0) fail("the answer was cut");
    got += more;
  }
  return length;
}

static void connect_many(struct route *route, int count, int secure, int named) {
  for (int i = 0; i < count; i++) {
    long long begin = now();
    if (named) *route = route_to(route->host, route->port);
    struct wire wire = open_wire(route, secure);
    request(wire, route, "/small");
    answer(wire);
    printf("%lld ", now() - begin);
    shut(wire);
  }
}

static void issuer(const struct route *route) {
  char name[256];
  struct wire wire = secured(route);
  X509 *certificate = SSL_get1_peer_certificate(wire.ssl);
  printf("%s", X509_NAME_oneline(X509_get_issuer_name(certificate), name, sizeof name));
  X509_free(certificate);
  shut(wire);
}

static void download(const struct route *route, long long bytes, int secure) {
  char path[64];
  snprintf(path, sizeof path, "/bytes/%lld", bytes);
  struct wire wire = open_wire(route, secure);
  long long begin = now();
  request(wire, route, path);
  if (answer(wire) != bytes) fail("the download has another size");
  printf("%lld", now() - begin);
  shut(wire);
}

/* The first request opens the way to the server, and does not count. */
static void ask_many(const struct route *route, int count) {
  struct wire wire = secured(route);
  for (int i = 0; i <= count; i++) {
    long long begin = now();
    request(wire, route, "/small");
    answer(wire);
    if (i > 0) printf("%lld ", now() - begin);
  }
  shut(wire);
}

struct keeper {
  pthread_t thread;
  const struct route *route;
  struct wire wire;
  int each;
};

static void *keep_asking(void *argument) {
  struct keeper *keeper = argument;
  for (int i = 0; i < keeper->each; i++) {
    request(keeper->wire, keeper->route, "/small");
    answer(keeper->wire);
  }
  return NULL;
}

/* The first request of each connection opens the way to the server, before the clock starts. */
static void keep(const struct route *route, int count, int each) {
  struct keeper keepers[64];
  for (int i = 0; i < count; i++) {
    keepers[i] = (struct keeper){.route = route, .wire = secured(route), .each = 1};
    keep_asking(&keepers[i]);
    keepers[i].each = each;
  }
  long long begin = now();
  for (int i = 0; i < count; i++) pthread_create(&keepers[i].thread, NULL, keep_asking, &keepers[i]);
  for (int i = 0; i < count; i++) pthread_join(keepers[i].thread, NULL);
  printf("%lld", now() - begin);
  for (int i = 0; i < count; i++) shut(keepers[i].wire);
}

/* Reads one stream to its end. `first` is the time of its first event. The delay of each later one goes to `delays`. */
static size_t stream(struct wire wire, long long *first, long long *delays) {
  char text[16384] = "";
  int length = 0, seen = 0;
  size_t count = 0;
  for (const char *from = text; !strstr(text, "\r\n0\r\n\r\n"); ) {
    int got = take(wire, text + length, (int)sizeof text - 1 - length);
    if (got <= 0) fail("the events ended");
    long long arrived = now(), sent;
    length += got;
    text[length] = 0;
    for (const char *event; (event = strstr(from, "data: ")) && strchr(event, '\n'); from = event + 6) {
      if (sscanf(event + 6, "%lld", &sent) != 1) fail("an event is not ours");
      if (seen++) delays[count++] = arrived - sent;
      else *first = arrived;
    }
  }
  return count;
}

static void events(const struct route *route, int count) {
  long long *delays = calloc((size_t)count * 8, sizeof *delays), first = 0;
  size_t delayed = 0;
  struct wire wire = secured(route);
  for (int i = 0; i <= count; i++) {
    long long begin = now();
    request(wire, route, "/events");
    size_t more = stream(wire, &first, delays + delayed);
    if (i == 0) continue;
    delayed += more;
    printf("%lld ", first - begin);
  }
  for (size_t i = 0; i < delayed; i++) printf("%lld ", delays[i]);
  shut(wire);
  free(delays);
}

static struct crowd crowd;

static void hold_many(const struct route *route, size_t count) {
  static struct route kept;
  kept = *route;
  crowd = (struct crowd){&kept, count, count, calloc(count, sizeof *crowd.polls), calloc(count, sizeof *crowd.held)};
  long long begin = now();
  size_t answered = hold(&crowd);
  printf("%zu %lld", answered, now() - begin);
}

static void obey(const char *command, struct route *route, long long count, int each) {
  if (!strcmp(command, "connect")) connect_many(route, (int)count, 0, 0);
  else if (!strcmp(command, "name")) connect_many(route, (int)count, 0, 1);
  else if (!strcmp(command, "secure")) connect_many(route, (int)count, 1, 0);
  else if (!strcmp(command, "issuer")) issuer(route);
  else if (!strcmp(command, "plain")) download(route, count, 0);
  else if (!strcmp(command, "tls")) download(route, count, 1);
  else if (!strcmp(command, "ask")) ask_many(route, (int)count);
  else if (!strcmp(command, "keep")) keep(route, (int)count, each);
  else if (!strcmp(command, "events")) events(route, (int)count);
  else if (!strcmp(command, "hold")) hold_many(route, (size_t)count);
  else fail("the command is not known");
}

int main(void) {
  char line[512], command[16], host[256], port[8];
  signal(SIGPIPE, SIG_IGN);
  context = SSL_CTX_new(TLS_client_method());
  const char *key = getenv("BENCH_KEY");
  if (key && *key) snprintf(authorization, sizeof authorization, "Authorization: Bearer %s\r\n", key);
  for (long long count = 0; fgets(line, sizeof line, stdin); count = 0) {
    int each = 0;
    if (crowd.held) release(&crowd);
    crowd.held = NULL;
    if (sscanf(line, "%15s %255s %7s %lld %d", command, host, port, &count, &each) < 3) fail("the command has too few words");
    struct route route = route_to(host, port);
    obey(command, &route, count, each);
    printf("\n");
    fflush(stdout);
  }
  return 0;
}

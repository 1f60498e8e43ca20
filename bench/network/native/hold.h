/* Many connections at once, all open. Each sends a small request and reads the answer. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include "route.h"

enum state { CONNECTING, ASKING_PROXY, ASKING, ANSWERED, FAILED };

struct held {
  enum state state;
  char answer[4096];
  size_t length;
};

struct crowd {
  const struct route *route;
  size_t count, left;
  struct pollfd *polls;
  struct held *held;
};

static inline void settle(struct crowd *crowd, size_t i, enum state state) {
  crowd->held[i].state = state;
  crowd->polls[i].events = 0;
  crowd->left--;
}

static inline void ask(struct crowd *crowd, size_t i, enum state state) {
  static const char request[] = "GET /small HTTP/1.1\r\nHost: bench.example\r\n\r\n";
  const char *text = state == ASKING ? request : crowd->route->connect;
  crowd->held[i].state = state;
  crowd->held[i].length = 0;
  crowd->polls[i].events = POLLIN;
  if (write(crowd->polls[i].fd, text, strlen(text)) != (ssize_t)strlen(text)) settle(crowd, i, FAILED);
}

static inline void advance(struct crowd *crowd, size_t i) {
  struct held *held = &crowd->held[i];
  if (held->state == CONNECTING) {
    int error = 0;
    getsockopt(crowd->polls[i].fd, SOL_SOCKET, SO_ERROR, &error, &(socklen_t){sizeof error});
    if (error) return settle(crowd, i, FAILED);
    return ask(crowd, i, *crowd->route->connect ? ASKING_PROXY : ASKING);
  }
  ssize_t got = read(crowd->polls[i].fd, held->answer + held->length, sizeof held->answer - 1 - held->length);
  if (got < 0 && errno == EAGAIN) return;
  if (got <= 0) return settle(crowd, i, FAILED);
  held->length += (size_t)got;
  held->answer[held->length] = 0;
  if (held->state == ASKING && strstr(held->answer, SMALL)) settle(crowd, i, ANSWERED);
  else if (held->state == ASKING_PROXY && strstr(held->answer, "\r\n\r\n")) {
    if (!strncmp(held->answer + 8, " 200", 4)) ask(crowd, i, ASKING);
    else settle(crowd, i, FAILED);
  }
}

static inline void begin(struct crowd *crowd, size_t i) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  crowd->polls[i] = (struct pollfd){fd, POLLOUT, 0};
  if (fd < 0 || (connect(fd, (const struct sockaddr *)&crowd->route->address, crowd->route->length) && errno != EINPROGRESS)) settle(crowd, i, FAILED);
}

/* The number of answered connections. All stay open until `release`. */
static inline size_t hold(struct crowd *crowd) {
  size_t answered = 0;
  for (size_t i = 0; i < crowd->count; i++) begin(crowd, i);
  while (crowd->left > 0 && poll(crowd->polls, crowd->count, 30000) > 0)
    for (size_t i = 0; i < crowd->count; i++)
      if (crowd->polls[i].events && crowd->polls[i].revents) advance(crowd, i);
  for (size_t i = 0; i < crowd->count; i++) answered += crowd->held[i].state == ANSWERED;
  return answered;
}

static inline void release(struct crowd *crowd) {
  for (size_t i = 0; i < crowd->count; i++) close(crowd->polls[i].fd);
  free(crowd->polls);
  free(crowd->held);
}

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include "supervisor.h"
#include "../reach/own_socket.h"
#include "../reach/resident_name.h"
#include "become.h"
#include "place.h"
#include "reply.h"
#include "request.h"

/* Milliseconds. A supervisor reports within a few that it is there. One that does not is given up at once if it is
 * stopped. If it only has a hundred others to answer, waiting for it is quicker than using Node. If a policy has
 * changed, the supervisor plans again, which takes as long as in Node. Whenever it is given up, nothing has begun, and
 * Node does the run. */
enum { FEW = 20, FIRST_WORD = 2000, ANSWER = 5000 };

static long now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* False at the end of the stream, at the time limit, and on an error. */
static int receive_all(int server, void *bytes, size_t length, long until) {
  for (uint8_t *at = bytes; length > 0;) {
    long left = until - now_ms();
    struct pollfd event = {server, POLLIN, 0};
    int ready = left < 0 ? 0 : poll(&event, 1, (int)left);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return 0;
    ssize_t got = recv(server, at, length, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return 0;
    at += got;
    length -= (size_t)got;
  }
  return 1;
}

/* Sends from `at` on, and returns how much has been sent in all. NOW: only as much as the stream takes without waiting. */
enum patience { NOW, WAITING };
static size_t send_more(int server, const struct request *request, size_t at, enum patience patience) {
  while (at < request->length) {
    ssize_t sent = send(server, request->bytes + at, request->length - at, MSG_NOSIGNAL | (patience == NOW ? MSG_DONTWAIT : 0));
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) break;
    at += (size_t)sent;
  }
  return at;
}

/* While a secret is requested, or a keyring is being opened, the supervisor reports every second that it is there. */
static int receive_head(int server, uint8_t head[REPLY_HEAD]) {
  do {
    if (!receive_all(server, head, 1, now_ms() + ANSWER)) return 0;
  } while (head[0] == 'a');
  return receive_all(server, head + 1, REPLY_HEAD - 1, now_ms() + ANSWER);
}

static enum asked hear_answer(const struct place *place, int server) {
  uint8_t head[REPLY_HEAD], status = 0;
  if (!receive_head(server, head)) return NOBODY;
  long until = now_ms() + ANSWER;
  struct reply_head reply = read_reply_head(head);
  if (reply.kind == REPLY_COLD) return COLD;
  if (reply.kind == REPLY_BROKEN) return NOBODY;
  char *text = malloc(reply.length + 1);
  if (text == NULL || (reply.kind == REPLY_SAID && !receive_all(server, &status, 1, until))) return NOBODY;
  if (!receive_all(server, text, reply.length, until)) return NOBODY;
  say(text, reply.length);
  if (reply.kind == REPLY_SAID) _exit(status);
  become_launcher(place, server, 0);
}

/* Reads the letter of its state in /proc/PID/stat, after the name in parentheses. */
static int is_stopped(int server) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  char path[32], text[512];
  if (getsockopt(server, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return 1;
  snprintf(path, sizeof path, "/proc/%d/stat", (int)peer.pid);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  if (length <= 0) return 1;
  text[length] = 0;
  const char *name_end = strrchr(text, ')');
  return name_end == NULL || name_end[1] != ' ' || strchr("RSD", name_end[2]) == NULL;
}

static int is_there(int server) {
  long begun = now_ms();
  char first;
  struct pollfd event = {server, POLLIN, 0};
  if (poll(&event, 1, FEW) == 0 && is_stopped(server)) return 0;
  return receive_all(server, &first, 1, begun + FIRST_WORD) && first == 'a';
}

enum asked ask_supervisor(const struct place *place, char **words) {
  char name[RESIDENT_NAME];
  if (resident_name(name, "front", &place->files) != 0) return NOBODY;
  int server = reach_own(name, FIRST_WORD);
  if (server < 0) return NOBODY;
  struct request request = write_request(words);
  enum asked asked = request.bytes == NULL ? COLD : NOBODY;
  /* Sent before the supervisor has woken up, because otherwise it would wake up twice. */
  size_t sent = request.bytes == NULL ? 0 : send_more(server, &request, 0, NOW);
  if (request.bytes != NULL && is_there(server) && send_more(server, &request, sent, WAITING) == request.length)
    asked = hear_answer(place, server);
  free(request.bytes);
  close(server);
  return asked;
}

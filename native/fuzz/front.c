/* libFuzzer target: a supervisor's bytes for a front. The first byte chooses: a reply's head, or orders to a
 * launcher whose box is over. The front reads any bytes to their end, and relies on the read values. Built with the
 * sanitizers by scripts/fuzz-launcher.sh. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "../src/front/reply.h"

static size_t relayed;
static volatile uint8_t sum;

/* Counts the bytes for a person's stderr, so that no more come out than went in. */
static ssize_t keep(const void *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) sum ^= ((const uint8_t *)bytes)[i]; /* reads them, as the kernel would */
  relayed += length;
  return (ssize_t)length;
}
#define write(descriptor, bytes, length) keep(bytes, length)
#include "../src/launch/report/leave.c"
#undef write

/* In the place of report/report.c. */
bool reports_to_supervisor(void) {
  return true;
}

static void require(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "broken: %s\n", what);
  abort();
}

static void read_head(const uint8_t *bytes, size_t size) {
  uint8_t head[REPLY_HEAD] = {0};
  memcpy(head, bytes, size < sizeof head ? size : sizeof head);
  struct reply_head reply = read_reply_head(head);
  require(reply.length <= MOST_SAID, "a text is longer than a front takes");
  require(reply.kind == REPLY_SAID || reply.kind == REPLY_BOX || reply.length == 0, "a text of a reply that has none");
  require((reply.kind == REPLY_BOX) == (head[0] == 'b' && reply.kind != REPLY_BROKEN), "a box that was not said");
}

static void hear_orders(const uint8_t *bytes, size_t size) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) abort();
  if (ends[0] != CONTROL_FD && dup2(ends[0], CONTROL_FD) < 0) abort();
  if (ends[0] != CONTROL_FD) close(ends[0]);
  ssize_t put = send(ends[1], bytes, size, MSG_DONTWAIT);
  close(ends[1]);
  relayed = 0;
  static const size_t own_line = 200;
  int status = last_words();
  require(status >= 0 && status <= 255, "a status that is none");
  require(relayed <= (size_t)(put > 0 ? put : 0) + own_line, "more was said than had come");
  close(CONTROL_FD);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  if (data[0] % 8 == 0) read_head(data + 1, size - 1);
  else hear_orders(data + 1, size - 1);
  return 0;
}

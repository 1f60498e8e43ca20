/* Reports equal refusals in a row only once, and only up to a limit, because a build may try again and again. Notes of new
 * links have a limit of their own (attack: many refusals, and then a link).
 * Connections that wait have their own threads. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "refusals.h"
#include "../report/report.h"
#include "place.h"

#define MOST_REPORTS 256

static bool is_told_again(const char *payload, size_t length) {
  static char last[1 + 3 * LONGEST_PATH];
  static size_t last_length;
  if (length == last_length && memcmp(last, payload, length) == 0) return true;
  memcpy(last, payload, length);
  last_length = length;
  return false;
}

/* Attack: so many refusals that the socket is full when a link is made. */
static void send_note(const char *payload, size_t size) {
  for (int tries = 0; tries < 20; tries++) {
    if (report_soon(R_REFUSED, payload, size)) return;
    usleep(200);
  }
}

/* u8 kind, path; for a socket also NUL and the program. */
void report_refusal(enum refused kind, const char *path, const char *program) {
  static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
  static unsigned reports;
  char payload[1 + 3 * LONGEST_PATH];
  int length = snprintf(payload, sizeof payload, "%c%s%c%s", kind, path, 0, program ? program : "");
  if (!path[0] || length <= 0 || length >= (int)sizeof payload) return;
  pthread_mutex_lock(&one);
  size_t size = (size_t)length - (program ? 0 : 1);
  if (kind == LEFT_NAME || kind == LEFT_MORE) send_note(payload, size);
  else if (reports < MOST_REPORTS && !is_told_again(payload, size) && report_soon(R_REFUSED, payload, size)) reports++;
  pthread_mutex_unlock(&one);
}

/* The last messages between outer and its supervisor. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "leave.h"
#include "control.h"
#include "report.h"

/* Milliseconds for the supervisor to notice that no more messages come. */
#define LEAVE_PATIENCE 1000

static bool last_words_come;
static pid_t served_by; /* 0: by no child */

void expect_last_words(pid_t child) {
  last_words_come = true;
  served_by = child;
}

/* No other process would reap it, and a caller must find no process left. */
static int when_child_is_gone(int status) {
  while (served_by > 0 && waitpid(served_by, NULL, 0) < 0 && errno == EINTR) {}
  return status;
}

static bool receive_word(void *bytes, size_t length) {
  for (uint8_t *at = bytes; length > 0;) {
    ssize_t got = recv(CONTROL_FD, at, length, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    length -= (size_t)got;
  }
  return true;
}

static void say(const void *text, size_t length) {
  for (const uint8_t *at = text; length > 0;) {
    ssize_t put = write(2, at, length);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return;
    at += put;
    length -= (size_t)put;
  }
}

/* `w`, u32 length, text for stderr. */
static bool relay_words(void) {
  uint8_t piece[4096];
  uint32_t length;
  if (!receive_word(&length, sizeof length)) return false;
  while (length > 0) {
    size_t some = length < sizeof piece ? length : sizeof piece;
    if (!receive_word(piece, some)) return false;
    say(piece, some);
    length -= (uint32_t)some;
  }
  return true;
}

/* Orders that came too late are skipped, together with their payload. */
static size_t payload_of(uint8_t order) {
  return order == 's' ? 1 : order == 'h' ? 4 : order == 'p' ? 6 : 0;
}

/* The box has ended, and this process may be ended by signals again. All signals were blocked until now. */
static int last_words(void) {
  static const char lost[] = "holdfast: the supervisor ended before the command's end was written down\n"
                             "holdfast: to fix it: run the command again; `holdfast doctor` shows the supervisor [HF_SUPERVISOR_LOST]\n";
  uint8_t word, rest[8];
  sigset_t pipe_alone;
  sigemptyset(&pipe_alone);
  sigaddset(&pipe_alone, SIGPIPE); /* stderr may have no reader any more */
  sigprocmask(SIG_SETMASK, &pipe_alone, NULL);
  while (receive_word(&word, 1)) {
    if (word == 'x') return when_child_is_gone(receive_word(&word, 1) ? word : EXIT_HOLDFAST);
    if (word == 'w' ? !relay_words() : !receive_word(rest, payload_of(word))) break;
  }
  say(lost, sizeof lost - 1);
  return EXIT_HOLDFAST;
}

/* The supervisor may be about to send an order: to let the command begin, to connect a forward, or to end. If no
 * process read it, the supervisor's stream would break, and unread reports in it would be lost, such as how the command
 * ended. So this process reads until the supervisor has seen the end. */
int take_leave(int status) {
  uint8_t unheard[256];
  struct pollfd control = {CONTROL_FD, POLLIN, 0};
  if (!reports_to_supervisor() || shutdown(CONTROL_FD, SHUT_WR)) return status;
  if (last_words_come) return last_words();
  while (poll(&control, 1, LEAVE_PATIENCE) > 0 && recv(CONTROL_FD, unheard, sizeof unheard, 0) > 0) {}
  return status;
}

/* holdfast-hook: a coding agent's settings start it for each call of a hook. It asks the user's own `holdfast serve`
 * for the decision, in the protocol of src/serve. If no server answers in time, it starts Node, which decides by the
 * same code. It makes no decisions itself. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "../reach/own_socket.h"
#include "../reach/resident_name.h"
#include "ask.h"
#include "asked.h"
#include "node.h"
#include "question.h"
#include "refuse.h"
#include "text.h"

/* Bytes. More than `holdfast hook` accepts, which then reports it. */
enum { MOST_INPUT = 33 * 1024 * 1024 };

static struct text call, question;
static struct answer answer;

static void write_all(int to, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t put = write(to, bytes, length);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) refuse("the answer cannot be written");
    bytes += put;
    length -= (size_t)put;
  }
}

enum rest { NO_REST, MORE };

/* Reads as much of the call as a question can hold. */
static enum rest read_call(void) {
  while (call.length < sizeof call.bytes) {
    size_t got = read_some(0, call.bytes + call.length, sizeof call.bytes - call.length);
    if (got == 0) return NO_REST;
    call.length += got;
  }
  return MORE;
}

static _Noreturn void say_answer(void) {
  write_all(1, answer.out.bytes, answer.out.length);
  write_all(2, answer.error.bytes, answer.error.length);
  _exit(answer.status);
}

/* Node reads the call from its beginning. */
static void hand_over(enum rest rest) {
  int file = memfd_create("call", 0);
  if (file < 0) refuse("the call cannot be handed over");
  write_all(file, call.bytes, call.length);
  size_t given = call.length, got = rest == MORE ? 1 : 0;
  while (got > 0 && given < MOST_INPUT) {
    got = read_some(0, question.bytes, sizeof question.bytes);
    write_all(file, question.bytes, got);
    given += got;
  }
  if (lseek(file, 0, SEEK_SET) != 0 || dup2(file, 0) != 0 || close(file) != 0) refuse("the call cannot be handed over");
}

/* An exit without output and without an error would let the tool run, so an answer that cannot be read does not count. */
static void need_streams(void) {
  for (int stream = 0; stream <= 2; stream++) {
    if (fcntl(stream, F_GETFD) < 0) refuse("a standard stream is closed");
  }
}

/* Milliseconds after which Node decides instead of a server that hangs. */
enum { PATIENCE = 2000 };

/* The resident supervisor of this installation, or the server that the user has started. */
static int reach_server(char **words) {
  char launcher[PATH_MAX], name[RESIDENT_NAME];
  ssize_t length = readlink("/proc/self/exe", launcher, sizeof launcher - 32);
  char *slash = length > 0 ? memrchr(launcher, '/', (size_t)length) : NULL;
  if (slash == NULL) return -1;
  strcpy(slash + 1, "holdfast-launch");
  const struct installation files = {words[1], words[2], launcher};
  int server = resident_name(name, "serve", &files) == 0 ? reach_own(name, PATIENCE) : -1;
  return server >= 0 ? server : reach_own("serve.sock", PATIENCE);
}

/* NODE SCRIPT hook AGENT */
int main(int count, char **words) {
  need_streams();
  keep_time();
  errno = EINVAL;
  if (count != 5 || strcmp(words[3], "hook") != 0) refuse("holdfast-hook is for the settings that `holdfast init` writes");
  enum rest rest = read_call();
  int server = rest == MORE || write_question(&question, words[1], words[2], &call) != ANSWERED ? -1 : reach_server(words);
  if (server >= 0 && ask_server(server, words[4], &question, &answer) == ANSWERED) say_answer();
  if (server >= 0) close(server);
  hand_over(rest);
  decide_by_node(words);
}

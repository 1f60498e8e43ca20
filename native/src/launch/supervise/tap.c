/* Passes on the command's stderr, and keeps its last part to explain a refusal. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include "tap.h"
#include "../../kernel.h"

static void remember(struct relay *relay, const uint8_t *bytes, size_t length) {
  size_t keep = TAIL_SIZE - length;
  if (relay->tail_length > keep) {
    memmove(relay->tail, relay->tail + relay->tail_length - keep, keep);
    relay->tail_length = keep;
  }
  memcpy(relay->tail + relay->tail_length, bytes, length);
  relay->tail_length += length;
}

/* The reader of outer's stderr is gone. Writers in the box then meet the end of a pipe, as they would without outer,
 * instead of writing for ever. */
static void close_tap(struct relay *relay) {
  if (relay->tap.from >= 0) close(relay->tap.from);
  relay->tap.from = -1;
}

/* Reads only after everything from the last read was written, and at most PIPE_BUF, so that outer never blocks on a
 * slow reader. */
void relay_in(struct relay *relay) {
  ssize_t got = read(relay->tap.from, relay->pending, sizeof relay->pending);
  if (got <= 0) {
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    close_tap(relay);
    return;
  }
  relay->pending_at = 0;
  relay->pending_length = (size_t)got;
  remember(relay, relay->pending, (size_t)got);
}

/* Another writer may have filled the pipe since poll, and its reader may be stopped. */
static ssize_t write_now(int fd, void *bytes, size_t length) {
  ssize_t put = send(fd, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (put >= 0 || errno != ENOTSOCK) return put;
  struct stat st;
  struct iovec part = {bytes, length};
  if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode)) put = syscall(SYS_pwritev2, fd, &part, 1, -1l, -1l, K_RWF_NOWAIT);
  return put >= 0 || (errno != ENOTSOCK && errno != EOPNOTSUPP) ? put : write(fd, bytes, length);
}

void relay_out(struct relay *relay) {
  ssize_t put = write_now(relay->tap.to, relay->pending + relay->pending_at, relay->pending_length - relay->pending_at);
  if (put < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (put < 0 && (errno == EPIPE || errno == ECONNRESET)) close_tap(relay);
  if (put < 0) put = (ssize_t)(relay->pending_length - relay->pending_at); /* it has no reader: like a closed stderr */
  relay->pending_at += (size_t)put;
  if (relay->pending_at == relay->pending_length) relay->pending_length = 0;
}

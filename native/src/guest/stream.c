/* One stream in one direction. At most one window of bytes is unacknowledged, so that a stream without a reader does
 * not block the others. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "stream.h"
#include "protocol.h"
#include "wire.h"

bool source_wants(const struct source *source) {
  return source->fd >= 0 && source->credit > 0;
}

void source_close(struct source *source) {
  if (source->fd > 2) close(source->fd);
  source->fd = -1;
}

bool source_read(struct source *source, struct wire *wire) {
  uint8_t payload[1 + (32 << 10)];
  size_t room = source->credit < sizeof payload - 1 ? source->credit : sizeof payload - 1;
  ssize_t got = read(source->fd, payload + 1, room);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
  if (got <= 0) return false; /* EIO of a terminal that no process has open means its end, too */
  payload[0] = source->stream;
  wire_send(wire, F_DATA, payload, (size_t)got + 1);
  source->credit -= (size_t)got;
  return true;
}

void sink_open(struct sink *sink, uint8_t stream, int fd) {
  *sink = (struct sink){.stream = stream, .fd = fd, .bytes = malloc(WINDOW)};
  if (!sink->bytes) _exit(125);
}

bool sink_take(struct sink *sink, const uint8_t *bytes, size_t length) {
  if (length > WINDOW - sink->length) return false;
  for (size_t done = 0, part; done < length; done += part) {
    size_t end = (sink->start + sink->length) % WINDOW;
    part = length - done < WINDOW - end ? length - done : WINDOW - end;
    memcpy(sink->bytes + end, bytes + done, part);
    sink->length += part;
  }
  return true;
}

bool sink_wants(const struct sink *sink) {
  return sink->length > 0;
}

static void take(struct sink *sink, struct wire *wire, size_t count) {
  sink->start = (sink->start + count) % WINDOW;
  sink->length -= count;
  if (sink->uncounted) return;
  sink->taken += count;
  if (sink->length && sink->taken < WINDOW / 4) return;
  uint8_t payload[5] = {sink->stream};
  uint32_t taken = (uint32_t)sink->taken;
  memcpy(payload + 1, &taken, 4);
  wire_send(wire, F_TAKEN, payload, sizeof payload);
  sink->taken = 0;
}

/* Writes at most the bytes that a pipe accepts at once when it is writable, because the descriptor is shared with other
 * processes and blocks. */
void sink_write(struct sink *sink, struct wire *wire) {
  size_t whole = sink->length < WINDOW - sink->start ? sink->length : WINDOW - sink->start, part = whole < PIPE_BUF ? whole : PIPE_BUF;
  ssize_t put = sink->fd < 0 ? (ssize_t)sink->length : write(sink->fd, sink->bytes + sink->start, part);
  if (put < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (put < 0) {
    wire_send(wire, F_CLOSED, &sink->stream, 1);
    if (sink->fd > 2) close(sink->fd);
    sink->fd = -1;
    put = (ssize_t)sink->length;
  }
  take(sink, wire, (size_t)put);
}

/* Frames over a byte stream that never blocks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "wire.h"

static void *grown(void *bytes, size_t size) {
  void *more = realloc(bytes, size);
  if (!more) _exit(125);
  return more;
}

void wire_open(struct wire *wire, int fd, size_t longest) {
  *wire = (struct wire){.fd = fd, .longest = longest, .in_size = 4 + MAX_PAYLOAD};
  wire->in = grown(NULL, wire->in_size);
}

void wire_send(struct wire *wire, enum frame kind, const void *payload, size_t length) {
  size_t needed = wire->out_length + 4 + length;
  if (needed > wire->out_size) wire->out = grown(wire->out, wire->out_size = needed * 2);
  uint32_t header = (uint32_t)kind << 24 | (uint32_t)length;
  memcpy(wire->out + wire->out_length, &header, 4);
  if (length) memcpy(wire->out + wire->out_length + 4, payload, length);
  wire->out_length = needed;
}

void wire_flush(struct wire *wire) {
  size_t sent = 0;
  while (sent < wire->out_length) {
    ssize_t put = write(wire->fd, wire->out + sent, wire->out_length - sent);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0 && errno != EAGAIN) wire->broken = true;
    if (put <= 0) break;
    sent += (size_t)put;
  }
  wire->out_length -= sent;
  if (sent) memmove(wire->out, wire->out + sent, wire->out_length);
}

static size_t frame_length(const uint8_t *at, enum frame *kind) {
  uint32_t header;
  memcpy(&header, at, 4);
  *kind = (enum frame)(header >> 24);
  return header & 0xffffff;
}

void wire_receive(struct wire *wire, struct hearing hearing) {
  ssize_t got = read(wire->fd, wire->in + wire->in_length, wire->in_size - wire->in_length);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) {
    wire->broken = true;
    return;
  }
  wire->in_length += (size_t)got;
  size_t at = 0;
  while (wire->in_length - at >= 4 && !wire->broken) {
    enum frame kind;
    size_t length = frame_length(wire->in + at, &kind);
    if (length > wire->longest) {
      wire->broken = true;
      return;
    }
    if (wire->in_length - at < 4 + length) {
      if (4 + length > wire->in_size) wire->in = grown(wire->in, wire->in_size = 4 + length);
      break;
    }
    hearing.frame(hearing.context, kind, wire->in + at + 4, length);
    at += 4 + length;
  }
  wire->in_length -= at;
  memmove(wire->in, wire->in + at, wire->in_length);
}

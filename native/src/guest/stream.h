/* One direction of one stream, with a window. */
#ifndef HF_GUEST_STREAM_H
#define HF_GUEST_STREAM_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wire;
struct source { /* read here and sent */
  uint8_t stream;
  int fd;
  size_t credit;
};
struct sink { /* received and written here */
  uint8_t stream;
  int fd;
  bool ended, terminal;
  bool uncounted; /* nobody sent its present bytes, so no acknowledgement is due */
  size_t start, length, taken;
  uint8_t *bytes;
};
bool source_wants(const struct source *source);
bool source_read(struct source *source, struct wire *wire); /* false at its end */
void source_close(struct source *source);
void sink_open(struct sink *sink, uint8_t stream, int fd);
bool sink_take(struct sink *sink, const uint8_t *bytes, size_t length); /* false: more than the window */
bool sink_wants(const struct sink *sink);
void sink_write(struct sink *sink, struct wire *wire);
#endif

/* Decodes requests. All bytes may be hostile, so every length is checked before it is used. */
#include <string.h>
#include "decode.h"

/* The fields of each operation: p path, w u32, q u64, t i64 seconds and u32 nanoseconds, l u32 of at most MAX_PAYLOAD,
 * d data, 2 or 3 one of that many words. */
static const char *const fields[OP_COUNT] = {
  [OP_READ] = "pql", [OP_WRITE] = "pww22d", [OP_OPEN] = "pww22", [OP_READ_AT] = "wql", [OP_WRITE_AT] = "wqd", [OP_CLOSE] = "w3",
  [OP_LIST] = "pw2", [OP_STAT] = "p2", [OP_MAKE_DIRECTORY] = "pw2", [OP_COPY] = "pp2322", [OP_RENAME] = "pp3", [OP_LINK] = "pp",
  [OP_SYMLINK] = "pp", [OP_READLINK] = "p", [OP_REALPATH] = "p", [OP_TRUNCATE] = "pq", [OP_TIMES] = "ptt2", [OP_OWNER] = "pww2",
  [OP_MODE] = "pw", [OP_REMOVE] = "p22", [OP_TEMPORARY] = "ppp2", [OP_ACCESS] = "pw", [OP_WATCH] = "p2", [OP_UNWATCH] = "w",
};

static bool take(struct cursor *from, void *to, size_t length) {
  if (length > (size_t)(from->end - from->at)) return false;
  memcpy(to, from->at, length);
  from->at += length;
  return true;
}

static bool take_data(struct cursor *from, uint32_t *length, const uint8_t **data) {
  if (!take(from, length, 4) || *length > (size_t)(from->end - from->at)) return false;
  *data = from->at;
  from->at += *length;
  return true;
}

static bool take_path(struct cursor *from, const char **path, bool *has_nul) {
  uint32_t length;
  const uint8_t *bytes;
  if (!take_data(from, &length, &bytes)) return false;
  if (from->at == from->end || *from->at++) return false;
  if (memchr(bytes, 0, length)) *has_nul = true;
  *path = (const char *)bytes;
  return true;
}

static bool take_number(struct cursor *from, uint64_t *number, size_t size, uint64_t limit) {
  *number = 0;
  return take(from, number, size) && *number <= limit;
}

static bool take_field(char field, struct operation *to, struct cursor *from, unsigned places[2]) {
  uint64_t *number = &to->number[places[1]];
  switch (field) {
    case 'p': return take_path(from, &to->path[places[0]++], &to->has_nul);
    case 'd': return take_data(from, &to->length, &to->data) && to->length <= MAX_PAYLOAD;
    case 'w': places[1]++; return take_number(from, number, 4, UINT32_MAX);
    case 'l': places[1]++; return take_number(from, number, 4, MAX_PAYLOAD);
    case 'q': places[1]++; return take_number(from, number, 8, UINT64_MAX);
    case 't': places[1] += 2; return take_number(from, number, 8, UINT64_MAX) && take_number(from, number + 1, 4, UINT32_MAX);
    default: places[1]++; return take_number(from, number, 1, (uint64_t)(field - '1'));
  }
}

bool decode_operation(struct operation *operation, struct cursor *from) {
  uint8_t code;
  memset(operation, 0, sizeof *operation);
  if (!take(from, &code, 1) || code >= OP_COUNT || !fields[code]) return false;
  operation->code = code;
  unsigned places[2] = {0, 0}; /* of the next path and the next number */
  for (const char *field = fields[code]; *field; field++)
    if (!take_field(*field, operation, from, places)) return false;
  return true;
}

bool decode_request(struct request *request, uint32_t id, struct cursor payload) {
  uint8_t stop;
  if (!take(&payload, &stop, 1) || stop > 1 || !take(&payload, &request->count, 4)) return false;
  request->id = id;
  request->never_stop = stop;
  request->operations = payload;
  /* The whole request is decoded before any part of it runs: half of an invalid request must not take effect. */
  struct operation ignored;
  for (uint32_t i = 0; i < request->count; i++)
    if (!decode_operation(&ignored, &payload)) return false;
  return payload.at == payload.end && request->count > 0;
}

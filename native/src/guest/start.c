/* The host's message to the guest, as bytes: numbers, then lists of strings, each with its length and a NUL. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "start.h"

struct writer {
  uint8_t *bytes;
  size_t length, size;
};

static void put(struct writer *out, const void *bytes, size_t length) {
  if (out->length + length > out->size) {
    out->size = (out->length + length) * 2;
    out->bytes = realloc(out->bytes, out->size);
    if (!out->bytes) _exit(125);
  }
  if (length) memcpy(out->bytes + out->length, bytes, length);
  out->length += length;
}

static void put_blob(struct writer *out, const void *bytes, size_t length) {
  uint32_t count = (uint32_t)length;
  put(out, &count, 4);
  put(out, bytes, length);
  put(out, "", 1);
}

static void put_strings(struct writer *out, const struct strings *strings) {
  uint32_t count = (uint32_t)strings->count;
  put(out, &count, 4);
  for (size_t i = 0; i < strings->count; i++) put_blob(out, strings->items[i], strlen(strings->items[i]));
}

struct blob start_encode(const struct start *start) {
  struct writer out = {0};
  put(&out, start->number, sizeof start->number);
  put_blob(&out, start->hostname, strlen(start->hostname));
  put_blob(&out, start->cwd, strlen(start->cwd));
  put_strings(&out, &start->arguments);
  put_strings(&out, &start->environment);
  put_strings(&out, &start->programs);
  put_strings(&out, &start->tmpfs);
  put_blob(&out, start->filter.bytes, start->filter.length);
  put_blob(&out, start->guard.bytes, start->guard.length);
  put_blob(&out, start->seed.bytes, start->seed.length);
  return (struct blob){out.length, out.bytes};
}

struct reader {
  uint8_t *at;
  size_t left;
  bool bad;
};

static uint8_t *get(struct reader *in, size_t length) {
  if (in->bad || length > in->left) {
    in->bad = true;
    return NULL;
  }
  in->at += length;
  in->left -= length;
  return in->at - length;
}

static struct blob get_blob(struct reader *in) {
  uint32_t length = 0;
  uint8_t *head = get(in, 4);
  if (head) memcpy(&length, head, 4);
  uint8_t *bytes = get(in, (size_t)length + 1);
  if (bytes && bytes[length] != 0) in->bad = true;
  return (struct blob){length, bytes};
}

static void get_strings(struct reader *in, struct strings *strings) {
  uint32_t count = 0;
  uint8_t *head = get(in, 4);
  if (head) memcpy(&count, head, 4);
  for (uint32_t i = 0; i < count && !in->bad; i++) strings_push(strings, (char *)get_blob(in).bytes);
}

bool start_decode(struct start *start, uint8_t *bytes, size_t length) {
  struct reader in = {bytes, length, false};
  *start = (struct start){0};
  uint8_t *numbers = get(&in, sizeof start->number);
  if (numbers) memcpy(start->number, numbers, sizeof start->number);
  start->hostname = (const char *)get_blob(&in).bytes;
  start->cwd = (const char *)get_blob(&in).bytes;
  get_strings(&in, &start->arguments);
  get_strings(&in, &start->environment);
  get_strings(&in, &start->programs);
  get_strings(&in, &start->tmpfs);
  start->filter = get_blob(&in);
  start->guard = get_blob(&in);
  start->seed = get_blob(&in);
  return !in.bad && start->arguments.count > 0;
}

/* The list ends with NULL, as exec requires. */
void strings_push(struct strings *strings, char *item) {
  if (strings->count + 2 > strings->size) {
    strings->size = strings->size ? strings->size * 2 : 64;
    strings->items = realloc(strings->items, strings->size * sizeof *strings->items);
    if (!strings->items) _exit(125);
  }
  strings->items[strings->count++] = item;
  strings->items[strings->count] = NULL;
}
